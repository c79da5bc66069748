"""Embedding in the background: a detached process of lowest priority that ends itself, never two for one home.

Whoever wrote memories calls `start_embedding` and goes on. A note on disk says that there is work; the process removes
it before it looks and looks again when it is back, so that no memory written meanwhile is left out.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import HardwonError

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

OFF_VARIABLE = "HARDWON_NO_BACKGROUND"
"""Set to anything, no background process is started."""
LOCK_FILE = "embedding.lock"
WANTED_FILE = "embedding.wanted"
TRIES = 3
PAUSE = 0.2
"""Seconds between tries for the lock: who only asks whether a process is running holds it for a moment."""
_LOWEST_PRIORITY = 19

_started: list[int] = []


def start_embedding(home: Home) -> bool:
    """Start a process that embeds what has no vector yet; return whether one was started.

    None is started where the environment or the settings turn it off, or while one is at work: that one is told.
    """
    if os.environ.get(OFF_VARIABLE) or home.settings.embedder == "none":
        return False
    (home.path / WANTED_FILE).touch(mode=0o600)
    _reap()
    if is_running(home.path):
        return False
    # -P keeps a `json.py` of the folder that the user stands in from being imported.
    command = [sys.executable, "-P", "-m", __name__, str(home.path)]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    _started.append(os.posix_spawn(sys.executable, command, os.environ, file_actions=nowhere))
    return True


def _reap() -> None:
    """Take leave of processes that ended, so that a long-lived caller gathers no zombies."""
    for pid in list(_started):
        with contextlib.suppress(ChildProcessError):
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                continue
        _started.remove(pid)


def is_running(home: Path) -> bool:
    """Tell whether a process embeds for this home now."""
    if not (home / LOCK_FILE).exists():
        return False
    with _held(home) as held:
        return not held


@contextlib.contextmanager
def _held(home: Path) -> Iterator[bool]:
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


def embed_in_background(home: Home) -> None:
    """Embed until nothing more is wanted; return at once when another process is at it."""
    wanted = home.path / WANTED_FILE
    tries = TRIES
    while wanted.exists():
        with _held(home.path) as held:
            if not held and (tries := tries - 1) <= 0:
                return
            while held and wanted.exists():
                wanted.unlink(missing_ok=True)
                _embed(home)
        if not held:
            time.sleep(PAUSE)


def _embed(home: Home) -> None:
    """Embed once, and put into the ledger what came of it: nobody sees what this process prints."""
    from hardwon.kernel.records import Activity
    from hardwon.kernel.use_cases.embedding import embed_missing

    details: dict[str, object] = {}
    try:
        details["embedded"] = embed_missing(home)
    except HardwonError as error:
        details["error"] = str(error)
    if details != {"embedded": 0}:
        home.storage.ledger.append([Activity(kind="embed", at=home.clock.now(), details=details)])


def main(path: str) -> None:
    """Run as a process of its own for the home at `path`."""
    from hardwon.kernel.home import Home

    with contextlib.suppress(PermissionError):
        os.setsid()
    os.nice(_LOWEST_PRIORITY)
    os.chdir(path)
    with Home(Path(path), named_by="the caller") as home:
        embed_in_background(home)


if __name__ == "__main__":
    main(sys.argv[1])
