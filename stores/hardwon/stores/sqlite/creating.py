"""Makes the tables of a new file, and brings an older file's to the present format: whole, or not at all.

Before an older file is changed, a copy of it is laid beside it. A newer one is refused, untouched.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import NewerFormat, StoreError
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.sql.format import FORMAT_KEY, FORMAT_VERSION, NUMBERED
from hardwon.stores.sqlite.copying import copy
from hardwon.stores.sqlite.errors import in_our_words
from hardwon.stores.sqlite.place import unchanging
from hardwon.stores.sqlite.searching import VIEWS

if TYPE_CHECKING:
    from hardwon.stores.sqlite.place import Place

BEFORE = ".before-format-"
"""Between the file's name and the format that it was brought to, in the name of the copy of before."""
MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {}
"""By format: what makes the next one of it, inside the caller's transaction."""


def format_of(path: Path) -> int | None:
    """Return the format of a file without changing anything; None where it holds no tables yet.

    Raises NewerFormat for one that this program does not know, StoreError where it is damaged or another program's.
    """
    if path.exists() and not path.is_file():  # to open a pipe would be to wait for its other end
        raise StoreError(f"{path} is no file; move it away, or name another home.")
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        connection = unchanging(path).connect()
        try:
            return _checked(_format(connection, path), path)
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise in_our_words(error, path) from None


def _format(connection: sqlite3.Connection, path: Path) -> int | None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    found = None
    if "meta" in tables:
        found = connection.execute("SELECT value FROM meta WHERE key = ?", (FORMAT_KEY,)).fetchone()
    if found is None or not str(found[0]).isdecimal():
        raise StoreError(f"{path} is no memory of hardwon; move it away, or name another home.")
    return int(found[0])


def _checked(format: int | None, path: Path) -> int | None:
    if format is not None and format > FORMAT_VERSION:
        raise NewerFormat(
            f"{path} has format {format} and this hardwon knows {FORMAT_VERSION}; upgrade hardwon, nothing was touched."
        )
    return format


def bring_up_to_date(path: Path, place: Place) -> None:
    """Make the tables where there are none, or those of an older format into those of this one. Raises StoreError."""
    if format_of(path) == FORMAT_VERSION:  # so that whoever only reads waits for no writer
        return
    if not place.is_writable:
        raise StoreError(f"{path} cannot be made or changed here; permit writing it and its folder, then repeat.")
    connection = place.connect()
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            format = _checked(_format(connection, path), path)
            if format is None:
                _create(connection)
            else:
                _migrate(connection, format, path)
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
    except sqlite3.Error as error:
        raise in_our_words(error, path) from None
    finally:
        connection.close()


def _create(connection: sqlite3.Connection) -> None:
    from hardwon.stores.sql.schema import statements

    for statement in (*statements("sqlite"), *VIEWS):
        connection.execute(statement)
    SearchIndex(connection, over_view=True).create()
    connection.executemany("INSERT INTO counters (name, value) VALUES (?, 0)", [(name,) for name in NUMBERED])
    connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (FORMAT_KEY, str(FORMAT_VERSION)))


def _migrate(connection: sqlite3.Connection, format: int, path: Path) -> None:
    """Bring the tables of an older format up to date; nobody writes meanwhile, so that the copy is what was."""
    if format == FORMAT_VERSION:
        return
    copy(path, path.with_name(f"{path.name}{BEFORE}{FORMAT_VERSION}"))
    for number in range(format, FORMAT_VERSION):
        MIGRATIONS[number](connection)
    connection.execute("UPDATE meta SET value = ? WHERE key = ?", (str(FORMAT_VERSION), FORMAT_KEY))
