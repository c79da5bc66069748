"""Keyword search: FTS5 keeps which memory holds which term; BM25 is computed here over all terms of the question.

The rarest terms choose whom to look at, since a common word's postings cost much and tell little; all terms score those
(measured at 10,000 memories: tests/benchmarks/bench_recall.py). FTS5's own bm25() is not used: on a handful of memories
its idf turns negative, and it cannot say what matched. The terms come prepared from `hardwon.kernel.text`: letters,
digits and underscores alone, always quoted, so that no question is a syntax error.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hardwon.stores.search.statements import marks

SATURATION = 1.2
LENGTH_WEIGHT = 0.75
HIGHEST = SATURATION + 1
"""BM25 of one term is at most this times its idf."""
POSTINGS = 3000
"""How many postings a question reads at most beyond its rarest term: some 0.5 ms."""

_TABLES = """
CREATE TABLE IF NOT EXISTS search_documents(
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, length INTEGER NOT NULL, vector_keys TEXT NOT NULL,
    terms TEXT NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS search_postings USING fts5(
    terms, content='search_documents', content_rowid='number', detail=none, columnsize=0,
    tokenize="ascii tokenchars '_'");
CREATE TABLE IF NOT EXISTS search_terms(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS search_totals(documents INTEGER NOT NULL, length INTEGER NOT NULL, changes INTEGER NOT NULL);
INSERT INTO search_totals SELECT 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM search_totals);
"""


@dataclass(frozen=True, slots=True)
class Document:
    """One memory as it is indexed."""

    id: str
    terms: Sequence[str]
    vector_keys: Sequence[str]


@dataclass(frozen=True, slots=True)
class Score:
    """What keywords say of one document."""

    lexical: float
    """min(1, BM25 / (2.2 · Σ idf)), 0–1."""
    weight: float
    """BM25 as a multiple of the most that a term which nothing else holds can add."""
    parts: dict[str, float]
    """By term that the document holds: its part of `lexical`."""


@dataclass(slots=True)
class Matches:
    """Which documents hold terms of a question, and what each term weighs."""

    idf: dict[str, float]
    """Inverse document frequency of every term of the question, times the weight it was given."""
    shares: dict[int, float] = field(default_factory=dict)
    """By document number: the sum of the idf of the terms looked up that it holds."""
    average_length: float = 1.0
    rarest: float = 1.0
    """The idf of a term that no document holds."""

    def score(self, terms: Sequence[str]) -> Score:
        """Return how well a document with these terms, repeats and all, answers the question."""
        counts = Counter(term for term in terms if term in self.idf)
        norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(terms) / self.average_length)
        total = sum(self.idf.values()) or 1.0
        bm25 = {term: self.idf[term] * HIGHEST * tf / (tf + norm) for term, tf in counts.items()}
        parts = {term: value / HIGHEST / total for term, value in bm25.items()}
        return Score(min(1.0, sum(parts.values())), sum(bm25.values()) / HIGHEST / self.rarest, parts)


def _idf(documents: int, count: int) -> float:
    """Return the inverse document frequency, above 0 in the smallest store (Robertson's, with 1 added as in Lucene)."""
    return math.log(1 + (max(documents, count) - count + 0.5) / (count + 0.5))


class LexicalIndex:
    """The postings of one database. The caller owns connection and transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def create(self) -> None:
        """Make the tables where they are missing."""
        for statement in _TABLES.split(";\n"):
            if statement.strip():
                self._connection.execute(statement)

    def add(self, documents: Sequence[Document]) -> None:
        """Index documents; one whose id is known is replaced."""
        self.remove([document.id for document in documents])
        frequencies: Counter[str] = Counter()
        for document in documents:
            frequencies.update(set(document.terms))
            text = " ".join(document.terms)
            cursor = self._connection.execute(
                "INSERT INTO search_documents(id, length, vector_keys, terms) VALUES (?, ?, ?, ?)",
                (document.id, len(document.terms), " ".join(document.vector_keys), text),
            )
            self._connection.execute(
                "INSERT INTO search_postings(rowid, terms) VALUES (?, ?)", (cursor.lastrowid, text)
            )
        self._count(frequencies, len(documents), sum(len(document.terms) for document in documents))

    def remove(self, ids: Sequence[str]) -> None:
        """Take documents out; unknown ids are passed over."""
        frequencies: Counter[str] = Counter()
        removed = length = 0
        for id in ids:
            row = self._connection.execute("SELECT number, length, terms FROM search_documents WHERE id = ?", (id,))
            found = row.fetchone()
            if found is None:
                continue
            number, size, text = found
            self._connection.execute(
                "INSERT INTO search_postings(search_postings, rowid, terms) VALUES ('delete', ?, ?)", (number, text)
            )
            self._connection.execute("DELETE FROM search_documents WHERE number = ?", (number,))
            frequencies.update(set(text.split()))
            removed, length = removed + 1, length + size
        if removed:
            self._count({term: -count for term, count in frequencies.items()}, -removed, -length)
            self._connection.executemany(
                "DELETE FROM search_terms WHERE term = ? AND documents <= 0", [(term,) for term in frequencies]
            )

    def _count(self, frequencies: Mapping[str, int], documents: int, length: int) -> None:
        self._connection.executemany(
            "INSERT INTO search_terms VALUES (?, ?) ON CONFLICT(term) DO UPDATE SET documents = documents + ?",
            [(term, count, count) for term, count in frequencies.items()],
        )
        self._connection.execute(
            "UPDATE search_totals SET documents = documents + ?, length = length + ?, changes = changes + 1",
            (documents, length),
        )

    def changes(self) -> int:
        """Return a number that grows whenever documents change."""
        row = self._connection.execute("SELECT changes FROM search_totals").fetchone()
        return int(row[0])

    def match(self, weights: Mapping[str, float]) -> Matches:
        """Look up the terms of a question (term: weight above 0), rarest first, within the budget of postings."""
        documents, length = self._connection.execute("SELECT documents, length FROM search_totals").fetchone()
        frequencies = self._frequencies(list(weights))
        idf = {term: weight * _idf(documents, frequencies.get(term, 0)) for term, weight in weights.items()}
        average = max(1.0, length / max(1, documents))
        matches = Matches(idf, average_length=average, rarest=_idf(documents, 0))
        left = POSTINGS
        for term in sorted(frequencies, key=lambda term: (frequencies[term], term)):
            if matches.shares and frequencies[term] > left:
                break
            left -= frequencies[term]
            self._look_up(term, matches)
        return matches

    def _frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for start in range(0, len(terms), 500):
            some = terms[start : start + 500]
            sql = f"SELECT term, documents FROM search_terms WHERE term IN {marks(some)}"  # noqa: S608
            found.update(self._connection.execute(sql, some).fetchall())
        return found

    def _look_up(self, term: str, matches: Matches) -> None:
        weight = matches.idf[term]
        rows = self._connection.execute(
            "SELECT rowid FROM search_postings WHERE search_postings MATCH ?", (f'"{term}"',)
        )
        shares = matches.shares
        for (number,) in rows:
            shares[number] = shares.get(number, 0.0) + weight
