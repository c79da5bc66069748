"""When a run is due, through failures, pauses, and clocks that jump: made once, never in a loop, never given up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from hardwon.kernel.errors import InvalidInput, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.settings import load_settings
from hardwon.kernel.use_cases.pausing import pause, resume
from hardwon.kernel.use_cases.running.due import FUTURE, LOCK_FILE, LONGEST_REST, plan_of
from hardwon.kernel.use_cases.running.holder import Holder, note
from hardwon.kernel.use_cases.running.records import runs
from hardwon.kernel.use_cases.running.run import run, run_if_due

from .conftest import Breaking


class SetClock:
    """A clock that is set: people, NTP and a dead battery do so."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        self._now = now


NIGHT = datetime(2026, 1, 5, 4, 0, tzinfo=UTC)
"""Half an hour after a planned time."""


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NIGHT)


def set_line(home: Home, line: str) -> None:
    (home.path / "config.toml").write_text(f'[schedule]\nconsolidate = "{line}"\n', encoding="utf-8")
    home.__dict__.pop("settings", None)


def test_a_planned_time_is_one_run_whoever_asks(home: Home, clock: SetClock) -> None:
    assert [bool(run_if_due(home, by)) for by in ("serve", "schedule", "session")] == [True, False, False]
    clock.set(NIGHT + timedelta(days=1))
    assert run_if_due(home, "session")
    assert len(runs(home)) == 2


def test_nights_that_were_missed_are_one_run(home: Home, clock: SetClock) -> None:
    """Three nights in a bag."""
    run(home, "serve")
    clock.set(NIGHT + timedelta(days=3, hours=5))
    assert plan_of(home).is_due
    assert run_if_due(home, "session")
    assert not plan_of(home).is_due


def test_a_run_by_hand_counts(home: Home) -> None:
    run(home, "command")
    assert run_if_due(home, "schedule") is None


def test_no_line_is_no_run(home: Home) -> None:
    set_line(home, "")
    plan = plan_of(home)
    assert (plan.is_due, plan.following) == (False, None)


def test_a_day_that_never_comes_is_no_run(home: Home) -> None:
    set_line(home, "0 0 30 2 *")
    plan = plan_of(home)
    assert (plan.is_due, plan.following) == (False, None)


def test_a_wrong_line_is_a_wrong_setting(home: Home) -> None:
    set_line(home, "61 3 * * *")
    with pytest.raises(InvalidInput, match=r"schedule\.consolidate is wrong.*minute “61”"):
        load_settings(home.path)


def test_a_pause_everywhere_holds_back_what_nobody_asked_for(home: Home) -> None:
    """A pause of one project does not; a run by hand is asked for."""
    pause(home, None, None, "shop")
    assert plan_of(home).may_start
    pause(home, timedelta(hours=2), None, None)
    assert plan_of(home).paused
    assert run_if_due(home, "session") is None
    resume(home, None, None)
    assert run_if_due(home, "session")


def test_a_try_that_failed_is_made_again_and_then_rests_longer_each_time(
    home: Home, clock: SetClock, generalizer: Breaking
) -> None:
    """A night of tries, one a minute, is a handful; the next day it is still tried."""
    generalizer.error = StoreError("The disk is full; make room.")
    tries = []
    for minute in range(24 * 60):
        clock.set(NIGHT + timedelta(minutes=minute))
        if plan_of(home).may_start:
            tries.append(minute)
            with pytest.raises(StoreError):
                run_if_due(home, "serve")
    assert tries[:4] == [0, 1, 6, 16]
    assert len(tries) < 14
    rests = [later - earlier for earlier, later in pairwise(tries)]
    assert max(rests) <= LONGEST_REST.total_seconds() / 60
    generalizer.error = None
    clock.set(NIGHT + timedelta(days=2))
    assert run_if_due(home, "serve")


def test_a_try_that_was_killed_is_made_again_at_once_and_then_rests(home: Home, clock: SetClock) -> None:
    note(home.path / LOCK_FILE, Holder("serve", 1, NIGHT))
    assert plan_of(home).may_start
    note(home.path / LOCK_FILE, Holder("serve", 1, NIGHT, failures=1))
    assert plan_of(home).rests_until == NIGHT + timedelta(minutes=5)
    clock.set(NIGHT + timedelta(minutes=5))
    assert plan_of(home).may_start


def test_an_hour_back_makes_no_second_run(home: Home, clock: SetClock) -> None:
    """NTP sets the clock to before the planned time, which then comes again."""
    assert run_if_due(home, "serve")
    clock.set(NIGHT - timedelta(hours=1))
    made = 0
    for minute in range(180):
        clock.set(NIGHT - timedelta(hours=1) + timedelta(minutes=minute))
        made += bool(run_if_due(home, "serve"))
    assert made == 0
    clock.set(NIGHT + timedelta(days=1))
    assert run_if_due(home, "serve")


def test_a_year_ahead_by_mistake_stops_nothing(home: Home, clock: SetClock) -> None:
    """The battery was dead: the run of the wrong year does not count once the clock is right, and one is made."""
    clock.set(NIGHT + timedelta(days=365))
    assert run_if_due(home, "serve")
    clock.set(NIGHT)
    assert run_if_due(home, "serve")
    assert run_if_due(home, "serve") is None
    clock.set(NIGHT + FUTURE + timedelta(minutes=1))
    assert run_if_due(home, "serve")


def test_a_rest_that_began_in_the_future_is_over(home: Home) -> None:
    note(home.path / LOCK_FILE, Holder("serve", 1, NIGHT + timedelta(days=400), failures=9))
    assert plan_of(home).may_start


@pytest.mark.parametrize("hours", [-11, 0, 8, 14])
def test_the_zone_of_now_decides(home: Home, clock: SetClock, monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
    """After a flight, half past three is that of where one is; the run of before still counts until then."""
    run(home, "serve")
    monkeypatch.setenv("TZ", f"Etc/GMT{-hours:+d}")
    plan = plan_of(home)
    assert plan.following is not None
    assert (plan.following.hour, plan.following.minute) == (3, 30)
    assert plan.following.utcoffset() == timedelta(hours=hours)
    assert not plan.is_due


def test_going_around_the_world_makes_a_run_a_planned_time_and_no_loop(
    home: Home, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hour another zone, for ten days: no more runs than planned times passed, and some."""
    made = 0
    for hour in range(240):
        monkeypatch.setenv("TZ", f"Etc/GMT{(hour % 24) - 12:+d}")
        clock.set(NIGHT + timedelta(hours=hour))
        made += bool(run_if_due(home, "serve"))
        assert run_if_due(home, "serve") is None
    assert 5 <= made <= 25


@pytest.mark.parametrize(("zone", "line"), [("Europe/Berlin", "30 2 * * *"), ("America/New_York", "30 1 * * *")])
def test_a_year_of_nights_has_a_run_each_through_both_changes_of_the_clocks(
    home: Home, clock: SetClock, monkeypatch: pytest.MonkeyPatch, zone: str, line: str
) -> None:
    """02:30 does not exist on one night, 01:30 comes twice on another: one run a day all the same."""
    monkeypatch.setenv("TZ", zone)
    set_line(home, line)
    for start in (
        datetime(2026, 3, 6, 12, tzinfo=UTC),
        datetime(2026, 3, 27, 12, tzinfo=UTC),
        datetime(2026, 10, 23, 12, tzinfo=UTC),
        datetime(2026, 10, 30, 12, tzinfo=UTC),
    ):
        clock.set(start)
        run(home, "command")
        made = 0
        for quarter in range(4 * 24 * 4):
            clock.set(start + timedelta(minutes=15 * quarter))
            made += bool(run_if_due(home, "serve"))
        assert made == 4


def test_a_home_that_was_just_made_missed_nothing(home: Home, clock: SetClock) -> None:
    """Its first run is at the first planned time that comes."""
    made = datetime.fromtimestamp((home.path / "version").stat().st_mtime, UTC)
    clock.set(made + timedelta(seconds=1))
    assert not plan_of(home).is_due
    clock.set(made + timedelta(days=1, minutes=1))
    assert plan_of(home).is_due
