"""The tables of keyword search, as they are written: which memory holds which term, and how often each occurs."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence

from hardwon.stores.search.documents import FACTS, Document
from hardwon.stores.search.statements import marks

_TABLES = (
    "CREATE TABLE IF NOT EXISTS search_documents(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    f"{', '.join(FACTS)}, length INTEGER NOT NULL, vector_keys TEXT NOT NULL, terms TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS search_by_project ON search_documents(project)",
    "CREATE INDEX IF NOT EXISTS search_rules ON search_documents(kind) WHERE kind = 'rule'",
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_postings USING fts5(terms, content='search_documents', "
    "content_rowid='number', detail=none, columnsize=0, tokenize=\"ascii tokenchars '_'\")",
    "CREATE TABLE IF NOT EXISTS search_terms(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS search_totals(documents INTEGER NOT NULL, length INTEGER NOT NULL)",
    "INSERT INTO search_totals SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM search_totals)",
)
_COLUMNS = ("id", *FACTS, "length", "vector_keys", "terms")
_INSERT = f"INSERT INTO search_documents({', '.join(_COLUMNS)}) VALUES {marks(_COLUMNS)}"  # noqa: S608


class Postings:
    """The postings of one database. The caller owns connection and transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def create(self) -> None:
        """Make the tables where they are missing."""
        for statement in _TABLES:
            self._connection.execute(statement)

    def add(self, documents: Sequence[Document]) -> None:
        """Index documents; one whose id is known is replaced."""
        self.remove([document.id for document in documents])
        frequencies: Counter[str] = Counter()
        for document in documents:
            frequencies.update(set(document.terms))
            text = " ".join(document.terms)
            row = (document.id, *document.facts, document.length, " ".join(document.vector_keys), text)
            number = self._connection.execute(_INSERT, row).lastrowid
            self._connection.execute("INSERT INTO search_postings(rowid, terms) VALUES (?, ?)", (number, text))
        self._count(frequencies, len(documents), sum(document.length for document in documents))

    def remove(self, ids: Sequence[str]) -> None:
        """Take documents out; unknown ids are passed over."""
        frequencies: Counter[str] = Counter()
        removed = length = 0
        for id in ids:
            sql = "SELECT number, length, terms FROM search_documents WHERE id = ?"
            for number, size, text in self._connection.execute(sql, (id,)).fetchall():
                self._connection.execute(
                    "INSERT INTO search_postings(search_postings, rowid, terms) VALUES ('delete', ?, ?)", (number, text)
                )
                self._connection.execute("DELETE FROM search_documents WHERE number = ?", (number,))
                frequencies.update(set(text.split()))
                removed, length = removed + 1, length + size
        if removed:
            self._count({term: -count for term, count in frequencies.items()}, -removed, -length)
            gone = [(term,) for term in frequencies]
            self._connection.executemany("DELETE FROM search_terms WHERE term = ? AND documents <= 0", gone)

    def _count(self, frequencies: Mapping[str, int], documents: int, length: int) -> None:
        self._connection.executemany(
            "INSERT INTO search_terms VALUES (?, ?) ON CONFLICT(term) DO UPDATE SET documents = documents + ?",
            [(term, count, count) for term, count in frequencies.items()],
        )
        self._connection.execute(
            "UPDATE search_totals SET documents = documents + ?, length = length + ?", (documents, length)
        )
