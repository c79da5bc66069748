"""A due run after a session: started where nothing else makes it, once, and never where the user said no."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel import background
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import capture_process
from hardwon.kernel.use_cases.pausing import pause
from hardwon.kernel.use_cases.running import due_process
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.kernel.use_cases.running.due_process import start_due_run, watch
from hardwon.kernel.use_cases.running.records import runs
from hardwon.kernel.use_cases.running.run import run
from hardwon.kernel.use_cases.running.standing import SERVE_LOCK

from .conftest import Holding


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Return what is started in the background, which the environment allows."""
    found: list[tuple[object, ...]] = []
    monkeypatch.delenv(background.OFF_VARIABLE, raising=False)
    monkeypatch.setattr(background, "start", lambda *given: found.append(given) or True)
    return found


def settings(home: Home, text: str) -> None:
    (home.path / "config.toml").write_text(text, encoding="utf-8")
    home.__dict__.pop("settings", None)


def test_it_is_started_when_a_worker_that_took_a_session_ends(home: Home, starts: list[tuple[object, ...]]) -> None:
    """Once for a planned time: the next worker finds that it was made."""
    capture_process.serve(home)
    assert (due_process.__name__, home.path) in starts
    run(home, "session")
    starts.clear()
    capture_process.serve(home)
    assert starts == []


Change = Callable[[Home], object]


@pytest.mark.parametrize(
    "change",
    [
        lambda home: settings(home, "[schedule]\nafter_session = false\n"),
        lambda home: settings(home, '[schedule]\nconsolidate = ""\n'),
        lambda home: pause(home, timedelta(hours=1), None, None),
        lambda home: run(home, "command"),
    ],
    ids=["not after sessions", "no schedule", "paused", "made already"],
)
def test_it_is_not_started_where_it_is_not_wanted(home: Home, starts: list[tuple[object, ...]], change: Change) -> None:
    assert start_due_run(home)
    starts.clear()
    change(home)
    assert not start_due_run(home)
    assert starts == []


@pytest.mark.parametrize("lock", [SERVE_LOCK, LOCK_FILE])
def test_it_is_not_started_where_another_makes_the_run(
    home: Home, starts: list[tuple[object, ...]], holding: Holding, lock: str
) -> None:
    holding(home.path / lock)
    assert not start_due_run(home)
    assert starts == []


def test_the_environment_turns_it_off(
    home: Home, starts: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(background.OFF_VARIABLE, "1")
    assert not start_due_run(home)
    assert starts == []


def made_yesterday(path: Path) -> None:
    """Make a home that was there before the last planned time, and embeds nothing."""
    with Home(path) as home:
        home.create()
        (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    before = time.time() - 2 * 86_400
    os.utime(path / "version", (before, before))


def test_many_that_start_it_at_once_make_one_run(tmp_path: Path) -> None:
    """Six sessions that end together, cron and `serve` among them."""
    path = tmp_path / "home"
    made_yesterday(path)
    command = [sys.executable, "-P", "-m", due_process.__name__, str(path), "session"]
    processes = [subprocess.Popen(command) for _ in range(6)]
    assert [process.wait(timeout=120) for process in processes] == [0] * 6
    with Home(path) as home:
        assert len(runs(home)) == 1


def test_a_process_that_hangs_is_ended() -> None:
    """Else it would hold the lock for ever."""
    code = (
        f"import os, time\nfrom {due_process.__name__} import _end_all, watch\n"
        "os.setsid()\nwatch(0.2, _end_all)\ntime.sleep(100)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == -9


def test_a_process_that_ends_in_time_is_not_held_up_by_its_watch() -> None:
    watch(3600, lambda: None)
    code = f"from {due_process.__name__} import watch\nwatch(3600, lambda: None)\n"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_the_worker_that_hooks_start_leads_to_a_run(tmp_path: Path) -> None:
    """As real processes, detached, of which none is left: the worker ends first, the run goes on by itself."""
    path = tmp_path / "home"
    made_yesterday(path)
    environment = {name: value for name, value in os.environ.items() if name != background.OFF_VARIABLE}
    command = [sys.executable, "-P", "-m", capture_process.__name__, str(path)]
    subprocess.run(command, env=environment, check=True, timeout=120)
    given_up = time.monotonic() + 120
    with Home(path) as home:
        while not runs(home) and time.monotonic() < given_up:
            time.sleep(0.05)
        [made] = runs(home)
    assert (made.by, made.counted) == ("session", True)
    while background.is_held(path / LOCK_FILE):
        assert time.monotonic() < given_up
        time.sleep(0.05)
