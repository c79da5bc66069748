"""A process in the background: one at a time is on its way, and what comes up after it began is not lost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel import background

WORK = """
import sys, time
from pathlib import Path
from hardwon.kernel import background

home = Path(sys.argv[1])
with (home / "started").open("a") as file:
    file.write("x")
while not (home / "go").exists():
    time.sleep(0.01)
background.begin(home)
"""
SECONDS_TO_WAIT = 30.0


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module that says that it was started, and begins when it is let."""
    (tmp_path / "some_work.py").write_text(WORK, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "some_work"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    given_up = time.monotonic() + SECONDS_TO_WAIT
    while not is_so():
        assert time.monotonic() < given_up
        time.sleep(0.01)


def started(home: Path) -> int:
    """Return how many processes were started."""
    found = home / "started"
    return len(found.read_text(encoding="utf-8")) if found.exists() else 0


def test_while_one_is_on_its_way_no_other_is_started(module: str, home: Path) -> None:
    """Everybody is told that it will be done; once it has begun, the next one is a process of its own."""
    assert all(background.start(module, home) for _ in range(5))
    until(lambda: started(home) > 0)
    assert background.start(module, home)
    (home / "go").touch()
    until(lambda: not list(home.glob(".*.starting")))
    assert started(home) == 1
    assert background.start(module, home)
    until(lambda: started(home) == 2)
    until(lambda: not list(home.glob(".*.starting")))


def test_one_that_never_began_is_not_waited_for(module: str, home: Path) -> None:
    """Killed on its way, it holds nobody up for longer than a process needs to begin."""
    assert background.start("no_such_work", home)
    [mark] = home.glob(".*.starting")
    long_ago = time.time() - background.ON_ITS_WAY - 1
    os.utime(mark, (long_ago, long_ago))
    mark.rename(mark.with_name(".some_work.starting"))
    (home / "go").touch()
    assert background.start(module, home)
    until(lambda: started(home) == 1 and not list(home.glob(".*.starting")))


def test_where_no_process_can_be_started_none_is_on_its_way(
    module: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "posix_spawn", refuse)
    assert not background.start(module, home)
    assert not background.start(module, home)
