"""A due run in the background: a detached process of lowest priority that ends itself, never two for one home.

The process that takes what hooks captured starts it when it ends, where nothing else makes the run; `serve` starts it
at planned times. Under the lock it looks once more whether the run is due, so that many who start it make one run.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from hardwon.kernel import background
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.hook.worker import OFF as HOOKS_OFF
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon.kernel.use_cases.running.due import LOCK_FILE, plan_of
from hardwon.kernel.use_cases.running.run import run_if_due
from hardwon.kernel.use_cases.running.standing import SERVE_LOCK

LONGEST_RUN = 6 * 3600.0
"""Seconds after which a run that nobody watches is ended: one that hangs must not hold the lock for ever."""


def start_due_run(home: Home) -> bool:
    """Start the process after a session where a run is due and nothing else makes it.

    Return whether it was started, or is on its way.
    """
    if not background.is_allowed() or not home.settings.schedule.after_session:
        return False
    if background.is_held(home.path / SERVE_LOCK) or background.is_held(home.path / LOCK_FILE):
        return False
    return plan_of(home).may_start and background.start(__name__, home.path)


def main(path: Path, by: str = "session") -> None:
    """Run as a process of its own for the home at `path`; what goes wrong is in the ledger, and `status` tells it."""
    os.environ[HOOKS_OFF] = "off"
    background.begin(path)
    signal.signal(signal.SIGTERM, _stop)
    watch(LONGEST_RUN, _end_all)
    with Home(path) as home:
        try:
            if run_if_due(home, by):
                start_embedding(home)
        except (HardwonError, OSError):
            sys.exit(1)


def watch(seconds: float, end: Callable[[], None]) -> None:
    """Call `end` after so many seconds, unless this process has ended by then."""
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


def _end_all() -> None:
    """End this process and whatever it started in its group, such as a model's program that never answers."""
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _stop(_signal: int, _frame: object) -> None:
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
