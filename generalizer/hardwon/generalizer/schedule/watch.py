"""What may change under a process that stays: the settings, the zone, and the clock itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from hardwon.kernel.local_time import local_zone
from hardwon.kernel.settings import load_settings

JUMP = 5.0
"""Seconds by which clock and passed time may part; a computer that slept, and a clock that was set, exceed it."""


class Watch:
    """Tells whether the plan has to be made anew."""

    def __init__(
        self, home: Path, *, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._home = home
        self._wall, self._steady = wall, steady
        self.line = load_settings(home).schedule.consolidate
        self._zone = str(local_zone())
        self._offset = wall() - steady()

    def changed(self) -> bool:
        """Look again; tell whether something changed since the last look. Raises InvalidInput for broken settings."""
        offset, zone = self._wall() - self._steady(), str(local_zone())
        line = load_settings(self._home).schedule.consolidate
        changed = line != self.line or zone != self._zone or abs(offset - self._offset) > JUMP
        self.line, self._zone, self._offset = line, zone, offset
        return changed
