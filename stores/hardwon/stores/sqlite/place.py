"""Where and how the file of the SQLite store can be opened: to write, or at least to read.

Write-ahead logging lets others read while one writes. Where a file system cannot share memory between processes it is
impossible, and the rollback journal takes its place: slower, and readers wait for writers. In a folder that cannot be
written to, or on a full disk, the file is read as it stands.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from hardwon.kernel.errors import StoreError
from hardwon.stores.sqlite.errors import PATIENCE, in_our_words, is_busy, is_unwritable
from hardwon.stores.sqlite.log_reading import whole_image

ENDINGS = ("", "-wal", "-shm", "-journal")
"""How the names of SQLite's files end."""
_PAGE = 8192
"""Bytes of a page of a new file: of the half of it, rows of memories and vectors leave a tenth empty."""
_CHECKPOINT = 4000
"""Pages of the log, 32 MB of them, after which it is copied into the file: the disk is waited for each time."""
_CACHE = 32_000
"""Kilobytes of pages that a connection keeps."""
_PAUSE = 0.01
"""Seconds between two attempts to switch the journal mode."""
_LARGEST_LOG = 64_000_000
"""Bytes to which the write-ahead log shrinks again once it was copied."""


@dataclass(frozen=True)
class Place:
    """How a file is opened."""

    uri: str
    journal: str = ""
    """SQLite's journal mode: `wal`, or what took its place; empty where the file is only read."""

    @property
    def is_writable(self) -> bool:
        """Tell whether it can be written."""
        return bool(self.journal)

    def connect(self) -> sqlite3.Connection:
        """Return a new connection in autocommit mode. Raises sqlite3.Error."""
        connection = sqlite3.connect(
            self.uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            if self.is_writable:
                connection.execute(f"PRAGMA journal_mode = {self.journal}").fetchall()
                # A write-ahead log that was not waited for is whole after kill -9, and after a power cut as of some
                # moment before; a rollback journal that was not waited for may leave the file torn.
                connection.execute(f"PRAGMA synchronous = {'NORMAL' if self.journal == 'wal' else 'FULL'}")
                connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_LOG}").fetchall()
                connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}").fetchall()
                connection.execute("PRAGMA secure_delete = ON").fetchall()
            connection.execute(f"PRAGMA cache_size = -{_CACHE}")
            connection.execute("PRAGMA temp_store = MEMORY")
        except BaseException:
            connection.close()
            raise
        return connection


def find_place(path: Path, vfs: str = "") -> Place:
    """Return how the file can be opened, making it for its owner alone where there is none. Raises StoreError.

    `vfs` names the layer by which SQLite reaches the disk, where it is not the system's usual one.
    """
    try:
        if _is_lost(path):
            raise StoreError(f"{path} is gone or empty while its log is there; bring it back, or move {path}-wal away.")
        if not path.exists():
            path.touch(mode=0o600)
        return writable(path, vfs)
    except sqlite3.Error as error:
        if not is_unwritable(error):
            raise in_our_words(error, path) from None
        return readable(path, vfs)
    except OSError as error:
        if not path.is_file():
            raise in_our_words(_of_the_system(error), path) from None
        return readable(path, vfs)


def _is_lost(path: Path) -> bool:
    """Tell whether only the log of a file is left, which SQLite would throw away: no log begins before its file."""
    return _has_log(path) and not (path.exists() and path.stat().st_size)


def writable(path: Path, vfs: str = "") -> Place:
    """Return a place with write-ahead logging, or with the journal that this file system can do.

    Raises sqlite3.Error where the file cannot be written.
    """
    uri = uri_of(path, "mode=rw", vfs=vfs)
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size = {_PAGE}")  # which an existing file does not follow
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not os.access(path, os.W_OK) or connection.execute("PRAGMA query_only").fetchone()[0]:
            raise _of_the_system(PermissionError("it is read-only"))
        for journal in ("wal", "truncate", "delete"):
            try:
                found = _switched(connection, journal)
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.OperationalError as error:
                if journal == "delete" or not is_unwritable(error):
                    raise
            else:
                return Place(uri, found)
        raise AssertionError("the loop returns or raises")
    finally:
        connection.close()


def _switched(connection: sqlite3.Connection, journal: str) -> str:
    """Return the journal mode after asking for one; whoever opens the file for the first time may be at it as well.

    SQLite does not wait for others here as it does elsewhere.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            ((found,),) = connection.execute(f"PRAGMA journal_mode = {journal}").fetchall()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return str(found)


def readable(path: Path, vfs: str = "") -> Place:
    """Return how a file is read that cannot be written. Raises StoreError where it cannot be read either.

    `immutable` reads the file without what only a log holds yet: where there is one, both are read into memory.
    """
    place = Place(uri_of(path, "mode=ro", vfs=vfs))
    try:
        _try(place)
    except sqlite3.Error as error:
        if not is_unwritable(error):
            raise in_our_words(error, path) from None
        place = _in_memory(path) if _has_log(path) else Place(uri_of(path, "mode=ro", "immutable=1", vfs=vfs))
    try:
        _try(place)
    except sqlite3.Error as error:
        raise in_our_words(error, path) from None
    return place


def unchanging(path: Path) -> Place:
    """Return how to look into a file and leave nothing beside it, unless somebody is writing it. Raises StoreError."""
    if _has_log(path) or Path(f"{path}-journal").exists():
        return readable(path)
    return Place(uri_of(path, "mode=ro", "immutable=1"))


def _try(place: Place) -> None:
    connection = place.connect()
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        connection.close()


def _has_log(path: Path) -> bool:
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _in_memory(path: Path) -> Place:
    """Return a copy in memory of a file with its log, which lasts as long as the place. Raises StoreError."""
    place = Place(f"file:/{secrets.token_hex(8)}?vfs=memdb")
    keeper = sqlite3.connect(place.uri, uri=True, check_same_thread=False)
    image = sqlite3.connect(":memory:")
    try:
        image.deserialize(whole_image(path))  # which is let go of before the next copy
        image.backup(keeper)
    except OSError as error:
        raise in_our_words(_of_the_system(error), path) from None
    finally:
        image.close()
    weakref.finalize(place, keeper.close)
    return place


def uri_of(path: Path, *options: str, vfs: str = "") -> str:
    """Return a path as SQLite's URI."""
    quoted = str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    given = "&".join([*options, *([f"vfs={vfs}"] if vfs else [])])
    return f"file:{quoted}{f'?{given}' if given else ''}"


def _of_the_system(error: OSError) -> sqlite3.OperationalError:
    """Return an error of the system as SQLite would have told it."""
    told = sqlite3.OperationalError(error.strerror or str(error))
    told.sqlite_errorcode = sqlite3.SQLITE_READONLY
    return told
