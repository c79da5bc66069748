"""FakeExtractor: takes what is marked, so that a test says in its texts what is to be learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardwon.kernel.extraction import Extract
from hardwon.kernel.injection import without_ours
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Message, Turn

MARKS = {"Remember: ": 0.9, "Perhaps: ": 0.4, "Refuse: ": 0.9, "Root cause: ": 0.7}
"""How a line begins that teaches, and how sure that is."""
REFUSED = "It holds for this task alone."


class FakeExtractor:
    """Finds lines that begin with a mark; a root cause is held back until the session ended."""

    @property
    def name(self) -> str:
        """Return the name by which the settings call it."""
        return "fake"

    def extract(self, turns: Sequence[Turn], *, ended: bool) -> list[Extract]:
        """Return what one session's turns hold, in their order."""
        found: dict[str, Extract] = {}
        for turn in turns:
            for message in turn.messages:
                for extract in _extracts(turn, message, ended=ended):
                    found.setdefault(extract.content, extract)
        return list(found.values())


def _extracts(turn: Turn, message: Message, *, ended: bool) -> Iterator[Extract]:
    for line in without_ours(message.text).splitlines():
        mark = next((mark for mark in MARKS if line.startswith(mark)), None)
        if mark is None or (mark == "Root cause: " and not ended):
            continue
        yield Extract(
            turn=turn.id,
            message=message.id,
            kind=Kind.LESSON,
            content=line.removeprefix(mark),
            lesson=Lesson(),
            said_by=message.by,
            evidence=line,
            confidence=MARKS[mark],
            at=message.at or turn.at,
            refused=REFUSED if mark == "Refuse: " else None,
        )
