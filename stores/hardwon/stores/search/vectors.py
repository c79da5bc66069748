"""The file of vectors: a small SQLite database beside the index, since vectors are dear to make and outlive an index.

Several processes may read and keep at once; each thread has its own connection. A file that is damaged is set aside and
begun anew: everything in it can be made again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hardwon.kernel.errors import NewerFormat, StoreBusy, StoreError
from hardwon.stores.search.statements import marks

FORMAT_VERSION = 1
PATIENCE = 10.0
"""Seconds to wait for another process that is keeping vectors."""
_AT_ONCE = 500
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""Only these say that the file is at fault; a connection that another thread closed, for one, says nothing of it."""


class VectorFile:
    """Keeps vectors in one SQLite file, which is made when the first vector is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors that exist, by key. Raises StoreError, NewerFormat."""
        if not keys or not self.path.exists():
            return {}
        found: dict[str, bytes] = {}
        with self._guarded() as connection:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                sql = f"SELECT key, vector FROM vectors WHERE space = ? AND key IN {marks(some)}"  # noqa: S608
                found.update(connection.execute(sql, [space, *some]).fetchall())
        return found

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, all or none. Raises StoreBusy, StoreError, NewerFormat."""
        if not vectors:
            return
        rows = [(space, key, vector) for key, vector in vectors.items()]
        with self._guarded() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO vectors(space, key, vector) VALUES (?, ?, ?)", rows)

    def spaces(self) -> list[str]:
        """Return the names of the spaces that something is kept of, sorted. Raises StoreError, NewerFormat."""
        if not self.path.exists():
            return []
        with self._guarded() as connection:
            return [name for (name,) in connection.execute("SELECT DISTINCT space FROM vectors ORDER BY space")]

    def walk(self, space: str) -> Iterator[tuple[str, bytes]]:
        """Walk everything that is kept of a space, by key. Raises StoreError, NewerFormat."""
        last = ""
        while self.path.exists():
            with self._guarded() as connection:
                sql = "SELECT key, vector FROM vectors WHERE space = ? AND key > ? ORDER BY key LIMIT ?"
                rows = connection.execute(sql, (space, last, _AT_ONCE)).fetchall()
            yield from rows
            if len(rows) < _AT_ONCE:
                return
            last = rows[-1][0]

    def close(self) -> None:
        """Close every connection; closing twice is harmless."""
        with self._lock:
            while self._connections:
                self._connections.pop().close()
            self._local = threading.local()

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection]:
        """Lend this thread's connection and say database errors in our words; a damaged file is set aside."""
        try:
            yield self._connection()
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise StoreBusy(f"{self.path} is locked by another process; try again in a moment.") from None
            raise StoreError(f"{self.path} cannot be used ({error}); check the disk and the file's rights.") from None
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                raise StoreError(f"{self.path} cannot be used ({error}); open the home again.") from None
            aside = self._set_aside()
            raise StoreError(
                f"{self.path} is damaged ({error}) and was moved to {aside.name}; vectors are made anew next time."
            ) from None

    def _connection(self) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if known is None:
            known = self._open()
            self._local.connection = known
            with self._lock:
                self._connections.append(known)
        return known

    def _open(self) -> sqlite3.Connection:
        self.path.touch(mode=0o600, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > FORMAT_VERSION:
            connection.close()
            raise NewerFormat(f"{self.path} was written by a newer hardwon; upgrade hardwon, nothing was touched.")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors("
                "space TEXT NOT NULL, key TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (space, key)) WITHOUT ROWID"
            )
            connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        return connection

    def _set_aside(self) -> Path:
        self.close()
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}")
        with contextlib.suppress(FileNotFoundError):
            self.path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        return aside
