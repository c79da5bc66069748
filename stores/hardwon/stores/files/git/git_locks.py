"""Locks that a killed git (or hardwon) left in the memory's own repository.

A lock file says nothing about who made it. It is stale when no process has it open and no git works in that folder;
where this cannot be seen, when it is older than a minute. Only for whoever holds the writers' lock, and only in our own
repository.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable
from pathlib import Path

OLD_SECONDS = 60.0
_PROCESSES = Path("/proc")


def remove_stale_index_lock(git_folder: Path) -> None:
    """Remove a stale lock of git's own index."""
    _remove_stale([git_folder / "index.lock"], git_folder.parent)


def remove_stale_first_locks(git_folder: Path) -> None:
    """Remove stale locks of a repository whose making was cut off: of its settings, of HEAD."""
    _remove_stale(git_folder.glob("*.lock"), git_folder.parent)


def remove_stale_branch_locks(git_folder: Path) -> None:
    """Remove stale locks of HEAD and branches.

    That of the index is another matter: our own upkeep often has it, and to find out whose a lock is takes a look at
    every process.
    """
    _remove_stale([git_folder / "HEAD.lock", *(git_folder / "refs" / "heads").rglob("*.lock")], git_folder.parent)


def _remove_stale(locks: Iterable[Path], folder: Path) -> None:
    for path in locks:
        if path.exists() and is_stale(path, folder):
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
