"""How long the hook program may take: what runs long in C, where no signal arrives, asks this between its steps."""

from __future__ import annotations

import time


class Deadline:
    """A moment at which this process ends with exit code 0, having printed nothing more."""

    def __init__(self, seconds: float) -> None:
        """Let the process end so many seconds from now."""
        self._seconds = seconds
        self.renew()

    def renew(self) -> None:
        """Begin to count anew."""
        import _signal  # type: ignore[import-not-found]  # `signal` itself imports enum

        self._end = time.monotonic() + self._seconds
        _signal.setitimer(_signal.ITIMER_REAL, max(0.001, self._seconds))

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return self._end - time.monotonic()
