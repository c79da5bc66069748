"""The question as a vector, within a time limit: whatever the embedder does, keyword search is not kept waiting."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from hardwon.kernel.errors import HardwonError

if TYPE_CHECKING:
    from hardwon.kernel.ports import Embedder

PATIENCE = 5.0
"""Seconds that a question without a deadline waits for its vector: loading the bundled model takes well under one."""
PAUSE = 60.0
"""Seconds after a failure in which the embedder is not asked again."""
LONGEST = 2000
"""Characters of a question that are embedded."""
IDLE = 10.0
"""Seconds after which the thread that asks the embedder ends, when nobody asks any more."""
Answer: TypeAlias = "tuple[str, Sequence[float]] | str | None"
"""The space and the vector of a question; a sentence why there is none; None where none is wanted."""


class QuestionEmbedder:
    """Asks the embedder that `find` opens on first use. Safe to call from several threads."""

    def __init__(self, find: Callable[[], Embedder | None]) -> None:
        self._find = find
        self._embedder: Embedder | None = None
        self._unwanted = False
        self._failure: tuple[float, str] | None = None
        self._lock = threading.Lock()
        self._asked: queue.SimpleQueue[Asked] = queue.SimpleQueue()
        self._worker: threading.Thread | None = None

    def embed(self, text: str, seconds: float | None = None) -> Answer:
        """Return the answer to a question whose deadline leaves so many seconds."""
        return self.ask(text, seconds)()

    def ask(self, text: str, seconds: float | None = None) -> Callable[[], Answer]:
        """Have a question embedded beside what the caller goes on to do; return what waits for the answer.

        It waits until so many seconds after the question was asked, and PATIENCE at most.
        """
        if self._unwanted:
            return lambda: None
        if self._failure and time.monotonic() - self._failure[0] < PAUSE:
            sentence = self._failure[1]
            return lambda: sentence
        asked = Asked(text, time.monotonic() + min(PATIENCE, PATIENCE if seconds is None else seconds))
        with self._lock:
            self._asked.put(asked)
            if self._worker is None or not self._worker.is_alive():  # as after a fork, too
                self._worker = threading.Thread(target=self._work, name="question", daemon=True)
                self._worker.start()
        return lambda: self._awaited(asked)

    def _awaited(self, asked: Asked) -> Answer:
        with contextlib.suppress(queue.Empty):
            return asked.answer.get(timeout=max(0.0, asked.until - time.monotonic()))
        return self._failed("The embedder did not answer in time; this is keyword search alone.")

    def _work(self) -> None:
        """Answer one question after the other, as long as there are any."""
        while True:
            try:
                asked = self._asked.get(timeout=IDLE)
            except queue.Empty:
                with self._lock:
                    if self._asked.empty():
                        self._worker = None
                        return
                continue
            if time.monotonic() < asked.until:  # nobody waits for the others any more
                asked.answer.put(self._answered(asked.text))

    def _answered(self, text: str) -> Answer:
        try:
            self._embedder = self._embedder or self._find()
            if self._embedder is None:
                self._unwanted = True
                return None
            return self._embedder.name, self._embedder.embed([text[:LONGEST]], "query")[0]
        except HardwonError as error:
            return self._failed(f"This is keyword search alone: {error}")
        except BaseException as error:  # of a stranger's plugin: search survives it, a panic in Rust too, and says so
            what = f"the embedder broke ({type(error).__name__}: {error})"
            return self._failed(f"This is keyword search alone: {what}.")

    def _failed(self, sentence: str) -> str:
        self._failure = (time.monotonic(), sentence)
        return sentence


class Asked:
    """A question, and where its answer is put."""

    def __init__(self, text: str, until: float) -> None:
        self.text = text
        self.until = until
        """Until when somebody waits, by the monotonic clock."""
        self.answer: queue.SimpleQueue[Answer] = queue.SimpleQueue()
