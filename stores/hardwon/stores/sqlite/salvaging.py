"""Keeps what can be read of a damaged file: copied row by row into a new one; the damaged one is set aside, as it was.

What is derived is made anew. Of what lies on damaged pages nothing is guessed: how many memories that are is told.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError
from hardwon.kernel.whole_file import sync_folder
from hardwon.stores.sql.format import NUMBERED
from hardwon.stores.sqlite.creating import bring_up_to_date
from hardwon.stores.sqlite.database import SqliteDatabase
from hardwon.stores.sqlite.errors import PATIENCE, in_our_words, is_damage
from hardwon.stores.sqlite.place import ENDINGS, find_place, readable, uri_of
from hardwon.stores.sqlite.reindexing import rebuild
from hardwon.stores.sqlite.syncing import sync

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock

DAMAGED = ".damaged-"
"""What follows the file's name where it was set aside; the moment follows."""
LOST = "lost"
"""The key of `meta` under which a salvaged file says how many memories of the damaged one could not be read."""
_TABLES = (
    "memories", "relations", "versions", "decisions", "documents", "proposals", "journal", "activity", "operations",
    "removals", "spaces", "vectors",
)  # fmt: skip
_PAGE = 200


def salvage(path: Path, clock: Clock) -> Path:
    """Put a new file with everything that can be read in the place of a damaged one; return where that is now.

    Whoever has the damaged one open opens the new one next. Raises StoreError, leaving all as it is.
    """
    fresh = path.with_name(f"{path.name}.salvaged")
    try:
        _remove(fresh)
        with _standing_still(path):
            _make(path, fresh, clock)
            return _exchange(path, fresh, clock.now())
    except sqlite3.Error as error:
        raise in_our_words(error, path) from None
    except OSError as error:
        raise StoreError(
            f"{fresh} cannot be written ({error.strerror}); make room or permit it, then repeat."
        ) from None
    finally:
        _remove(fresh)


@contextlib.contextmanager
def _standing_still(path: Path) -> Iterator[None]:
    """Have others wait with writing, where the damaged file can still be locked: what they wrote later would be lost.

    Raises sqlite3.Error where somebody writes for too long.
    """
    uri = uri_of(path, "mode=rw")
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
        yield
    finally:
        connection.close()


def _make(path: Path, fresh: Path, clock: Clock) -> None:
    """Make the new file, whole and on its disk."""
    place = find_place(fresh)
    bring_up_to_date(fresh, place)
    _copy(path, fresh)
    database = SqliteDatabase(fresh, place, clock)
    try:
        rebuild(database)
        database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.close()
    sync(fresh)


def _copy(path: Path, fresh: Path) -> None:
    source, target = readable(path).connect(), sqlite3.connect(fresh, isolation_level=None)
    try:
        target.execute("BEGIN")
        for table in _TABLES:
            columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
            sql = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
            target.executemany(sql, (row[1:] for row in _readable_rows(source, table, columns)))
        given = _numbers_given(source)
        for table in NUMBERED:
            sql = f"UPDATE counters SET value = (SELECT max(?, coalesce(max(number), 0)) FROM {table}) WHERE name = ?"  # noqa: S608
            target.execute(sql, (given.get(table, 0), table))
        ends = "source NOT IN (SELECT id FROM memories) OR target NOT IN (SELECT id FROM memories)"
        target.execute(f"DELETE FROM relations WHERE {ends}")  # noqa: S608
        target.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (LOST, _lost(source, target)))
        target.execute("COMMIT")
    finally:
        source.close()
        target.close()


def _numbers_given(source: sqlite3.Connection) -> dict[str, int]:
    """Return the last number of each table, which nothing else may have again; empty where that cannot be read."""
    try:
        return dict(source.execute("SELECT name, value FROM counters").fetchall())
    except (sqlite3.Error, ValueError):
        return {}


def _lost(source: sqlite3.Connection, target: sqlite3.Connection) -> str:
    """Return how many memories could not be read: each has had a number, and those that were forgotten are known."""
    numbered = _numbers_given(source).get("memories")
    if numbered is None:
        return "an unknown number of"
    (had,) = target.execute("SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM removals)").fetchone()
    return str(max(0, numbered - had))


def _readable_rows(source: sqlite3.Connection, table: str, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Walk the rows of a table that can be read, each after its rowid; what cannot is stepped over."""
    sql = f"SELECT rowid, {', '.join(columns)} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT ?"  # noqa: S608
    last, page, step = -(2**62), _PAGE, 1
    while True:
        try:
            rows = source.execute(sql, (last, page)).fetchall()
        except (sqlite3.Error, UnicodeError) as error:
            if not is_damage(error):
                raise
            if page > 1:
                page = max(1, page // 4)
                continue
            if step > 2**62:
                return
            last, step = max(last, 0) + step, step * 2
            continue
        yield from rows
        if len(rows) < page:
            return
        last, page, step = rows[-1][0], _PAGE, 1


def _exchange(path: Path, fresh: Path, at: datetime) -> Path:
    """Set the damaged file aside with what stands beside it, and put the new one in its place.

    At no moment is there no file: whoever opened the store then would begin an empty memory.
    """
    aside = path.with_name(f"{path.name}{DAMAGED}{at:%Y%m%d-%H%M%S}")
    os.link(path, aside)
    for ending in ENDINGS[1:]:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    os.replace(fresh, path)  # noqa: PTH105 - one call that cannot be half done
    sync_folder(path.parent)
    return aside


def _remove(path: Path) -> None:
    for ending in ENDINGS:
        Path(f"{path}{ending}").unlink(missing_ok=True)
