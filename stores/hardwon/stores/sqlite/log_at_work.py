"""The write-ahead log that a connection has open, which somebody may take away: `rm memory.sqlite-*` takes the names.

What was committed then stands in a log without a name: a new process does not see it, and `kill -9` takes it. While
nobody has begun another log, whoever has it open can still copy it into the file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.stores.sqlite.log_reading import is_begun
from hardwon.stores.sqlite.place import uri_of

_TABLE_OF_PAGES = "-shm"
_in_use: set[Log] = set()
"""The logs that connections of this process have open."""
_closing = threading.RLock()
"""Held while a connection is closed: the last one removes the table itself, before its log is out of the set."""
# Else a child process might have it held by a thread that it does not have.
os.register_at_fork(before=_closing.acquire, after_in_parent=_closing.release, after_in_child=_closing.release)


def _alone() -> AbstractContextManager[object]:
    """Let nobody else close a connection meanwhile.

    As the interpreter ends there is nobody else, and a thread that it stopped in the midst of closing keeps the lock.
    """
    return contextlib.nullcontext() if sys.is_finalizing() else _closing


def refuse_removed_table(path: Path, file: int) -> None:
    """Raise StoreBusy while a connection of this process has a table of pages open that was removed.

    SQLite would use it for a new connection too, and another program a new one: each would write over the other.
    """
    with _alone():
        # One that the collector closes in the midst of this is out of the set again.
        is_lost = any(log.has_lost_table(path, file) and log in _in_use for log in tuple(_in_use))
    if is_lost:
        raise StoreBusy(
            f"{path}{_TABLE_OF_PAGES} was taken away while other threads of this program have it open; repeat when they"
            " have asked something too, or start the program anew."
        )


class Log:
    """The log of one connection, by its inode, with the table of its pages."""

    def __init__(self, path: Path, file: int, *, is_used: bool) -> None:
        """Note which they are just after a connection to the file at `path`, by its inode, opened them, if it did."""
        self._path, self._file = path, file
        self._names = {ending: f"{path}{ending}" for ending in ("-wal", _TABLE_OF_PAGES)}
        self._opened = (self._inode("-wal"), self._inode(_TABLE_OF_PAGES)) if is_used else (None, None)
        _in_use.add(self)

    @contextlib.contextmanager
    def closed(self) -> Iterator[None]:
        """Let the connection be closed inside, so that others find it open or closed, and nothing in between.

        Nothing is written over a log that was begun in the place of its.
        """
        with _alone():
            try:
                with self._left_alone():
                    yield
            finally:
                _in_use.discard(self)

    def has_lost_table(self, path: Path, file: int) -> bool:
        """Tell whether it is of this file, and the table of its pages is not in its place any more."""
        is_of_it = (self._path, self._file) == (path, file)
        return is_of_it and self._opened[1] not in (None, self._inode(_TABLE_OF_PAGES))

    def _inode(self, ending: str) -> int | None:
        try:
            return os.stat(self._names[ending]).st_ino  # noqa: PTH116 - at each put: a Path takes four times as long
        except OSError:
            return None

    @property
    def is_gone(self) -> bool:
        """Tell whether the log is not in its place any more."""
        return self._opened[0] is not None and self._inode("-wal") != self._opened[0]

    @property
    def _is_followed(self) -> bool:
        """Tell whether another log was begun by the same table of pages, for which all of this one was in the file.

        The table speaks of the other one from then on: to copy by it from this one would be to write damage.
        """
        return self._is_replaced and self._inode(_TABLE_OF_PAGES) == self._opened[1]

    @property
    def _is_replaced(self) -> bool:
        """Tell whether another log was begun in the place of this one."""
        return self.is_gone and is_begun(self._names["-wal"])

    def bring_in(self, connection: sqlite3.Connection, *, is_written: bool = False) -> None:
        """Copy into the file what the log holds, if it is gone; `is_written`: an operation ended just now.

        Raises StoreBusy, StoreError where it would do damage.
        """
        if not self.is_gone or self._is_followed:
            return
        if self._inode("-wal") is not None and self._inode(_TABLE_OF_PAGES) != self._opened[1]:
            raise StoreError(
                f"{self._path}-wal was taken away while it was in use, and another program has begun a new one since; "
                "end every program that uses the memory and run `hardwon doctor`: what stood in it alone is lost."
            )
        written = "It was written, but " if is_written else ""
        then = "ask this program for anything, before it ends" if is_written else "repeat"
        try:
            ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_IOERR_SHORT_READ:  # another thread brought it in and went on
                return
            raise StoreError(
                f"{written}{self._path}-wal was taken away while it was in use, and what it holds cannot be copied "
                f"into the file ({error}); make room on its disk, then {then}."
            ) from None
        if is_busy:
            what = f"{written}{self._path}-wal was taken away while others read it; when they are done, {then}."
            raise StoreError(what) if is_written else StoreBusy(what)

    @contextlib.contextmanager
    def _left_alone(self) -> Iterator[None]:
        """Let nothing be written over a log that was begun in the place of its when the connection is closed.

        As the last one it would copy its own into the file and remove the other. It is not the last while another one
        has the file open; one that only reads can do neither when it is closed.
        """
        if not self._is_replaced:
            yield
            return
        other = sqlite3.connect(uri_of(self._path, "mode=ro"), uri=True, isolation_level=None)
        try:
            with contextlib.suppress(sqlite3.Error):  # it holds the file whether it can read or not
                other.execute("SELECT count(*) FROM sqlite_master").fetchone()
            yield
        finally:
            other.close()
