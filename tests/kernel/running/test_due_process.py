"""A due run after a session: started where nothing else makes it, once, and never where the user said no."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest

from hardwon.kernel import background
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import capture_process
from hardwon.kernel.use_cases.pausing import pause
from hardwon.kernel.use_cases.running import due_process
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.kernel.use_cases.running.due_process import start_due_run, watch
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
