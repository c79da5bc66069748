"""FixedClock: time that passes only when a test says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)


class FixedClock:
    """Tells the same moment until it is advanced."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def now(self) -> datetime:
        """Return the present moment with its zone."""
        return self._now

    def advance(self, **duration: float) -> datetime:
        """Let time pass (`hours=1`, as for timedelta) and return the new moment. Raises ValueError for going back."""
        step = timedelta(**duration)
        if step < timedelta(0):
            raise ValueError("A clock does not go back; give a positive duration.")
        self._now += step
        return self._now
