"""What the scheduler of `serve` does, as functions that its store can name: each has its work done by a process."""

from __future__ import annotations

from pathlib import Path

from hardwon.generalizer.schedule.children import Children
from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import capture_process
from hardwon.kernel.use_cases.pruning import prune
from hardwon.kernel.use_cases.running import due_process
from hardwon.kernel.use_cases.running.due import plan_of

CHILDREN = Children()
"""Of this process: the store keeps a job's arguments, and cannot keep these."""


def make_run(home: str) -> None:
    """Make the run that is due; the process finds out whether it still is."""
    CHILDREN.run(due_process.__name__, Path(home), "serve")


def look_after(home: str) -> None:
    """Take what hooks left in the spool, and make a run that was missed, as after a sleep or a jump of the clock.

    Raises HardwonError for settings or a memory that cannot be read.
    """
    path = Path(home)
    if spool.waiting(home):
        CHILDREN.run(capture_process.__name__, path)
    with Home(path) as opened:
        due = plan_of(opened).may_start
    if due:
        make_run(home)


def tidy(home: str) -> None:
    """Remove what is no longer needed. Raises HardwonError."""
    with Home(Path(home)) as opened:
        prune(opened)
