"""Builds anew what is derived from the memories, and never the other way: search tables, columns, topics and tags."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from hardwon.stores.search.index import SearchIndex
from hardwon.stores.sql.deriving import derive
from hardwon.stores.sqlite.errors import in_our_words
from hardwon.stores.sqlite.searching import VIEWS

if TYPE_CHECKING:
    from hardwon.stores.sqlite.database import SqliteDatabase

_PAGE = 4000
"""Memories that are indexed at a time."""


def rebuild(database: SqliteDatabase) -> None:
    """Build everything derived anew, in one operation: others find what they found until it is done.

    Raises StoreBusy, StoreError.
    """
    with database.operation("Build the index anew"):
        derive(database)
        try:
            _search_tables(database.held.connection)
        except sqlite3.Error as error:
            raise in_our_words(error, database.path) from None


def _search_tables(connection: sqlite3.Connection) -> None:
    tables = (
        "SELECT type, name FROM sqlite_master WHERE name LIKE 'search\\_%' ESCAPE '\\' AND type IN ('table', 'view')"
    )
    # Virtual tables first: they take their own tables with them, which cannot be dropped alone.
    for kind, name in connection.execute(f"{tables} ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'").fetchall():
        connection.execute(f'DROP {kind} IF EXISTS "{name}"')
    for statement in VIEWS:
        connection.execute(statement)
    index = SearchIndex(connection, over_view=True)
    index.create()
    last = -1
    sql = "SELECT number, length, terms FROM memories WHERE number > ? ORDER BY number LIMIT ?"
    while rows := connection.execute(sql, (last, _PAGE)).fetchall():
        index.postings.add(rows)
        last = rows[-1][0]
    index.settle()
