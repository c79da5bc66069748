"""The write-ahead log that a connection has open, which somebody may take away: `rm memory.sqlite-*` takes the names.

What was committed then stands in a log without a name: a new process does not see it, and `kill -9` takes it. While
nobody has begun another log, whoever has it open can still copy it into the file.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from hardwon.kernel.errors import StoreBusy, StoreError

_TABLE_OF_PAGES = "-shm"


class Log:
    """The log of one connection, by its inode, with the table of its pages."""

    def __init__(self, path: Path, *, is_used: bool) -> None:
        """Note which files they are just after a connection to the file at `path` opened them, where it uses any."""
        self._path = path
        self._names = {ending: f"{path}{ending}" for ending in ("-wal", _TABLE_OF_PAGES)}
        self._opened = (self._inode("-wal"), self._inode(_TABLE_OF_PAGES)) if is_used else (None, None)

    def _inode(self, ending: str) -> int | None:
        try:
            return os.stat(self._names[ending]).st_ino  # noqa: PTH116 - at each put: a Path takes four times as long
        except OSError:
            return None

    @property
    def is_gone(self) -> bool:
        """Tell whether the log is not in its place any more."""
        return self._opened[0] is not None and self._inode("-wal") != self._opened[0]

    def bring_in(self, connection: sqlite3.Connection) -> None:
        """Copy into the file what a log holds that is gone. Raises StoreBusy, StoreError where it would do damage."""
        if self._inode("-wal") is not None and self._inode(_TABLE_OF_PAGES) != self._opened[1]:
            raise StoreError(
                f"{self._path}-wal was taken away while it was in use, and another program has begun a new one since; "
                "end every program that uses the memory and run `hardwon doctor`: what was written since is in doubt."
            )
        try:
            ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_IOERR_SHORT_READ:  # another thread brought it in and went on
                return
            raise StoreError(
                f"{self._path}-wal was taken away while it was in use, and what it holds cannot be copied into the "
                f"file ({error}); make room on its disk, then repeat."
            ) from None
        if is_busy:
            raise StoreBusy(f"{self._path}-wal was taken away while others read it; repeat when they are done.")
