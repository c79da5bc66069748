"""When a crontab line comes: as cron has it, in local time, through every jump of the clocks, and never in a loop."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardwon.kernel.crontab import parse_crontab
from hardwon.kernel.errors import InvalidInput

BERLIN = ZoneInfo("Europe/Berlin")
SHANGHAI = ZoneInfo("Asia/Shanghai")
ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "UTC")]


def at(text: str, zone: ZoneInfo = BERLIN, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


def coming(line: str, after: datetime, number: int, zone: ZoneInfo = BERLIN) -> list[str]:
    """Return the next times with their offsets."""
    found = []
    for _ in range(number):
        moment = parse_crontab(line).next_after(after, zone)
        assert moment is not None
        found.append(moment.strftime("%a %m-%d %H:%M%z"))
        after = moment
    return found


def test_every_night_at_half_past_three() -> None:
    assert coming("30 3 * * *", at("2026-11-30 03:30"), 2) == ["Tue 12-01 03:30+0100", "Wed 12-02 03:30+0100"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0 8 * * 0", ["Sun 12-06 08:00+0100", "Sun 12-13 08:00+0100"]),
        ("0 8 * * 7", ["Sun 12-06 08:00+0100", "Sun 12-13 08:00+0100"]),
        ("0 8 * * mon-fri", ["Mon 11-30 08:00+0100", "Tue 12-01 08:00+0100"]),
        ("0 8 1 * fri", ["Tue 12-01 08:00+0100", "Fri 12-04 08:00+0100"]),
        ("0 8 */2 * fri", ["Fri 12-11 08:00+0100", "Fri 12-25 08:00+0100"]),
        ("*/30 22-23 * * *", ["Mon 11-30 22:00+0100", "Mon 11-30 22:30+0100"]),
        ("@weekly", ["Sun 12-06 00:00+0100", "Sun 12-13 00:00+0100"]),
        ("0 0 29 FEB *", ["Tue 02-29 00:00+0100", "Sun 02-29 00:00+0100"]),
    ],
)
def test_fields_are_those_of_cron(line: str, expected: list[str]) -> None:
    """Sunday is 0 and 7; where both days are limited, one suffices; a day with a star limits the other."""
    assert coming(line, at("2026-11-30 04:00"), 2) == expected


def test_a_time_that_does_not_exist_is_the_moment_of_the_jump() -> None:
    """02:30 on the night in March: at 03:00, once, as cron makes up for it."""
    assert coming("30 2 * * *", at("2026-03-28 12:00"), 2) == ["Sun 03-29 03:00+0200", "Mon 03-30 02:30+0200"]
    assert coming("*/5 2 * * *", at("2026-03-28 12:00"), 2) == ["Sun 03-29 03:00+0200", "Mon 03-30 02:00+0200"]


def test_a_time_that_comes_twice_counts_once() -> None:
    """02:30 on the night in October: at first, in summer time."""
    assert coming("30 2 * * *", at("2026-10-24 12:00"), 2) == ["Sun 10-25 02:30+0200", "Mon 10-26 02:30+0100"]
    between = at("2026-10-25 02:10", fold=1)
    assert coming("30 2 * * *", between, 1) == ["Mon 10-26 02:30+0100"]
    assert parse_crontab("30 2 * * *").last_until(between, BERLIN) == at("2026-10-25 02:30")


def test_a_line_for_every_hour_follows_the_hours_that_pass() -> None:
    autumn = coming("30 * * * *", at("2026-10-25 01:00"), 4)
    assert [each[-10:] for each in autumn] == ["01:30+0200", "02:30+0200", "02:30+0100", "03:30+0100"]
    spring = coming("30 * * * *", at("2026-03-29 01:00"), 3)
    assert [each[-10:] for each in spring] == ["01:30+0100", "03:30+0200", "04:30+0200"]


def test_one_line_means_each_zones_own_time() -> None:
    moment = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    assert parse_crontab("30 3 * * *").next_after(moment, SHANGHAI) == at("2026-12-01 03:30", SHANGHAI)
    assert parse_crontab("30 3 * * *").next_after(moment, BERLIN) == at("2026-12-01 03:30")


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2037, 1, 1)),
    st.sampled_from(ZONES),
    st.sampled_from(["30 2 * * *", "0 0 * * *", "*/20 * * * *", "30 1 * * 0", "15 23 31 * *", "59 23 * 3,10 sun"]),
)
@example(datetime(2008, 10, 4), ZoneInfo("Australia/Lord_Howe"), "30 2 * * *")  # from two to half past at once
def test_times_only_go_forward_and_lie_where_they_are_looked_for(moment: datetime, zone: ZoneInfo, line: str) -> None:
    """Whatever the zone does: the next time is later, the last is not, and nothing lies between them."""
    now = moment.replace(tzinfo=UTC)
    crontab = parse_crontab(line)
    following, last = crontab.next_after(now, zone), crontab.last_until(now, zone)
    assert following is not None
    assert last is not None
    assert last <= now < following
    assert crontab.next_after(last, zone) == following
    assert crontab.last_until(following, zone) == following
    # Within one zone Python counts by what the clocks show, which may be a time that they leave out.
    assert crontab.last_until(following.astimezone(UTC) - timedelta(seconds=1), zone) == last


@pytest.mark.parametrize("line", ["0 0 30 2 *", "0 0 31 4,6,9,11 *"])
def test_a_day_that_never_comes_has_no_time(line: str) -> None:
    assert parse_crontab(line).next_after(at("2026-11-30 04:00"), BERLIN) is None
    assert parse_crontab(line).last_until(at("2026-11-30 04:00"), BERLIN) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "0 fields"),
        ("30 3 * *", "4 fields"),
        ("60 3 * * *", "minute “60”"),
        ("30 24 * * *", "hour “24”"),
        ("30 3 0 * *", "day of the month “0”"),
        ("30 3 * 13 *", "month “13”"),
        ("30 3 * * 8", "day of the week “8”"),
        ("5-1 3 * * *", "minute “5-1”"),
        ("*/0 3 * * *", "minute “\\*/0”"),
        ("5/2 3 * * *", "minute “5/2”"),
        ("½ 3 * * *", "“½” is no number"),
        ("30 three * * *", "“three” is no number"),
    ],
)
def test_a_wrong_line_is_told_by_its_field(line: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        parse_crontab(line)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(line: str) -> None:
    try:
        parse_crontab(line)
    except InvalidInput:
        return
