"""What `status` and `doctor` say of the schedule: the last run, the last try, who is at it, and who makes the next."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.doctor import examine
from hardwon.kernel.use_cases.pausing import pause
from hardwon.kernel.use_cases.running.due import LOCK_FILE, plan_of
from hardwon.kernel.use_cases.running.holder import Holder, current_holder, note
from hardwon.kernel.use_cases.running.run import run
from hardwon.kernel.use_cases.running.standing import SERVE_LOCK, ScheduleStatus, schedule_problems, schedule_status
from hardwon.kernel.use_cases.running.wording import schedule_lines, why_none
from hardwon.kernel.use_cases.setup import wire
from hardwon.kernel.use_cases.status import home_status
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeHarness, FakeTimer, FixedClock

from .conftest import Breaking, Holding


def status(home: Home) -> ScheduleStatus:
    found = home_status(home, home.path).schedule
    assert found is not None
    return found


def lines(home: Home) -> str:
    return "\n".join(schedule_lines(status(home)))


def test_before_the_first_run_it_says_that_there_was_none(home: Home) -> None:
    assert lines(home).startswith("Last run: none yet\nNext run: due since 2026-01-01 03:30, by nobody")


def test_the_last_run_is_told_with_what_it_read_and_proposed_and_how_long_it_took(home: Home) -> None:
    run(home, "serve")
    told = "Last run: 2026-01-01 09:00 (by `hardwon serve`), 0.0 s: read 4 lessons of 4 projects; proposed 1, "
    assert lines(home).startswith(told)
    assert "Next run: 2026-01-02 03:30" in lines(home)
    data = json.loads(json.dumps(vars(status(home).last), default=str))
    assert (data["outcome"], data["by"], data["counts"]["added"]) == ("done", "serve", 1)


def test_a_run_that_found_nothing_says_so(home: Home) -> None:
    run(home, "serve")
    run(home, "session")
    assert status(home).found_nothing
    assert "(after a session), 0.0 s: read 4 lessons of 4 projects; found nothing new" in lines(home)


def test_what_was_spent_and_skipped_is_told(home: Home, clock: FixedClock) -> None:
    details = {"began": clock.now().isoformat(), "seconds": 61.25, "by": "schedule", "outcome": "done", "lessons": 2000}
    details |= {
        "corroborated": 7,
        "examined": 9,
        "kept_out": 30,
        "model_calls": 2,
        "model_tokens": 4100,
        "model_dollars": 0.0123,
        "refreshed": 1,
    }
    home.storage.ledger.append([Activity(kind="consolidate", at=clock.now(), details=details)])
    told = "(scheduled), 61.2 s: read 2,000 lessons, skipped 30 lessons; proposed 0, brought 1 up to date, withdrew 0, "
    assert told + "corroborated 7; 2 calls of the model, 4,100 tokens, $0.0123" in lines(home)


def test_a_try_that_failed_is_told_beside_the_last_run_until_one_counts(
    home: Home, generalizer: Breaking, clock: FixedClock
) -> None:
    run(home, "serve")
    clock.advance(days=1)
    generalizer.error = StoreError("The disk is full; make room.")
    home.storage.memories.update(next(home.storage.memories.scan(_all())).id, {"content": "Another one."})
    with pytest.raises(StoreError):
        run(home, "session")
    assert "Last run: 2026-01-01 09:00" in lines(home)
    assert "Last try: 2026-01-02 09:00 (after a session), 0.0 s: FAILED. The disk is full; make room." in lines(home)
    [problem] = schedule_problems(home, status(home))
    assert "The disk is full" in problem.what
    generalizer.error = None
    run(home, "session")
    assert "Last try" not in lines(home)


def _all():
    from hardwon.kernel.query import Filter

    return Filter(statuses=None)


def test_a_try_that_was_killed_is_told(home: Home) -> None:
    note(home.path / LOCK_FILE, Holder("serve", 1, home.clock.now(), failures=3))
    assert "Last try: begun 2026-01-01 09:00, and ended from outside; the next run goes on" in lines(home)
    assert "tried again from 2026-01-01 09:20" in lines(home)


def test_who_is_at_it_now_is_told(home: Home, holding: Holding) -> None:
    other = holding(home.path / LOCK_FILE)
    assert f"Now: A run after a session (process {other.pid}) is at it since 20" in lines(home)


def test_a_pause_is_told(home: Home) -> None:
    pause(home, timedelta(hours=1), None, None)
    assert "Next run: when the pause ends" in lines(home)


@pytest.mark.parametrize(
    ("line", "told"), [("", "only by hand (`schedule.consolidate` is empty)"), ("0 0 30 2 *", "never: the line")]
)
def test_a_schedule_without_times_says_so(home: Home, line: str, told: str) -> None:
    (home.path / "config.toml").write_text(f'[schedule]\nconsolidate = "{line}"\n', encoding="utf-8")
    assert f"Next run: {told}" in lines(home)


def serving(home: Home, holding: Holding) -> None:
    holding(home.path / SERVE_LOCK)


def by_cron(home: Home, _: Holding) -> None:
    timer = FakeTimer()
    timer.install(home.path, "30 3 * * *")
    home.registry.offer("timers", "cron", lambda: timer, "test")


def wired(home: Home, _: Holding) -> None:
    folder = home.path.parent / "harness"
    folder.mkdir()
    home.registry.offer("harnesses", "fake", FakeHarness(folder), "test")
    wire(home, "fake")


@pytest.mark.parametrize(
    ("make", "maker"),
    [(serving, "serve"), (by_cron, "cron"), (wired, "after a session"), (lambda *_: None, "nobody")],
    ids=["serve", "cron", "session", "nobody"],
)
def test_who_would_make_the_next_run(
    home: Home, holding: Holding, make: Callable[[Home, Holding], None], maker: str
) -> None:
    make(home, holding)
    assert status(home).made_by == maker
    assert maker in lines(home)


def test_sessions_make_no_run_where_the_setting_says_so(home: Home, holding: Holding) -> None:
    wired(home, holding)
    (home.path / "config.toml").write_text("[schedule]\nafter_session = false\n", encoding="utf-8")
    assert status(home).made_by == "nobody"


def test_doctor_shows_the_last_and_the_next_run(home: Home, clock: FixedClock) -> None:
    run(home, "command")
    [check] = [each for each in examine(home) if each.name == "runs are made when they are due"]
    assert check.problems == []
    assert [line.partition(":")[0] for line in check.told] == ["Last run", "Next run"]


def test_a_run_that_nobody_makes_is_a_problem_after_two_days(home: Home, clock: FixedClock) -> None:
    run(home, "command")
    clock.advance(days=1)
    home.storage.memories.put([memory("A new one.", "mail", clock.now())])
    clock.advance(days=1)
    assert schedule_problems(home, schedule_status(home, [])) == []
    clock.advance(days=2)
    [problem] = schedule_problems(home, schedule_status(home, []))
    assert "`hardwon schedule install` or `hardwon serve` has runs made" in problem.what


def test_a_run_that_nobody_makes_is_no_problem_where_nothing_was_learned(home: Home, clock: FixedClock) -> None:
    clock.advance(days=120)  # the lessons of the home are of March
    run(home, "command")
    clock.advance(days=40)
    assert schedule_problems(home, schedule_status(home, [])) == []


def test_a_run_that_waits_for_a_session_is_no_problem(home: Home, clock: FixedClock, holding: Holding) -> None:
    """People have holidays."""
    wired(home, holding)
    clock.advance(days=40)
    assert status(home).made_by == "after a session"
    assert schedule_problems(home, status(home)) == []


def test_a_memory_that_is_not_there_has_no_schedule(tmp_path: Path) -> None:
    with Home(tmp_path / "none") as home:
        assert home_status(home, tmp_path).schedule is None


def test_who_asked_for_a_run_that_is_due_is_told_why_none_was_made(home: Home, holding: Holding) -> None:
    """Not due, paused, resting after tries that failed, or another one is at it."""
    lock = home.path / LOCK_FILE
    note(lock, Holder("serve", 1, home.clock.now(), failures=3))
    assert why_none(plan_of(home), None).startswith("Tries that did not come to their end rest until 2026-01-01 09:20;")
    pause(home, timedelta(hours=1), None, None)
    assert why_none(plan_of(home), None).startswith("A pause holds; the next is planned for 2026-01-02 03:30.")
    run(home, "command")
    assert why_none(plan_of(home), None).startswith("No run is due;")
    other = holding(lock)
    assert f"(process {other.pid}) is at it" in why_none(plan_of(home), current_holder(lock))


def test_what_was_only_looked_at_is_nothing_found(home: Home, clock: FixedClock) -> None:
    details = {"began": clock.now().isoformat(), "outcome": "done", "lessons": 9, "examined": 6, "added": 0}
    home.storage.ledger.append([Activity(kind="consolidate", at=clock.now(), details=details)])
    assert status(home).found_nothing
