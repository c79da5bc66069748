"""The file of vectors: a small SQLite database beside the index, since vectors are dear to make and outlive an index.

Several processes may read and keep at once; each thread has its own connection. A file that is damaged is set aside and
begun anew, within the call that finds it so: everything in it can be made again, and the user is told.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from hardwon.kernel.errors import NewerFormat, StoreBusy, StoreError
from hardwon.stores.search.statements import marks

FORMAT_VERSION = 1
PATIENCE = 10.0
"""Seconds to wait for another process that is keeping vectors."""
_AT_ONCE = 500
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""Only these say that the file is at fault; a connection that another thread closed, for one, says nothing of it."""
_SPACES = "SELECT DISTINCT space FROM vectors ORDER BY space"
_PAGE = "SELECT key, vector FROM vectors WHERE space = ? AND key > ? ORDER BY key LIMIT ?"
Result = TypeVar("Result")


class _Damaged(Exception):
    """The file is damaged."""


class VectorFile:
    """Keeps vectors in one SQLite file, which is made when the first vector is kept."""

    def __init__(self, path: Path, tell: Callable[[str], None] = lambda _: None) -> None:
        """Keep vectors at `path`; `tell` hears what the user should know."""
        self.path = path
        self._tell = tell
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors that exist, by key. Raises StoreError, NewerFormat."""
        if not keys or not self.path.exists():
            return {}

        def read(connection: sqlite3.Connection) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                sql = f"SELECT key, vector FROM vectors WHERE space = ? AND key IN {marks(some)}"  # noqa: S608
                found.update(connection.execute(sql, [space, *some]).fetchall())
            return found

        return self._healed(read)

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, all or none. Raises StoreBusy, StoreError, NewerFormat."""
        if not vectors:
            return
        rows = [(space, key, vector) for key, vector in vectors.items()]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vectors(space, key, vector) VALUES (?, ?, ?)", rows)

        self._healed(write)

    def spaces(self) -> list[str]:
        """Return the names of the spaces that something is kept of, sorted. Raises StoreError, NewerFormat."""
        if not self.path.exists():
            return []
        rows = self._healed(lambda connection: connection.execute(_SPACES).fetchall())
        return [name for (name,) in rows]

    def walk(self, space: str) -> Iterator[tuple[str, bytes]]:
        """Walk everything that is kept of a space, by key. Raises StoreError, NewerFormat."""
        rows: list[tuple[str, bytes]] = self._page(space, "")
        while rows:
            yield from rows
            rows = self._page(space, rows[-1][0])

    def _page(self, space: str, after: str) -> list[tuple[str, bytes]]:
        if not self.path.exists():
            return []
        return self._healed(lambda connection: connection.execute(_PAGE, (space, after, _AT_ONCE)).fetchall())

    def close(self) -> None:
        """Close every connection; closing twice is harmless."""
        with self._lock:
            while self._connections:
                self._connections.pop().close()
            self._local = threading.local()

    def _healed(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Work on this thread's connection; where the file turns out to be damaged, on a new one in its place."""
        seen = self._inode
        try:
            with self._errors():
                return work(self._connection())
        except _Damaged as damage:
            self._set_aside(seen, str(damage))
        try:
            with self._errors():
                return work(self._connection())
        except _Damaged as damage:
            raise StoreError(f"{self.path} is damaged again ({damage}); check the disk.") from None

    @property
    def _inode(self) -> int | None:
        try:
            return self.path.stat().st_ino
        except OSError:
            return None

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Say database errors in our words."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
                raise _Damaged(str(error)) from None
            if "locked" in str(error) or "busy" in str(error):
                raise StoreBusy(f"{self.path} is locked by another process; try again in a moment.") from None
            what = (
                "check the disk and the file's rights"
                if isinstance(error, sqlite3.OperationalError)
                else "open the home again"
            )
            raise StoreError(f"{self.path} cannot be used ({error}); {what}.") from None

    def _connection(self) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if known is None:
            known = self._open()
            self._local.connection = known
            with self._lock:
                self._connections.append(known)
        return known

    def _open(self) -> sqlite3.Connection:
        writable = os.access(self.path if self.path.exists() else self.path.parent, os.W_OK)
        if writable:
            self.path.touch(mode=0o600, exist_ok=True)
        # What may only be read cannot be shared by SQLite; there it counts as unchanging.
        where = str(self.path) if writable else f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(where, timeout=PATIENCE, check_same_thread=False, uri=not writable)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > FORMAT_VERSION:
                raise NewerFormat(f"{self.path} was written by a newer hardwon; upgrade hardwon, nothing was touched.")
            if writable and version < FORMAT_VERSION:
                _prepare(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_aside(self, seen: int | None, why: str) -> None:
        """Move the damaged file out of the way, and say so; another process may have done it."""
        self.close()
        if seen is None or self._inode != seen:
            return
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}")
        with contextlib.suppress(FileNotFoundError):
            self.path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self._tell(
            f"{self.path} was damaged ({why}) and was moved to {aside.name}; search goes on by words, and the vectors "
            "are made anew in the background."
        )


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the table, and have readers not wait for writers: SQLite itself does not wait for others to change that."""
    given_up = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > given_up:
                raise
            time.sleep(0.01)
    with connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors("
            "space TEXT NOT NULL, key TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (space, key)) WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
