"""Runs `serve` with a clock that goes faster, and prints a JSON line for each thing it does; a driver for tests.

`python fast_serve.py HOME START SPEED`: START is the moment (seconds since 1970) from which on the clock is fast. All
processes with the same START have the same clock. Runs are made in this process, with the same lock and the same
question whether they are due.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apscheduler.schedulers.base
import apscheduler.triggers.interval

from hardwon.generalizer.schedule import jobs, scheduler
from hardwon.generalizer.schedule.serving import Server
from hardwon.kernel.clock import SystemClock
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.running.run import run_if_due

START, SPEED = float(sys.argv[2]), float(sys.argv[3])


def fast() -> float:
    """Return the fast clock's seconds since 1970."""
    return START + (time.time() - START) * SPEED


class FastDatetime(datetime):
    """What APScheduler asks for the time."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
        return datetime.fromtimestamp(fast(), tz)


class Printing:
    """A console that prints what is shown."""

    def say(self, text: str) -> None:
        print(json.dumps({"said": text}), flush=True)

    show = say


def make_run(home: str) -> None:
    """Make the run that is due in this process, by the fast clock."""
    with Home(Path(home)) as opened:
        made = run_if_due(opened, "serve")
    print(json.dumps({"made": made is not None, "at": fast()}), flush=True)


def look_after(home: str) -> None:
    """Look after nothing: what is made up for is made by the scheduler alone."""


def main() -> None:
    """Serve with everything at speed."""
    for module in (apscheduler.schedulers.base, apscheduler.triggers.interval, scheduler):
        module.datetime = FastDatetime  # type: ignore[attr-defined]
    SystemClock.now = lambda self: datetime.fromtimestamp(fast(), UTC)  # type: ignore[method-assign]
    process = apscheduler.schedulers.base.BaseScheduler._process_jobs

    def processed(self: Any) -> float | None:
        wait = process(self)
        return None if wait is None else wait / SPEED

    apscheduler.schedulers.base.BaseScheduler._process_jobs = processed
    jobs.make_run, jobs.look_after = make_run, look_after
    home = Home(Path(sys.argv[1]), console=Printing())  # type: ignore[arg-type]
    Server(home).run()


if __name__ == "__main__":
    main()
