"""The documents of search as a table of its own, for a store whose memories have no columns to search by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from hardwon.stores.search.documents import FACTS, Document
from hardwon.stores.search.postings import Posted
from hardwon.stores.search.statements import marks

_TABLES = (
    "CREATE TABLE IF NOT EXISTS search_documents(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    f"{', '.join(FACTS)}, length INTEGER NOT NULL, vector_keys TEXT NOT NULL, terms TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS search_by_project ON search_documents(project)",
    "CREATE INDEX IF NOT EXISTS search_rules ON search_documents(kind) WHERE kind = 'rule'",
)
_COLUMNS = ("id", *FACTS, "length", "vector_keys", "terms")
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
        for document in documents:
            row = (document.id, *document.facts, document.length, document.vector_keys, document.terms)
            number = self._connection.execute(_INSERT, row).lastrowid
            assert number is not None
            posted.append((number, document.length, document.terms))
        return posted

    def remove(self, numbers: Sequence[int]) -> None:
        """Remove rows."""
        self._connection.executemany("DELETE FROM search_documents WHERE number = ?", [(each,) for each in numbers])
