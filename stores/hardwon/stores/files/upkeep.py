"""Upkeep in the background: what a writer need not wait for, in a detached process of lowest priority that ends itself.

It brings git's own index up to date where that has become large, and packs the history. Never two work for one home;
what one that was killed left undone, the next finishes. Set HARDWON_NO_BACKGROUND, and the writer does it itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from hardwon.kernel.background import OFF_VARIABLE
from hardwon.stores.files import git_index, packing
from hardwon.stores.files.lock import WritersLock
from hardwon.stores.files.repository import Repository, git

LOCK_FILE = "upkeep.lock"
_LOWEST_PRIORITY = 19
_PAUSE = 0.2
"""Seconds to wait for more writes before git's index is written: writes come in bursts."""
_TRIES = 5
"""How often another git may hold its index before it is left to the next writer."""

_started: list[int] = []


def is_allowed() -> bool:
    """Tell whether processes in the background may be started."""
    return not os.environ.get(OFF_VARIABLE)


def start_upkeep(home: Path) -> bool:
    """Start the process unless one is at work for this home; return whether one was started."""
    if not is_allowed():
        return False
    _reap()
    if is_running(home):
        return False
    # -P keeps a `json.py` of the folder that the user stands in from being imported.
    command = [sys.executable, "-P", "-m", __name__, str(home)]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    with contextlib.suppress(OSError):  # no more processes: the next writer asks again
        _started.append(os.posix_spawn(sys.executable, command, os.environ, file_actions=nowhere))
        return True
    return False


def is_running(home: Path) -> bool:
    """Tell whether a process is at work for this home now."""
    if not (home / LOCK_FILE).exists():
        return False
    with _alone(home) as alone:
        return not alone


def _reap() -> None:
    """Take leave of processes that ended, so that a long-lived caller gathers no zombies."""
    for pid in list(_started):
        with contextlib.suppress(ChildProcessError):
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                continue
        _started.remove(pid)


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[bool]:
    """Try to take the lock for as long as the block lasts; yield whether it was free. The kernel frees it on death."""
    descriptor = os.open(home / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def keep_up(home: Path, repository: Repository) -> None:
    """Do what there is to do, and return at once when another process is at it."""
    while git_index.is_behind(home) or packing.is_due(repository.common_folder):
        with _alone(home) as alone:
            if not alone:
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

    with contextlib.suppress(PermissionError):
        os.setsid()
    os.nice(_LOWEST_PRIORITY)
    os.chdir(path)
    with contextlib.suppress(HardwonError, OSError, git().GitError):
        keep_up(Path(path), Repository(Path(path) / MEMORY))


if __name__ == "__main__":
    main(sys.argv[1])
