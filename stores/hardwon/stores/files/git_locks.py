"""Locks that a killed git (or hardwon) left in the memory's own repository.

A lock file says nothing about who made it. It is stale when no process has it open and no git works in that folder;
where this cannot be seen, when it is older than a minute. Only for whoever holds the writers' lock, and only in our own
repository.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

OLD_SECONDS = 60.0
_PROCESSES = Path("/proc")


def remove_stale_locks(git_folder: Path) -> None:
    """Remove stale locks of the index, HEAD and branches."""
    candidates = [git_folder / "index.lock", git_folder / "HEAD.lock", *(git_folder / "refs" / "heads").rglob("*.lock")]
    for path in candidates:
        if path.exists() and is_stale(path, git_folder.parent):
            path.unlink(missing_ok=True)


def is_stale(lock: Path, folder: Path) -> bool:
    """Tell whether nobody can be working under this lock."""
    try:
        age = time.time() - lock.stat().st_mtime
    except FileNotFoundError:
        return False
    if sys.platform == "linux" and _PROCESSES.is_dir():
        return not _is_in_use(lock.resolve(), folder.resolve())
    return age > OLD_SECONDS


def _is_in_use(lock: Path, folder: Path) -> bool:
    """Tell whether a process has the lock open, or is a git that works in the folder."""
    for process in _PROCESSES.iterdir():
        if not process.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if (process / "comm").read_text().strip() == "git":
                where = (process / "cwd").readlink()
                if where == folder or folder in where.parents:
                    return True
            if any(_points_to(link, lock) for link in (process / "fd").iterdir()):
                return True
    return False


def _points_to(link: Path, lock: Path) -> bool:
    try:
        return link.readlink() == lock
    except OSError:
        return False
