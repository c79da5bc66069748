"""Stopping: a wait that a signal ends, wherever in it the signal comes.

`threading.Event` cannot do that: a handler that sets it in the midst of its `wait` waits for a lock that the
interrupted code holds, for ever. `SimpleQueue.put` may be entered anew (https://docs.python.org/3/library/queue.html).
"""

from __future__ import annotations

import queue
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stopping:
    """Whether a process was told to end."""

    def __init__(self) -> None:
        self._told: queue.SimpleQueue[None] = queue.SimpleQueue()

    @contextmanager
    def by_signals(self) -> Iterator[None]:
        """Take the signals that tell a process to end, for as long as the block lasts."""
        before = {number: signal.signal(number, lambda *_: self._told.put(None)) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def wait(self, seconds: float) -> bool:
        """Wait so long at most to be told to end, or to have been; return whether that was so."""
        try:
            self._told.get(timeout=seconds)
        except queue.Empty:
            return False
        return True
