"""A mark beside the file that it was made once: one that is gone since is a memory that was lost, and no new one."""

from __future__ import annotations

import contextlib
from pathlib import Path

from hardwon.kernel.errors import StoreError

ENDING = ".made"


def refuse_lost(path: Path) -> None:
    """Raise StoreError where a file that was made once is gone or holds nothing. Its log is told of elsewhere."""
    mark, log = _mark(path), path.with_name(f"{path.name}-wal")
    if mark.exists() and not (log.exists() and log.stat().st_size):
        raise StoreError(
            f"{path} is gone or empty, and it held a memory; put it back or `hardwon restore` a backup, or remove "
            f"{mark.name} beside it to begin anew."
        )


def note_made(path: Path) -> None:
    """Leave the mark; where that cannot be, the file is as safe as it was."""
    mark = _mark(path)
    if not mark.exists():
        with contextlib.suppress(OSError):
            mark.touch(mode=0o600)


def _mark(path: Path) -> Path:
    return path.with_name(f"{path.name}{ENDING}")
