"""Work in the background: a detached process of lowest priority that ends itself, never two at one work in one home.

Which work that is, a lock file says: the operating system frees the lock when its holder ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from hardwon.kernel import file_lock
from hardwon.kernel.hook.worker import OFF as HOOKS_OFF

OFF_VARIABLE = "HARDWON_NO_BACKGROUND"
"""Set to anything, no background process is started."""
PAUSE = 0.1
"""Seconds between tries for a lock that another process holds."""
ON_ITS_WAY = 30.0
"""Seconds that a process may need until it begins; after that, it is taken for one that never did."""
_LOWEST_PRIORITY = 19

_started: list[int] = []


def is_allowed() -> bool:
    """Tell whether processes in the background may be started."""
    return not os.environ.get(OFF_VARIABLE)


def start(module: str, home: Path) -> bool:
    """Run `python -m module home` apart from this process, unless one is on its way.

    Return False where the system starts no more processes. Nothing that it starts, such as a model's program, triggers
    our hooks. One that is on its way has not looked yet what there is to do: `begin` says when it is about to.
    """
    _reap()
    mark = _mark(module, home)
    if _is_fresh(mark):
        return True
    # -P keeps a `json.py` of the folder that the user stands in from being imported.
    command = [sys.executable, "-P", "-m", module, str(home)]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    with contextlib.suppress(OSError):
        mark.touch(mode=0o600)
        environment = os.environ | {HOOKS_OFF: "off"}
        _started.append(os.posix_spawn(sys.executable, command, environment, file_actions=nowhere))
        return True
    mark.unlink(missing_ok=True)
    return False


def begin(home: Path) -> None:
    """Make this process, which `start` ran, nobody's: no terminal, lowest priority, and only the home's folder in use.

    Called before it looks what there is to do: whoever has something more from now on starts another, or finds its lock
    held.
    """
    spec = sys.modules["__main__"].__spec__
    if spec:
        _mark(spec.name, home).unlink(missing_ok=True)
    with contextlib.suppress(PermissionError):
        os.setsid()
    os.nice(_LOWEST_PRIORITY)
    os.chdir(home)


def _mark(module: str, home: Path) -> Path:
    """Return the file that is there while a process is on its way."""
    return home / f".{module.rpartition('.')[2]}.starting"


def _is_fresh(mark: Path) -> bool:
    try:
        return 0 <= time.time() - mark.stat().st_mtime < ON_ITS_WAY
    except OSError:
        return False


def _reap() -> None:
    """Take leave of processes that ended, so that a long-lived caller gathers no zombies."""
    for pid in list(_started):
        with contextlib.suppress(ChildProcessError):
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                continue
        _started.remove(pid)


@contextlib.contextmanager
def alone(lock: Path, patience: float = 0.0) -> Iterator[bool]:
    """Try to take the lock for as long as the block lasts, for `patience` seconds; yield whether it was got."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    free = False
    try:
        free = _is_got(descriptor, lock, patience)
        yield free
    finally:
        if free:
            file_lock.leave(descriptor, lock)
        os.close(descriptor)


def _is_got(descriptor: int, lock: Path, patience: float) -> bool:
    given_up = time.monotonic() + patience
    while not file_lock.take(descriptor, lock):
        if time.monotonic() >= given_up:
            return False
        time.sleep(PAUSE)
    return True


def is_held(lock: Path) -> bool:
    """Tell whether a process holds the lock now; to ask is to hold it for a moment."""
    if not lock.exists():
        return False
    with alone(lock) as free:
        return not free
