"""RecordingConsole: remembers what a use case said, and answers questions as it was told to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hardwon.kernel.errors import Unavailable


class RecordingConsole:
    """Everything said, shown, tracked and asked, in order."""

    def __init__(self, *, answer: bool = False, edits: Callable[[str], str] | None = None) -> None:
        """Answer every question so; `edits` is what the person makes of a text in their editor."""
        self.answer = answer
        self._edits = edits
        self.said: list[str] = []
        self.shown: list[str] = []
        self.asked: list[str] = []
        self.progress: dict[str, tuple[int, int]] = {}
        """Label to steps done and steps announced."""

    def say(self, text: str) -> None:
        """Remember what was said."""
        self.said.append(text)

    def show(self, line: str) -> None:
        """Remember what was shown."""
        self.shown.append(line)

    @contextmanager
    def track(self, label: str, total: int) -> Iterator[Callable[[int], None]]:
        """Remember how far the work came."""
        self.progress[label] = (0, total)

        def advance(steps: int) -> None:
            done, announced = self.progress[label]
            self.progress[label] = (done + steps, announced)

        yield advance

    def confirm(self, question: str) -> bool:
        """Remember the question and give the answer that was prepared."""
        self.asked.append(question)
        return self.answer

    def edit(self, text: str) -> str:
        """Return what the prepared person makes of a text."""
        if self._edits is None:
            raise Unavailable("Nobody is here to edit a text.")
        return self._edits(text)
