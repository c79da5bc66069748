"""The writers' lock of a home: one process writes at a time, and within it one thread.

It ends with the process that holds it (`hardwon.kernel.file_lock`), so a killed writer blocks nobody. The lock may be
taken again by the thread that has it. It is never held across a model call.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardwon.kernel import file_lock
from hardwon.kernel.errors import StoreBusy, StoreError

PATIENCE = 15.0
"""Seconds that a writer waits for another one."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05


class WritersLock:
    """The lock over the file `lock` of a home."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread_lock = threading.RLock()
        self._depth = 0
        self._descriptor = -1

    @contextmanager
    def held(self, patience: float = PATIENCE) -> Iterator[None]:
        """Hold the lock, waiting `patience` seconds for it. Raises StoreBusy."""
        if not self._thread_lock.acquire(timeout=patience):
            raise StoreBusy(self._busy(patience))
        try:
            if self._depth == 0:
                self._take(patience)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._leave()
        finally:
            self._thread_lock.release()

    def _take(self, patience: float) -> None:
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be opened ({error.strerror}); permit writing there.") from None
        try:
            self._wait(descriptor, time.monotonic() + patience, patience)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

    def _wait(self, descriptor: int, until: float, patience: float) -> None:
        pause = _FIRST_PAUSE
        while not file_lock.take(descriptor, self._path):
            if time.monotonic() >= until:
                raise StoreBusy(self._busy(patience))
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _leave(self) -> None:
        file_lock.leave(self._descriptor, self._path)
        os.close(self._descriptor)
        self._descriptor = -1

    def _busy(self, patience: float) -> str:
        return f"Another hardwon has been writing to {self._path.parent} for {patience:.0f} s; try again in a moment."
