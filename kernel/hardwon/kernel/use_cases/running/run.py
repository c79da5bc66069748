"""A run of `consolidate`: alone over all processes and machines, and recorded however it ends, unless it is killed.

A process that is killed frees the lock and leaves no record: it was no run, and the next one goes on where it was.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.errors import HardwonError, StoreBusy, StoreError
from hardwon.kernel.local_time import local_zone
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.pruning import prune
from hardwon.kernel.use_cases.running.due import LOCK_FILE, plan_of
from hardwon.kernel.use_cases.running.holder import Holder, current_holder, failures_before, note
from hardwon.kernel.use_cases.running.machines import BUSY, alone_everywhere
from hardwon.kernel.use_cases.running.records import Outcome, Run, counts_of, record, spent_since

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.outcome import Consolidation

PATIENCE = 60.0
"""Seconds that a person's run waits for another one."""
MAKERS = {
    "command": "A run from the command line",
    "schedule": "A scheduled run",
    "session": "A run after a session",
    "serve": "A run of `hardwon serve`",
}


def run(home: Home, by: str, patience: float = 0.0, *, full: bool = False) -> Consolidation:
    """Consolidate as the only process that does, a `full` one anew; what came of it is recorded.

    Raises StoreBusy when another process or machine is at it for longer than `patience` seconds, and what
    `consolidate` raises.
    """
    home.require()
    lock = home.path / LOCK_FILE
    if patience and (other := current_holder(lock)):
        home.console.say(f"{who(other)}; waiting for it, {patience:.0f} s at most.")
    with background.alone(lock, patience) as free:
        if not free:
            raise StoreBusy(_busy(lock))
        with alone_everywhere(home, patience) as first:
            if not first:
                raise StoreBusy(BUSY)
            return _run(home, by, full=full)


def run_if_due(home: Home, by: str) -> Consolidation | None:
    """Make the run if it is due; None where it is not, or another is at it. Raises what `consolidate` raises."""
    home.require()
    with background.alone(home.path / LOCK_FILE) as free:
        if not free:
            return None
        with alone_everywhere(home) as first:
            return _run(home, by) if first and plan_of(home).may_start else None


def _run(home: Home, by: str, *, full: bool = False) -> Consolidation:
    """Make a run under the lock, and leave in its note how many tries in a row did not come to their end."""
    lock, began = home.path / LOCK_FILE, home.clock.now()
    holder = Holder(by, os.getpid(), began, failures_before(lock))
    note(lock, holder)
    try:
        result = consolidate(home, full=full)
        prune(home)
        _record(home, began, by, Outcome.DONE, counts=counts_of(result))
    except Exception as error:
        note(lock, replace(holder, failures=holder.failures + 1, ended=True))
        with contextlib.suppress(StoreError):  # what went wrong before is told, not that it cannot be written down
            _record(home, began, by, Outcome.FAILED, error=_sentence(error))
        raise
    except BaseException:  # Ctrl-C, or the signal that ends a process
        note(lock, replace(holder, ended=True))
        with contextlib.suppress(StoreError):
            _record(home, began, by, Outcome.STOPPED)
        raise
    note(lock, replace(holder, failures=0, ended=True))
    return result


def who(holder: Holder) -> str:
    """Return who is at it since when, as the beginning of a sentence."""
    since = holder.since.astimezone(local_zone())
    maker = MAKERS.get(holder.by, "Another run")
    process = f" (process {holder.pid})" if holder.pid else ""
    return f"{maker}{process} is at it since {since:%Y-%m-%d %H:%M:%S}"


def _busy(lock: Path) -> str:
    """Return why nothing was done."""
    other = current_holder(lock)
    beginning = who(other) if other else "Another run was at it until now"
    return f"{beginning}, so this one did nothing; run it again when `hardwon status` says that one has ended."


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, HardwonError | OSError) else f"{type(error).__name__}: {error}"


def _record(
    home: Home, began: datetime, by: str, outcome: Outcome, *, counts: dict[str, int] | None = None, error: str = ""
) -> None:
    seconds = max(0.0, round((home.clock.now() - began).total_seconds(), 3))
    record(home, Run(began, seconds, by, outcome, counts or {}, spent_since(home, began), error))
