"""The scheduler of `serve`: one job for the run however often it is started, and a plan that follows what changes."""

from __future__ import annotations

import pickle
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.generalizer.schedule import jobs
from hardwon.generalizer.schedule.scheduler import FILE, RUN, plan_runs, start_scheduler
from hardwon.generalizer.schedule.trigger import CrontabTrigger
from hardwon.generalizer.schedule.watch import Watch

NEVER = "0 0 30 2 *"
NIGHTLY = "30 3 * * *"
NOW = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the jobs that look after the home at once do nothing."""
    for name in ("look_after", "tidy"):
        monkeypatch.setattr(jobs, name, _nothing)


def _nothing(_home: str) -> None: ...


@contextmanager
def started(home: Path, line: str = NIGHTLY) -> Iterator[Any]:
    scheduler = start_scheduler(home, line)
    try:
        yield scheduler
    finally:
        scheduler.shutdown()


def planned(scheduler: Any) -> list[tuple[str, str]]:
    return [(job.id, job.trigger.line) for job in scheduler.get_jobs("default")]


def test_five_starts_leave_one_job(tmp_path: Path) -> None:
    """And what was planned stays planned: a time that passed in between is made up for."""
    times = []
    for _ in range(5):
        with started(tmp_path) as scheduler:
            assert planned(scheduler) == [(RUN, NIGHTLY)]
            times.append(scheduler.get_job(RUN).next_run_time)
    assert len(set(times)) == 1


def test_a_time_that_passed_while_nobody_served_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    with started(tmp_path) as scheduler:
        job, store = scheduler.get_job(RUN), scheduler._lookup_jobstore("default")
    job._modify(next_run_time=datetime.now(UTC) - timedelta(days=3, hours=7))
    store.update_job(job)
    monkeypatch.setattr(jobs, "make_run", made.append)
    with started(tmp_path) as scheduler:
        until = time.monotonic() + 30
        while not made and time.monotonic() < until:
            time.sleep(0.01)
        assert scheduler.get_job(RUN).next_run_time > datetime.now(UTC)
    assert made == [str(tmp_path)]


def test_other_times_take_the_place_of_the_first(tmp_path: Path) -> None:
    with started(tmp_path) as scheduler:
        plan_runs(scheduler, tmp_path, "0 5 * * *")
        assert planned(scheduler) == [(RUN, "0 5 * * *")]
        plan_runs(scheduler, tmp_path, "")
        assert planned(scheduler) == []
    with started(tmp_path, "0 6 * * *") as scheduler:
        assert planned(scheduler) == [(RUN, "0 6 * * *")]


def test_jobs_that_nobody_knows_are_removed(tmp_path: Path) -> None:
    """Of a version that called them otherwise: they would run beside ours."""
    with started(tmp_path) as scheduler:
        scheduler.add_job(jobs.make_run, CrontabTrigger(NIGHTLY), ["x"], id="nightly-1")
    with started(tmp_path) as scheduler:
        assert planned(scheduler) == [(RUN, NIGHTLY)]


def test_a_home_that_was_moved_is_served_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    with started(tmp_path / "here"):
        pass
    (tmp_path / "here").rename(tmp_path / "there")
    with started(tmp_path / "there") as scheduler:
        assert scheduler.get_job(RUN).args == (str(tmp_path / "there"),)


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough to be one" * 99, b"SQLite format 3\0" + b"\xff" * 9999]
)
def test_a_store_that_cannot_be_read_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with started(tmp_path) as scheduler:
        assert planned(scheduler) == [(RUN, NIGHTLY)]


def test_the_store_is_its_owners_alone(tmp_path: Path) -> None:
    with started(tmp_path):
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob(f"{FILE}*")} == {0o600}


def test_a_line_that_never_comes_plans_nothing(tmp_path: Path) -> None:
    with started(tmp_path, NEVER) as scheduler:
        assert scheduler.get_job(RUN).next_run_time is None
    with started(tmp_path, NIGHTLY) as scheduler:
        assert scheduler.get_job(RUN).next_run_time is not None


def test_nights_that_were_slept_through_are_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a line for every minute: what was missed in three nights is neither made nor counted one by one."""
    monkeypatch.setenv("TZ", "UTC")
    trigger = CrontabTrigger("* * * * *")
    first = trigger.get_next_fire_time(None, NOW)
    assert first == NOW + timedelta(minutes=1)
    later = NOW + timedelta(days=3, seconds=30)
    assert trigger.get_next_fire_time(first, later) == NOW + timedelta(days=3)
    assert trigger.get_next_fire_time(NOW + timedelta(days=3), later) == NOW + timedelta(days=3, minutes=1)


def test_a_clock_that_went_back_plans_no_time_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    trigger = CrontabTrigger("30 * * * *")
    assert trigger.get_next_fire_time(NOW + timedelta(minutes=30), NOW - timedelta(hours=1)) == NOW + timedelta(
        minutes=90
    )


def test_the_trigger_follows_the_zone_and_its_changes_of_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    trigger = pickle.loads(pickle.dumps(CrontabTrigger("30 2 * * *")))
    assert trigger.get_next_fire_time(None, NOW) == datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert trigger.get_next_fire_time(None, NOW) == datetime(2026, 3, 28, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize("jump", [-3600, 3600, 3 * 86_400, -86_400 * 365])
def test_a_clock_that_was_set_is_seen_once(tmp_path: Path, jump: int) -> None:
    """NTP, a sleep, a dead battery; a clock that only runs is not."""
    now = {"wall": 1_000_000_000.0, "steady": 50.0}
    watch = Watch(tmp_path, wall=lambda: now["wall"], steady=lambda: now["steady"])
    seen = []
    for second in range(100):
        now["wall"] += 1.001 + (jump if second == 50 else 0)
        now["steady"] += 1.0
        seen.append(watch.changed())
    assert [second for second, changed in enumerate(seen) if changed] == [50]


def test_changed_settings_and_zones_are_seen_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(tmp_path)
    assert not watch.changed()
    (tmp_path / "config.toml").write_text('[schedule]\nconsolidate = "0 5 * * *"\n', encoding="utf-8")
    assert [watch.changed(), watch.changed()] == [True, False]
    assert watch.line == "0 5 * * *"
    monkeypatch.setenv("TZ", "Pacific/Apia")
    assert [watch.changed(), watch.changed()] == [True, False]
