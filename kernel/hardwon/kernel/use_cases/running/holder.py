"""A lock with a note of who holds it. The lock says that somebody does; the note only says who, and how it went before.

The operating system frees the lock when its holder ends, however it ends. A note that is stale, broken or gone, or that
names a process which is another one by now, therefore hinders nobody.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from hardwon.kernel import background

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Holder:
    """Who took a lock last."""

    by: str
    """What made it: command, schedule, session, serve."""
    pid: int
    since: datetime
    failures: int = 0
    """How many tries before it, and it itself once it ended so, did not come to their end, in a row."""
    ended: bool = False
    """False, and the lock is free: it was killed."""


def note(lock: Path, holder: Holder) -> None:
    """Write who holds the lock, into the very file that is locked."""
    content = {"format": FORMAT_VERSION, **asdict(holder), "since": holder.since.isoformat()}
    descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.ftruncate(descriptor, os.pwrite(descriptor, f"{json.dumps(content)}\n".encode("ascii"), 0))
    finally:
        os.close(descriptor)


def last_holder(lock: Path) -> Holder | None:
    """Return who took the lock last; None where nobody did, or the note cannot be read."""
    try:
        content = json.loads(lock.read_text(encoding="utf-8"))
        if content["format"] != FORMAT_VERSION:
            return None
        since = datetime.fromisoformat(content["since"])
        found = Holder(
            str(content["by"]), int(content["pid"]), since, int(content["failures"]), content["ended"] is True
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if since.tzinfo and found.failures >= 0 else None


def current_holder(lock: Path) -> Holder | None:
    """Return who holds the lock now; None where nobody does. One whose note cannot be read is not known by name."""
    if not background.is_held(lock):
        return None
    return last_holder(lock) or Holder("another", 0, datetime.fromtimestamp(lock.stat().st_mtime).astimezone())


def failures_before(lock: Path) -> int:
    """Return how many tries in a row did not come to their end before one that begins now."""
    before = last_holder(lock)
    if before is None:
        return 0
    return before.failures if before.ended else before.failures + 1
