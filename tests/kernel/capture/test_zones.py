"""Times of what was captured do not depend on where it is captured: UTC inside, in order, through a repeated hour."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.capture import capture
from hardwon.testing.fakes import FixedClock

from .conftest import Begin, everything

FIRST = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
"""01:30 in New York, which comes again an hour later."""


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(FIRST)


@pytest.fixture(params=["America/New_York", "America/Los_Angeles", "Asia/Tokyo", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Put this process into a zone, as the C library sees it too."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()


def test_what_was_captured_when_the_clocks_went_back_is_in_order(
    home: Home, session: Begin, clock: FixedClock, zone: str
) -> None:
    for name in ("s-1", "s-2"):
        teaching = session(name)
        teaching.says(f"user: Remember: Pin {name}.")
        teaching.stops("session-end")
        capture(home)
        clock.advance(hours=1)
    kept = sorted(everything(home), key=lambda entry: entry.times.asserted_at)
    assert [(entry.content, entry.times.asserted_at) for entry in kept] == [
        ("Pin s-1.", FIRST),
        ("Pin s-2.", FIRST + timedelta(hours=1)),
    ]
    assert {entry.times.asserted_at.utcoffset() for entry in kept} == {timedelta(0)}
    told = [each.at for each in home.storage.ledger.activity("capture")]
    assert told == [FIRST, FIRST + timedelta(hours=1)]
