"""A home of fakes with lessons that four projects share, at nine in the morning, and processes that hold its lock."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.testing.examples import related_lessons
from hardwon.testing.fakes import FakeGeneralizer, FakeStorage, FixedClock, open_fake_home

HOLDING = """
import sys, time
from pathlib import Path
from hardwon.kernel import background
from hardwon.kernel.clock import SystemClock
from hardwon.kernel.use_cases.running.holder import Holder, note
import os
lock = Path(sys.argv[1])
with background.alone(lock) as free:
    assert free
    note(lock, Holder("session", os.getpid(), SystemClock().now()))
    print("held", flush=True)
    sys.stdin.read()
"""

Holding = Callable[[Path], subprocess.Popen[str]]


class Breaking(FakeGeneralizer):
    """A generalizer that fails as long as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None

    def propose(self, *given, **named):
        if self.error:
            raise self.error
        return super().propose(*given, **named)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def generalizer() -> Breaking:
    return Breaking()


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock, generalizer: Breaking) -> Iterator[Home]:
    storage = FakeStorage()
    storage.memories.put(related_lessons())
    with open_fake_home(tmp_path / "home", storage=storage, clock=clock, generalizer=generalizer) as home:
        yield home


@pytest.fixture
def holding() -> Iterator[Holding]:
    """Return a function that starts a process which holds a lock until it is ended."""
    started: list[subprocess.Popen[str]] = []

    def hold(lock: Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDING, str(lock)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(process)
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        return process

    yield hold
    for process in started:
        process.kill()
        process.communicate()
