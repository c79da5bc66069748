"""Looks up how many documents hold a term, and which: in bitmaps as far as there are any, in FTS5's postings else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from hardwon.stores.search import bitmaps
from hardwon.stores.search.bits import set_flags
from hardwon.stores.search.statements import marks

RARE = 500
"""Postings of a term that FTS5 lists as fast as its bitmaps are read."""
CHUNK_COST = 5
"""Postings that take as long to list as one bitmap to read."""
_AT_ONCE = 500


class TermLookup:
    """Looks up the terms of one question."""

    def __init__(self, connection: sqlite3.Connection, documents: int) -> None:
        self._connection = connection
        (last,) = connection.execute("SELECT max(number) FROM search_documents").fetchone()
        self._full = bitmaps.full_chunks(connection)
        self._size = max(self._full * bitmaps.SIZE, ((last or 0) >> 3) + 1)
        self._since = min(documents, 8 * self._size - self._full * bitmaps.CHUNK)
        """Documents, or a few more, that are in no full chunk."""
        self._documents = documents

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Return how many documents hold each term, without those that none holds.

        Of common terms it is what full chunks hold, and the same share of the documents since.
        """
        found: dict[str, int] = {}
        counted = max(1, self._documents - self._since)
        for start in range(0, len(terms) if self._full else 0, _AT_ONCE):
            some = terms[start : start + _AT_ONCE]
            sql = f"SELECT term, documents FROM search_terms WHERE term IN {marks(some)}"  # noqa: S608
            for term, documents in self._connection.execute(sql, some).fetchall():
                found[term] = max(1, documents * self._documents // counted)
        for term in terms:
            if term not in found:
                sql = "SELECT doc FROM search_vocabulary WHERE term = ?"
                row = self._connection.execute(sql, (term,)).fetchone()
                if row is not None:
                    found[term] = int(row[0])
        return found

    def cost(self, documents: int) -> int:
        """Return how many postings take as long to list as it takes to look up a term that so many documents hold."""
        if not self._is_common(documents):
            return documents
        return self._full * CHUNK_COST + documents * self._since // max(1, self._documents)

    def holders(self, term: str, documents: int) -> int:
        """Return the documents that hold a term, about so many of them, as bits."""
        flags = bytearray(self._size)
        if self._is_common(documents):
            for numbers in bitmaps.read(self._connection, term, flags):
                set_flags(flags, self._listed(term, numbers))
        else:
            set_flags(flags, self._listed(term))
        return int.from_bytes(flags, "little")

    def _is_common(self, documents: int) -> bool:
        return documents > RARE and self._full > 0

    def _listed(self, term: str, among: range | None = None) -> list[int]:
        # As one text: a row a posting takes twice as long.
        sql = "SELECT json_group_array(rowid) FROM search_postings WHERE search_postings MATCH ?"
        values: list[str | int] = [f'"{term}"']
        if among is not None:
            sql += " AND rowid >= ? AND rowid < ?"
            values += [among.start, among.stop]
        (numbers,) = self._connection.execute(sql, values).fetchone()
        listed: list[int] = json.loads(numbers)
        return listed
