"""The question as a vector, within a time limit: whatever the embedder does, keyword search is not kept waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import HardwonError

if TYPE_CHECKING:
    from hardwon.kernel.ports import Embedder

PATIENCE = 5.0
"""Seconds that a question without a deadline waits for its vector: loading the bundled model takes well under one."""
PAUSE = 60.0
"""Seconds after a failure in which the embedder is not asked again."""
LONGEST = 2000
"""Characters of a question that are embedded."""


class QuestionEmbedder:
    """Asks the embedder that `find` opens on first use. Safe to call from several threads."""

    def __init__(self, find: Callable[[], Embedder | None]) -> None:
        self._find = find
        self._embedder: Embedder | None = None
        self._unwanted = False
        self._failure: tuple[float, str] | None = None
        self._lock = threading.Lock()

    def embed(self, text: str, seconds: float | None = None) -> tuple[str, Sequence[float]] | str | None:
        """Return the space and the vector of a question; a sentence why there is none; None where none is wanted.

        `seconds` is what is left of the question's deadline.
        """
        if self._unwanted:
            return None
        if self._failure and time.monotonic() - self._failure[0] < PAUSE:
            return self._failure[1]
        answer: list[tuple[str, Sequence[float]] | str | None] = []
        worker = threading.Thread(target=lambda: answer.append(self._ask(text)), name="question", daemon=True)
        worker.start()
        worker.join(PATIENCE if seconds is None else max(0.0, min(seconds, PATIENCE)))
        if not answer:
            return self._failed("The embedder did not answer in time; this is keyword search alone.")
        return answer[0]

    def _ask(self, text: str) -> tuple[str, Sequence[float]] | str | None:
        with self._lock:
            try:
                self._embedder = self._embedder or self._find()
                if self._embedder is None:
                    self._unwanted = True
                    return None
                return self._embedder.name, self._embedder.embed([text[:LONGEST]], "query")[0]
            except HardwonError as error:
                return self._failed(f"This is keyword search alone: {error}")
            except Exception as error:  # An embedder may be a stranger's plugin; search survives it and says so.
                what = f"the embedder broke ({type(error).__name__}: {error})"
                return self._failed(f"This is keyword search alone: {what}.")

    def _failed(self, sentence: str) -> str:
        self._failure = (time.monotonic(), sentence)
        return sentence
