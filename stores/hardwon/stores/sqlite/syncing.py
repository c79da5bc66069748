"""What is done after a commit: waits until a file is on its disk, and empties the log of what was forgotten."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from hardwon.kernel.errors import StoreError


def sync(path: Path) -> None:
    """Wait until what was written to a file would survive a power cut. Raises StoreError.

    SQLite holds no lock on a write-ahead log, so that opening and closing it here takes none away. A log that is gone
    was copied into the file, which SQLite has waited for.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unsure(path, error) from None
    try:
        _flush(descriptor)
    except OSError as error:
        raise _unsure(path, error) from None
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def waiting(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Have a connection wait so long for others, and as long as before afterwards."""
    ((before,),) = connection.execute("PRAGMA busy_timeout").fetchall()
    wanted = round(seconds * 1000)
    if wanted != before:
        connection.execute(f"PRAGMA busy_timeout = {wanted}").fetchall()
    try:
        yield
    finally:
        if wanted != before:
            connection.execute(f"PRAGMA busy_timeout = {before}").fetchall()


def empty_log(connection: sqlite3.Connection, path: Path, patience: float) -> bool:
    """Copy the log into the file and empty it; False where a reader needs it after so many seconds. Raises StoreError.

    What was committed stands in any case.
    """
    try:
        with waiting(connection, patience):
            ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise StoreError(
            f"It was written, but what was forgotten may stand in {path}-wal ({error}); make room on its disk, "
            "the next operation tries it again."
        ) from None
    return not is_busy


def _flush(descriptor: int) -> None:
    if sys.platform == "darwin":  # fsync leaves it in the drive's own memory there
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)


def _unsure(path: Path, error: OSError) -> StoreError:
    return StoreError(f"It was written, but {path} may not survive a power cut ({error.strerror}); check the disk.")
