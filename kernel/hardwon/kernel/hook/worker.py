"""Starts the background worker, which takes what is in the spool: detached, and never two in one home."""

from __future__ import annotations

import os
from collections.abc import Sequence

OFF = "HARDWON_HOOKS"
"""Set to `off`, the hook program ends at once: whatever hardwon itself starts has it."""
NO_BACKGROUND = "HARDWON_NO_BACKGROUND"
"""As in `hardwon.kernel.background`, which imports more than a hook can wait for."""
_MOST_DESCRIPTORS = 1024


def start_worker(home: str, command: Sequence[str], lock: str) -> None:
    """Run the worker unless one holds its lock; one that the system refuses to start is started next time."""
    if not command or os.environ.get(NO_BACKGROUND) or _is_held(f"{home}/{lock}"):
        return
    # What the harness leaked to us (a listening socket, a pipe it waits for) must not live on in the worker.
    os.closerange(3, _MOST_DESCRIPTORS)
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    try:
        os.posix_spawn(command[0], list(command), os.environ | {OFF: "off"}, file_actions=nowhere, setsid=True)
    except (OSError, NotImplementedError):
        return  # nothing is lost: what is spooled waits for the next event, or for `consolidate`


def _is_held(lock: str) -> bool:
    import fcntl

    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without flock (`hardwon.kernel.file_lock`)
        return os.path.exists(f"{lock}.held")
    finally:
        os.close(descriptor)
    return False
