"""What grows by itself is cut back by itself; what a person did stays."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases import pruning
from hardwon.kernel.use_cases.pausing import pause, pause_spans, resume
from hardwon.kernel.use_cases.pruning import prune
from hardwon.kernel.use_cases.running.run import run
from hardwon.kernel.use_cases.spooled import TOLD, set_aside, spool_problems
from hardwon.kernel.whole_file import ASIDE
from hardwon.testing.fakes import FixedClock, open_fake_home

BY_THE_MACHINE = ["shown", "consolidate", "embed", "model", "capture"]
BY_PEOPLE = ["feedback", "pause", "resume", "accept", "import", "revert", "something of a plugin"]
BEGIN = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(BEGIN)


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock):
    with open_fake_home(tmp_path / "home", clock=clock) as home:
        yield home


def kinds(home: Home) -> set[str]:
    return {each.kind for each in home.storage.ledger.activity()}


def test_after_thirteen_months_only_what_people_did_is_left(home: Home, clock: FixedClock) -> None:
    home.storage.ledger.append([Activity(kind=kind, at=clock.now()) for kind in [*BY_THE_MACHINE, *BY_PEOPLE]])
    clock.advance(days=395)
    assert prune(home)["activity"] == 0
    clock.advance(days=30)
    assert prune(home)["activity"] == len(BY_THE_MACHINE)
    assert kinds(home) == set(BY_PEOPLE)


def test_a_session_that_kept_something_can_be_taken_back_for_ever(home: Home, clock: FixedClock) -> None:
    home.storage.ledger.append([Activity(kind="capture", at=clock.now(), details={"memories": ["m1"]})])
    clock.advance(days=3000)
    assert prune(home)["activity"] == 0


def test_what_was_said_in_a_pause_is_never_told_later(home: Home, clock: FixedClock) -> None:
    """A transcript may be imported years after."""
    pause(home, None, None, None)
    clock.advance(hours=2)
    resume(home, None, None)
    before = pause_spans(home)
    clock.advance(days=3000)
    prune(home)
    assert pause_spans(home) == before != []


def test_a_setting_says_for_how_long(home: Home, clock: FixedClock) -> None:
    (home.path / "config.toml").write_text("[activity]\nkeep_months = 1\n", encoding="utf-8")
    home.storage.ledger.append([Activity(kind="shown", at=clock.now())])
    clock.advance(days=62)
    assert prune(home)["activity"] == 1


def test_every_run_prunes(home: Home, clock: FixedClock) -> None:
    home.storage.ledger.append([Activity(kind="shown", at=clock.now())])
    clock.advance(days=500)
    run(home, "serve")
    assert kinds(home) == {"consolidate"}


def test_what_cannot_be_read_is_bounded_and_told_in_short(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A harness that sends nonsense with every turn."""
    monkeypatch.setattr(pruning, "MOST_BROKEN", 50)
    names = [spool.put(str(home.path), b"nonsense") for _ in range(120)]
    waiting = spool.waiting(str(home.path))
    assert len(waiting) == len(names)
    set_aside(home.path, [("", name) for name in waiting], "It is no JSON; remove it.")
    problems = spool_problems(home.path, time.time())
    assert len(problems) == TOLD + 1
    assert "100 older ones" in problems[-1].what
    assert prune(home)["broken"] == 2 * 70
    left = sorted(path.name for path in (home.path / "spool" / "broken").glob("*.json"))
    assert left == sorted(waiting)[-50:]


def test_files_that_were_never_put_into_their_place_go(home: Home) -> None:
    """Those of a day ago: one of a moment ago may be at work."""
    leftovers = [home.path / name for name in (".version-abc", ".past-sessions.json.77")]
    for path in [*leftovers, home.path / ".version-now"]:
        path.touch()
    now = home.clock.now().timestamp()
    os.utime(home.path / ".version-now", (now, now))
    assert prune(home)["unfinished"] == len(leftovers)
    assert (home.path / ".version-now").exists()


@pytest.mark.parametrize("folder", ["hook", "activity", "model-answers"])
def test_what_a_killed_process_left_unfinished_goes(home: Home, folder: str) -> None:
    """And not what one that lives is writing."""
    (home.path / folder).mkdir(exist_ok=True)
    dead, living = (home.path / folder / f"{ASIDE}{process}-1" for process in (2**22 + 1, os.getpid()))
    for path in (dead, living):
        path.touch()
    prune(home)
    assert (dead.exists(), living.exists()) == (False, True)


def test_a_file_that_cannot_be_removed_stops_no_run(home: Home, clock: FixedClock) -> None:
    (home.path / ".version-folder").mkdir()
    clock.advance(days=30)
    assert prune(home)["unfinished"] == 0
    assert (home.path / ".version-folder").is_dir()
