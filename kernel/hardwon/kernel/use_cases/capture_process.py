"""Capture in the background: a detached process of lowest priority that ends itself, never two for one home.

The hook program starts it after a turn, unless one is at work: that one looks again before it ends, and takes what came
meanwhile. Nothing that it starts triggers our hooks.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hardwon.kernel import background, spool
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.hook.worker import OFF as HOOKS_OFF
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.capture import KIND, capture
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon.kernel.use_cases.hook_program import refresh_hook
from hardwon.kernel.use_cases.replica import refresh_replica
from hardwon.kernel.use_cases.running.due_process import start_due_run
from hardwon.kernel.use_cases.tending import tend

PATIENCE = 1.0
"""Seconds for the lock: who only asks whether a process is running holds it for a moment."""


def start_capture(home: Home) -> bool:
    """Start the process if something waits; return whether it was, or is on its way.

    For whoever held the lock for long: a hook that found it held left its event to the holder.
    """
    return background.is_allowed() and bool(spool.waiting(str(home.path))) and background.start(__name__, home.path)


def capture_in_background(home: Home) -> None:
    """Take what is in the spool until nothing new comes; return when another process is at it."""
    seen: set[str] = set()
    while new := set(spool.waiting(str(home.path))) - seen:
        result = capture(home, patience=PATIENCE)
        if result.busy:
            return
        seen |= new
        if result.learned.kept:
            start_embedding(home)


def main(path: Path) -> None:
    """Run as a process of its own for the home at `path`."""
    os.environ[HOOKS_OFF] = "off"
    background.begin(path)
    with Home(path) as home:
        serve(home)


def serve(home: Home) -> None:
    """Do what hooks leave to the background; what goes wrong is left in the spool and noted."""
    try:
        home.storage.memories.get([])  # takes in what was edited: the hook program shows nothing of it before
        capture_in_background(home)
        refresh_replica(home)
        if home.mounts is not None:
            home.mounts.refresh_all()
        refresh_hook(home)
        tend(home)
        start_due_run(home)
    except (HardwonError, OSError) as error:
        _note(home, str(error))
    except Exception as error:  # a plugin may be anybody's, and nobody would see its mistake
        _note(home, f"{type(error).__name__}: {error}")


def _note(home: Home, error: str) -> None:
    """Say in the ledger why nothing was taken: nobody sees what this process prints."""
    try:
        home.storage.ledger.append([Activity(kind=KIND, at=home.clock.now(), details={"error": error})])
    except (HardwonError, OSError):
        sys.exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
