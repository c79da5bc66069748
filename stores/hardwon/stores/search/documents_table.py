"""The documents of search as a table of its own, for a store whose memories have no columns to search by.

`changed` rises with every change, and a document that was removed is known by `search_removals`, so that whoever
follows the documents (the vectors) reads only what is new. A store whose `search_documents` is a view shows both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from hardwon.stores.search.documents import FACTS, Document
from hardwon.stores.search.postings import Posted
from hardwon.stores.search.statements import marks

_TABLES = (
    "CREATE TABLE IF NOT EXISTS search_documents(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    f"{', '.join(FACTS)}, length INTEGER NOT NULL, vector_keys TEXT NOT NULL, terms TEXT NOT NULL, "
    "changed INTEGER NOT NULL DEFAULT 0)",
    "CREATE INDEX IF NOT EXISTS search_by_project ON search_documents(project)",
    "CREATE INDEX IF NOT EXISTS search_rules ON search_documents(kind) WHERE kind = 'rule'",
    "CREATE INDEX IF NOT EXISTS search_by_change ON search_documents(changed)",
    "CREATE TABLE IF NOT EXISTS search_removals(number INTEGER PRIMARY KEY, changed INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS search_removals_by_change ON search_removals(changed)",
)
_COLUMNS = ("id", *FACTS, "length", "vector_keys", "terms", "changed")
_INSERT = f"INSERT INTO search_documents({', '.join(_COLUMNS)}) VALUES {marks(_COLUMNS)}"  # noqa: S608


class DocumentsTable:
    """The table of one database. The caller owns connection and transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def create(self) -> None:
        """Make the table where it is missing."""
        for statement in _TABLES:
            self._connection.execute(statement)

    def add(self, documents: Iterable[Document]) -> list[Posted]:
        """Write documents that have no row yet; return what is to be indexed of them."""
        posted: list[Posted] = []
        change = self._next_change()
        for document in documents:
            row = (document.id, *document.facts, document.length, document.vector_keys, document.terms, change)
            number = self._connection.execute(_INSERT, row).lastrowid
            assert number is not None
            posted.append((number, document.length, document.terms))
        return posted

    def remove(self, numbers: Sequence[int]) -> None:
        """Remove rows; that they are gone is noted for whoever follows the changes."""
        change = self._next_change()
        self._connection.executemany("DELETE FROM search_documents WHERE number = ?", [(each,) for each in numbers])
        self._connection.executemany(
            "INSERT OR REPLACE INTO search_removals VALUES (?, ?)", [(each, change) for each in numbers]
        )

    def _next_change(self) -> int:
        """Return a number higher than that of any change: who follows reads what has a higher one than it knows."""
        sql = (
            "SELECT 1 + max(ifnull((SELECT max(changed) FROM search_documents), 0), "
            "ifnull((SELECT max(changed) FROM search_removals), 0))"
        )
        (change,) = self._connection.execute(sql).fetchone()
        return int(change)
