"""A lock over a file that one process holds at a time: `flock`, and a file in its stead where there is no `flock`.

The operating system frees a `flock` when its holder ends, however it ends. Some network file systems have none (NFS
without its lock service, some in user space). There the holder makes `<lock>.held`, which says who it is; only one can
make it. It is stale, and goes, when its process on this machine has ended; of another machine, which cannot be asked,
when it is older than OLD_SECONDS.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import secrets
import socket
import time
from pathlib import Path

from hardwon.kernel.whole_file import is_alive

OLD_SECONDS = 15 * 60
"""Longer than anybody writes: the longest work under a lock is building an index anew."""
_RUN = secrets.token_hex(8)
"""Tells this process from an earlier one of the same number."""
_NO_FLOCK = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL)


def take(descriptor: int, path: Path) -> bool:
    """Take the lock over a file that is open as `descriptor`; False when another holds it. Raises OSError."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_FLOCK:
            raise
    return _make(_held(path))


def leave(descriptor: int, path: Path) -> None:
    """Free the lock that this process took."""
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    held = _held(path)
    if _said(held) == _me():
        held.unlink(missing_ok=True)


def _held(path: Path) -> Path:
    return path.with_name(f"{path.name}.held")


def _me() -> dict[str, object]:
    return {"host": socket.gethostname(), "process": os.getpid(), "run": _RUN}


def _make(held: Path) -> bool:
    """Make the file that says who holds the lock; one that is stale goes first."""
    try:
        descriptor = os.open(held, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return _remove_stale(held) and _make(held)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        json.dump(_me(), file)
    return True


def _said(held: Path) -> dict[str, object] | None:
    """Return who holds the lock; None where nobody does, or it is not yet written."""
    try:
        said = json.loads(held.read_bytes())
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) else None


def _remove_stale(held: Path) -> bool:
    """Take a stale file away; of several that try, one does. False where it is none, or another is at it.

    A second file says who is at it: while that is there nobody else removes the first one, so that a new holder's is
    never taken for the stale one.
    """
    if not _is_stale(held, _said(held)):
        return False
    removing = held.with_name(f"{held.name}-removing")
    try:
        os.close(os.open(removing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError:
        _forget_old(removing)
        return False
    try:
        if not _is_stale(held, _said(held)):
            return False
        held.unlink()
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            removing.unlink()
    return True


def _forget_old(removing: Path) -> None:
    """Take away what a process left that was ended in the midst of it."""
    with contextlib.suppress(OSError):
        if time.time() - removing.stat().st_mtime > OLD_SECONDS:
            removing.unlink()


def _is_stale(held: Path, said: dict[str, object] | None) -> bool:
    if said is not None and said.get("host") == socket.gethostname():
        if said.get("process") == os.getpid():  # of one that had our number before us
            return said.get("run") != _RUN
        return not is_alive(str(said.get("process")))
    try:
        return time.time() - held.stat().st_mtime > OLD_SECONDS
    except OSError:
        return False
