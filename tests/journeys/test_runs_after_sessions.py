"""A run after a session, by real processes over the real parts: one of many, and one that a hook's worker leads to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from hardwon.kernel import background
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import capture_process
from hardwon.kernel.use_cases.running import due_process
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.kernel.use_cases.running.records import runs


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
