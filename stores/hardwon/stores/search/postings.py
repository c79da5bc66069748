"""The tables of keyword search, as they are written: which memory holds which term, and how often each occurs.

The documents themselves are rows of `search_documents`: a table of search's own (`documents_table`), or a view of a
store over the table of its memories.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from hardwon.stores.search import bitmaps
from hardwon.stores.search.statements import marks

Posted = tuple[int, int, str]
"""A document's number, its length in terms, and its terms with blanks between."""

_TABLES = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_postings USING fts5(terms, content='search_documents', "
    "content_rowid='number', detail=none, columnsize=0, tokenize=\"ascii tokenchars '_'\")",
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_vocabulary USING fts5vocab(search_postings, row)",
    "CREATE TABLE IF NOT EXISTS search_totals(documents INTEGER NOT NULL, length INTEGER NOT NULL)",
    "INSERT INTO search_totals SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM search_totals)",
    *bitmaps.TABLES,
)
_AT_ONCE = 500


class Postings:
    """The postings of one database. The caller owns connection and transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._bitmaps = bitmaps.Bitmaps(connection)

    def create(self) -> None:
        """Make the tables where they are missing; `search_documents` may be made before or after."""
        for statement in _TABLES:
            self._connection.execute(statement)

    def add(self, posted: Sequence[Posted]) -> None:
        """Index documents whose rows have been written; none of them is indexed yet.

        One that has other terms, or another project, than it had is removed before its row changes, and added after.
        """
        self._connection.executemany(
            "INSERT INTO search_postings(rowid, terms) VALUES (?, ?)", [(number, terms) for number, _, terms in posted]
        )
        self._count(posted, 1)
        self._bitmaps.add([number for number, _, _ in posted])

    def remove(self, ids: Sequence[str]) -> list[int]:
        """Take documents out while their rows still say what was indexed; return their numbers.

        Unknown ids are passed over.
        """
        posted = list(self._posted(ids))
        numbers = [number for number, _, _ in posted]
        if posted:
            self._bitmaps.remove(numbers)
            self._connection.executemany(
                "INSERT INTO search_postings(search_postings, rowid, terms) VALUES ('delete', ?, ?)",
                [(number, terms) for number, _, terms in posted],
            )
            self._count(posted, -1)
        return numbers

    def _posted(self, ids: Sequence[str]) -> Iterable[Posted]:
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            sql = f"SELECT number, length, terms FROM search_documents WHERE id IN {marks(some)}"  # noqa: S608
            yield from map(tuple, self._connection.execute(sql, list(some)).fetchall())

    def _count(self, posted: Sequence[Posted], sign: int) -> None:
        """Add the documents to what is known of all, or subtract them."""
        self._connection.execute(
            "UPDATE search_totals SET documents = documents + ?, length = length + ?",
            (sign * len(posted), sign * sum(length for _, length, _ in posted)),
        )
