"""Times are moments with a zone: UTC where none is given, the offset kept where one is."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.clock import aware, parse_time
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import Times

BEYOND = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")
"""Moments that UTC has no year for."""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-11-30", datetime(2026, 11, 30, tzinfo=UTC)),
        ("2026-11-30T09:15", datetime(2026, 11, 30, 9, 15, tzinfo=UTC)),
        ("2026-11-30 09:15:00Z", datetime(2026, 11, 30, 9, 15, tzinfo=UTC)),
        (" 2026-11-30T09:15:00+01:00\n", datetime(2026, 11, 30, 8, 15, tzinfo=UTC)),
        ("20261130T091500Z", datetime(2026, 11, 30, 9, 15, tzinfo=UTC)),
    ],
)
def test_iso_8601_is_read(text: str, wanted: datetime) -> None:
    assert parse_time(text) == wanted


def test_an_offset_is_kept() -> None:
    """The same moment in another zone says something else about the person who wrote it."""
    assert parse_time("2026-11-30T09:15:00+05:30").utcoffset() == timedelta(hours=5, minutes=30)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "30.11.2026", "12", "9" * 500, "2026-02-30", *BEYOND])
def test_what_is_no_date_is_refused_with_the_form_it_should_have(text: str) -> None:
    with pytest.raises(InvalidInput, match="write it as 2026-11-30"):
        parse_time(text)


@given(st.datetimes(timezones=st.none() | st.just(UTC) | st.timezones()))
def test_aware_gives_every_moment_a_zone_and_changes_none(moment: datetime) -> None:
    assert aware(moment).utcoffset() is not None
    assert aware(moment) == (moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def test_a_bare_date_is_its_midnight() -> None:
    assert aware(date(2026, 11, 30)) == aware("2026-11-30") == datetime(2026, 11, 30, tzinfo=UTC)


moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))


@given(moments, moments, moments)
def test_a_time_slice_counts_its_beginning_and_not_its_end(one: datetime, other: datetime, asked: datetime) -> None:
    start, end = sorted([one, other])
    believed = Times(asserted_at=start, retracted_at=end)
    true = Times(asserted_at=start, valid_at=start, valid_until=end)
    assert believed.holds(known_at=asked) == true.holds(as_of=asked) == (start <= asked < end)


def test_what_is_not_asked_sets_no_condition() -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert Times(asserted_at=moment, retracted_at=moment, valid_until=moment).holds()
