"""How long the hook program may take: what runs long in C, where no signal arrives, asks this between its steps."""

from __future__ import annotations

import time


class Deadline:
    """A moment at which this process ends with exit code 0, having printed nothing more."""

    def __init__(self, begun: float, seconds: float) -> None:
        """Let the process end so many seconds after `begun`, a moment of `time.monotonic`."""
        import _signal  # type: ignore[import-not-found]  # `signal` itself imports enum

        self._end = begun + seconds
        _signal.setitimer(_signal.ITIMER_REAL, max(0.001, self.left))

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return self._end - time.monotonic()
