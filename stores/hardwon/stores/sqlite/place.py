"""Where and how the file of the SQLite store can be opened: to write, or at least to read.

Write-ahead logging lets others read while one writes. Where a file system cannot share memory between processes it is
impossible, and the rollback journal takes its place: slower, and readers wait for writers. In a folder that cannot be
written to, or on a full disk, the file is read as it stands.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hardwon.stores.sqlite.errors import PATIENCE, in_our_words, is_unwritable

ENDINGS = ("", "-wal", "-shm", "-journal")
"""How the names of SQLite's files end."""
_CACHE = 32_000
"""Kilobytes of pages that a connection keeps."""
_LARGEST_LOG = 64_000_000
"""Bytes to which the write-ahead log shrinks again once it was copied."""


@dataclass(frozen=True, slots=True)
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
        if not path.exists():
            path.touch(mode=0o600)
        return _writable(path, vfs)
    except sqlite3.Error as error:
        if not is_unwritable(error):
            raise in_our_words(error, path) from None
        return readable(path, vfs)
    except OSError as error:
        if not path.is_file():
            raise in_our_words(_of_the_system(error), path) from None
        return readable(path, vfs)


def _writable(path: Path, vfs: str) -> Place:
    """Return a place with write-ahead logging, or with the journal that this file system can do."""
    uri = uri_of(path, vfs=vfs)
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not os.access(path, os.W_OK) or connection.execute("PRAGMA query_only").fetchone()[0]:
            raise _of_the_system(PermissionError("it is read-only"))
        for journal in ("wal", "truncate", "delete"):
            try:
                ((found,),) = connection.execute(f"PRAGMA journal_mode = {journal}").fetchall()
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
            except sqlite3.OperationalError as error:
                if journal == "delete" or not is_unwritable(error):
                    raise
            else:
                return Place(uri, found)
        raise AssertionError("the loop returns or raises")
    finally:
        connection.close()


def readable(path: Path, vfs: str = "") -> Place:
    """Return how a file is read that cannot be written. Raises StoreError where it cannot be read either."""
    first: Exception | None = None
    for uri in _read_only(path, vfs):
        try:
            connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
            try:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            finally:
                connection.close()
        except sqlite3.Error as error:
            first = first or error
        else:
            return Place(uri)
    assert first is not None
    raise in_our_words(first, path) from None


def _read_only(path: Path, vfs: str) -> list[str]:
    """Return in which ways to try to read a file.

    `immutable` reads the file without what only the log holds yet: so where there is a log, a copy of both is read.
    """
    ways = [uri_of(path, "mode=ro", vfs=vfs)]
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return [*ways, uri_of(_copied(path), "mode=rw", vfs=vfs)]
    return [*ways, uri_of(path, "mode=ro", "immutable=1", vfs=vfs)]


def _copied(path: Path) -> Path:
    """Return a copy of a file with its log, in a folder that the system clears; for its owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="hardwon-"))
    for ending in ("", "-wal"):
        shutil.copyfile(f"{path}{ending}", folder / f"{path.name}{ending}")
        (folder / f"{path.name}{ending}").chmod(0o600)
    return folder / path.name


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
