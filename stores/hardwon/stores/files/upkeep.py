"""Upkeep in the background: what a writer need not wait for, in a detached process of lowest priority that ends itself.

It brings git's own index up to date where that has become large, packs the history, and removes indexes that nobody has
open any more. Never two work for one home;
what one that was killed left undone, the next finishes. Set HARDWON_NO_BACKGROUND, and the writer does it itself.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

from hardwon.kernel import background
from hardwon.kernel.errors import StoreBusy
from hardwon.stores.files.atomic.lock import WritersLock
from hardwon.stores.files.git import git_index, packing
from hardwon.stores.files.git.repository import Repository, git
from hardwon.stores.files.indexing.generations import remove_unused

LOCK_FILE = "upkeep.lock"
_PAUSE = 0.2
"""Seconds to wait for more writes before git's index is written: writes come in bursts."""
_TRIES = 5
"""How often another git may hold its index before it is left to the next writer."""


def start_upkeep(home: Path) -> bool:
    """Start the process unless one is at work for this home; return whether one was, or is on its way."""
    return background.is_allowed() and not is_running(home) and background.start(__name__, home)


def is_running(home: Path) -> bool:
    """Tell whether a process is at work for this home now."""
    return background.is_held(home / LOCK_FILE)


def keep_up(home: Path, repository: Repository) -> None:
    """Do what there is to do, and return at once when another process is at it."""
    with contextlib.suppress(StoreBusy), WritersLock(home / "lock").held(0):
        remove_unused(home)
    while git_index.is_behind(home) or packing.is_due(repository.common_folder):
        with background.alone(home / LOCK_FILE) as free:
            if not free:
                return
            _follow(home, repository)
            due = packing.is_due(repository.common_folder)
            if git_index.is_behind(home) or (due and not packing.pack_loose(repository)):
                return


def _follow(home: Path, repository: Repository) -> None:
    """Bring git's index up to date; the writers' lock is held only to see that no write came in between."""
    lock = WritersLock(home / "lock")
    refused = 0
    while git_index.is_behind(home) and refused < _TRIES:
        time.sleep(_PAUSE)
        head = repository.head()
        if not git_index.catch_up(home, repository, keep_note=True):
            refused += 1
            continue
        with lock.held():
            if repository.head() == head:
                git_index.clear_behind(home)


def main(path: str) -> None:
    """Run as a process of its own for the home at `path`; what goes wrong is left for the next to try."""
    from hardwon.kernel.errors import HardwonError
    from hardwon.stores.files.workspace import MEMORY

    background.begin(Path(path))
    with contextlib.suppress(HardwonError, OSError, git().GitError):
        keep_up(Path(path), Repository(Path(path) / MEMORY))


if __name__ == "__main__":
    main(sys.argv[1])
