"""The index of one mounted folder, `<home>/mounts/<key>.sqlite`: derived, and made anew whenever it is in doubt."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardwon.kernel.errors import StoreError
from hardwon.stores.mounts.hook_reading import FORMAT_VERSION, index_file

BUSY_SECONDS = 2.0
ENDINGS = ("", "-wal", "-shm", "-journal")
"""How the names of SQLite's files end."""
_TABLES = """
CREATE TABLE notes (                    -- every note that was met
    path TEXT PRIMARY KEY,              -- below the mounted folder
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    settled INTEGER NOT NULL,           -- 0: it was read so soon after it changed that it may have changed again
    why TEXT                            -- why nothing of it is shown; NULL where it is
);
CREATE TABLE passages (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    entry TEXT NOT NULL                 -- as JSON
);
CREATE INDEX passages_by_path ON passages (path);
CREATE TABLE relations (                -- passages have none; search asks for them
    source TEXT, kind TEXT, target TEXT, retracted_at REAL
);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def index_path(home: Path, root: str) -> Path:
    """Return where the index of a mounted folder is kept."""
    return Path(index_file(str(home), root))


@contextmanager
def opened(path: Path) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """Open an index, making it where there is none or one of another format; with whether it can be written to.

    Raises StoreError; one that turns out to be damaged is removed, and made anew by who asks next.
    """
    connection = None
    try:
        connection, may_write = _connected(path)
        yield connection, may_write
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} cannot be used ({error}); make room or permit writing beside it.") from None
    except sqlite3.DatabaseError as error:
        remove(path)
        raise StoreError(f"{path} was damaged ({error}) and is made anew from the folder; ask again.") from None
    finally:
        if connection is not None:
            connection.close()


def _connected(path: Path) -> tuple[sqlite3.Connection, bool]:
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
    is_there = path.exists()
    if not os.access(path.parent, os.W_OK) or (is_there and not os.access(path, os.W_OK)):
        if not is_there:
            raise StoreError(f"{path.parent} cannot be written to; permit it, so that the mounted folder is indexed.")
        # SQLite can make no side file here; nor does anybody else write.
        return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None), False
    if is_there and _format_of(path) not in (FORMAT_VERSION, None):
        remove(path)
    if not path.exists():
        path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    _create(connection)
    return connection, True


def _format_of(path: Path) -> str | None:
    """Return the format of an index; None for an empty one. Raises sqlite3.Error."""
    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            return None
        return str(connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()[0])


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables where there are none."""
    from hardwon.stores.search.index import SearchIndex

    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return
    connection.execute("BEGIN IMMEDIATE")
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():  # nobody was faster
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        SearchIndex(connection).create()
        connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT_VERSION,))
    connection.execute("COMMIT")


def remove(path: Path) -> None:
    """Remove an index with its side files."""
    for ending in ENDINGS:
        Path(f"{path}{ending}").unlink(missing_ok=True)
