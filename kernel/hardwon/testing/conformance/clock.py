"""ClockConformance: moments with a zone that do not go back."""

from __future__ import annotations

import pytest

from hardwon.kernel.ports import Clock


class ClockConformance:
    """What every Clock promises. Give the fixture `clock`."""

    @pytest.fixture
    def clock(self) -> Clock:
        """Return the clock; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `clock`.")

    def test_a_moment_has_its_zone(self, clock: Clock) -> None:
        """A naive time could be any of two dozen moments."""
        assert clock.now().utcoffset() is not None

    def test_time_does_not_go_back(self, clock: Clock) -> None:
        """Between two calls."""
        first = clock.now()
        assert clock.now() >= first
