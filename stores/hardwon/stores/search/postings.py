"""The tables of keyword search, as they are written: which memory holds which term, and how often each occurs.

The documents themselves are rows of `search_documents`: a table of search's own (`documents_table`), or a view of a
store over the table of its memories.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from hardwon.stores.search.statements import marks

Posted = tuple[int, int, str]
"""A document's number, its length in terms, and its terms with blanks between."""

_TABLES = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_postings USING fts5(terms, content='search_documents', "
    "content_rowid='number', detail=none, columnsize=0, tokenize=\"ascii tokenchars '_'\")",
    "CREATE TABLE IF NOT EXISTS search_terms(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS search_totals(documents INTEGER NOT NULL, length INTEGER NOT NULL)",
    "INSERT INTO search_totals SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM search_totals)",
)
_AT_ONCE = 500


class Postings:
    """The postings of one database. The caller owns connection and transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def create(self) -> None:
        """Make the tables where they are missing; `search_documents` may be made before or after."""
        for statement in _TABLES:
            self._connection.execute(statement)

    def add(self, posted: Sequence[Posted]) -> None:
        """Index documents whose rows have been written; none of them is indexed yet."""
        self._connection.executemany(
            "INSERT INTO search_postings(rowid, terms) VALUES (?, ?)", [(number, terms) for number, _, terms in posted]
        )
        self._count(posted, 1)

    def remove(self, ids: Sequence[str]) -> list[int]:
        """Take documents out while their rows still say what was indexed; return their numbers.

        Unknown ids are passed over.
        """
        posted = list(self._posted(ids))
        if posted:
            self._connection.executemany(
                "INSERT INTO search_postings(search_postings, rowid, terms) VALUES ('delete', ?, ?)",
                [(number, terms) for number, _, terms in posted],
            )
            gone = self._count(posted, -1)
            self._connection.executemany(
                "DELETE FROM search_terms WHERE term = ? AND documents <= 0", [(term,) for term in gone]
            )
        return [number for number, _, _ in posted]

    def _posted(self, ids: Sequence[str]) -> Iterable[Posted]:
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            sql = f"SELECT number, length, terms FROM search_documents WHERE id IN {marks(some)}"  # noqa: S608
            yield from map(tuple, self._connection.execute(sql, list(some)).fetchall())

    def _count(self, posted: Sequence[Posted], sign: int) -> Mapping[str, int]:
        """Add the documents to what is known of each term and of all, or subtract them; return by term how many."""
        frequencies: Counter[str] = Counter()
        for _, _, terms in posted:
            frequencies.update(set(terms.split()))
        self._connection.executemany(
            "INSERT INTO search_terms VALUES (?, ?) ON CONFLICT(term) DO UPDATE SET documents = documents + ?",
            [(term, sign * count, sign * count) for term, count in frequencies.items()],
        )
        self._connection.execute(
            "UPDATE search_totals SET documents = documents + ?, length = length + ?",
            (sign * len(posted), sign * sum(length for _, length, _ in posted)),
        )
        return frequencies
