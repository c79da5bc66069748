"""APScheduler as `serve` uses it: the run in a store that outlives the process, under one id, so that there is one.

A planned time that passed while the process was stopped or asleep is made up for once, however late; whether the run
was made meanwhile by another, it finds out itself (kernel: running/due.py).
"""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger
from sqlalchemy import URL, create_engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from hardwon.generalizer.schedule import jobs
from hardwon.generalizer.schedule.trigger import CrontabTrigger
from hardwon.kernel.errors import StoreError

FILE = "schedule.sqlite"
RUN, LOOK, TIDY = "consolidate", "look-after", "tidy"
LOOK_EVERY, TIDY_EVERY = 60, 24 * 3600
"""Seconds."""
_DEFAULTS = {"coalesce": True, "misfire_grace_time": None, "max_instances": 1}


def start_scheduler(home: Path, line: str) -> Any:
    """Return a running scheduler for a home. A store that cannot be read is made anew: the settings say what is in it.

    Raises StoreError.
    """
    # Why a job did not run is told in the status line; APScheduler's own lines would stand between.
    logging.getLogger("apscheduler").addHandler(logging.NullHandler())
    logging.getLogger("apscheduler").propagate = False
    path = home / FILE
    try:
        return _started(home, line)
    except DatabaseError:
        for leftover in path.parent.glob(f"{FILE}*"):
            leftover.unlink(missing_ok=True)
    try:
        return _started(home, line)
    except DatabaseError as error:
        raise StoreError(
            f"{path} cannot be written ({error.orig}); make room or permit it, then start again."
        ) from None


def _started(home: Path, line: str) -> Any:
    path = home / FILE
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)
    scheduler = BackgroundScheduler(
        jobstores={"default": SQLAlchemyJobStore(engine=engine), "memory": MemoryJobStore()},
        executors={"default": ThreadPoolExecutor(4)},
        job_defaults=_DEFAULTS,
        timezone=UTC,
    )
    try:
        scheduler.start(paused=True)
        for stranger in scheduler.get_jobs("default"):
            if stranger.id != RUN:
                stranger.remove()
        plan_runs(scheduler, home, line, keep=True)
        for name, work, seconds in ((LOOK, jobs.look_after, LOOK_EVERY), (TIDY, jobs.tidy, TIDY_EVERY)):
            trigger = IntervalTrigger(seconds=seconds, timezone=UTC)
            scheduler.add_job(work, trigger, [str(home)], id=name, jobstore="memory", next_run_time=datetime.now(UTC))
        scheduler.resume()
    except BaseException:
        if scheduler.running:
            scheduler.shutdown(wait=False)
        raise
    return scheduler


def plan_runs(scheduler: Any, home: Path, line: str, *, keep: bool = False) -> None:
    """Plan the runs of a crontab line; `keep` leaves what an earlier process planned for the same line."""
    planned = scheduler.get_job(RUN, "default")
    if not line.strip():
        if planned:
            planned.remove()
    elif not (keep and planned and planned.trigger == CrontabTrigger(line) and planned.args == (str(home),)):
        scheduler.add_job(jobs.make_run, CrontabTrigger(line), [str(home)], id=RUN, replace_existing=True)


def look_now(scheduler: Any) -> None:
    """Look after the home at once, and from now on each minute of the clock as it stands."""
    scheduler.modify_job(LOOK, "memory", next_run_time=datetime.now(UTC))
