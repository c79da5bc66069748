"""`serve`: a process in the foreground that makes the runs when they are due, and says in one line how things stand."""

from __future__ import annotations

import itertools
import os
import threading
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, JobExecutionEvent

from hardwon.generalizer.schedule.jobs import CHILDREN
from hardwon.generalizer.schedule.scheduler import look_now, plan_runs, start_scheduler
from hardwon.generalizer.schedule.stopping import Stopping
from hardwon.generalizer.schedule.watch import Watch
from hardwon.kernel import background, spool
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import Conflict, HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.running.holder import Holder, current_holder, note
from hardwon.kernel.use_cases.running.standing import SERVE_LOCK, schedule_status
from hardwon.kernel.use_cases.running.wording import schedule_lines, shown

PULSE = 1.0
"""Seconds between looks at the settings and the clock."""
LOOK_EVERY = 30
"""Pulses between looks at how things stand; one that ended a job is looked at once."""


class Server:
    """One `serve` of a home, until it is told to end."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._stopping = Stopping()
        self._news = threading.Event()
        self._problem = ""

    def run(self) -> None:
        """Serve until a signal says stop. Raises Conflict where another process serves this home."""
        lock = self._home.path / SERVE_LOCK
        with background.alone(lock) as free:
            if not free:
                raise Conflict(_taken(current_holder(lock)))
            note(lock, Holder("serve", os.getpid(), self._home.clock.now()))
            with self._stopping.by_signals():
                self._serve()

    def _serve(self) -> None:
        watch = Watch(self._home.path)
        scheduler = start_scheduler(self._home.path, watch.line)
        scheduler.add_listener(self._heard, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR)
        try:
            for pulse in itertools.count():
                self._follow(scheduler, watch)
                if self._news.is_set() or pulse % LOOK_EVERY == 0:
                    self._news.clear()
                    self._home.console.show(self._line())
                if self._stopping.wait(PULSE):
                    break
        finally:
            CHILDREN.end()
            scheduler.shutdown(wait=False)
            self._home.console.show("")

    def _follow(self, scheduler: Any, watch: Watch) -> None:
        """Take changed settings, another zone, and a clock that was set."""
        try:
            changed = watch.changed()
        except HardwonError as error:  # half written by an editor, or wrong: what was planned stays
            self._tell(str(error))
            return
        if changed:
            plan_runs(scheduler, self._home.path, watch.line)
            look_now(scheduler)

    def _heard(self, event: JobExecutionEvent) -> None:
        error = event.exception
        self._tell("" if error is None else str(error) if isinstance(error, HardwonError) else repr(error))
        self._news.set()

    def _tell(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self._news.set()

    def _line(self) -> str:
        """Return how things stand, in one line."""
        waiting = len(spool.waiting(str(self._home.path)))
        try:
            with Home(self._home.path) as home:  # anew: its settings may have changed
                parts = schedule_lines(schedule_status(home, []))
        except HardwonError as error:
            parts = [str(error)]
        parts += [f"{counted(waiting, 'event')} to take in"] if waiting else []
        parts += [f"Problem: {self._problem}"] if self._problem and self._problem not in parts else []
        return " · ".join([f"Serving {self._home.path}", *parts])


def _taken(other: Holder | None) -> str:
    which = f" (process {other.pid}, since {shown(other.since)})" if other and other.pid else ""
    return f"Another `hardwon serve`{which} serves this memory already; end that one first, or let it work."
