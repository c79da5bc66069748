"""Sets of documents, as bits: those that hold a term, lie in projects, or may have been known at a time.

They come from bitmaps as far as there are any, from FTS5's postings and the documents' rows else.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence

from hardwon.stores.search.bitmaps import CHUNK, SIZE, of_project, read
from hardwon.stores.search.bits import set_flags
from hardwon.stores.search.starts import Starts
from hardwon.stores.search.statements import marks

RARE = 500
"""Postings of a term that FTS5 lists as fast as its bitmaps are read."""
COMMON = 200
"""One document in so many: of a term that fewer hold, hardly a chunk has a bitmap."""
FEW = 8000
"""Documents, times the terms of a question, up to which the documents are listed at once and not counted first."""
LISTED = 50_000
"""Documents up to which those that hold a term which is common in no chunk are listed at once: counted, they would be
walked twice, and there are hardly more than a few hundred."""
CHUNK_COST = 5
"""Postings that take as long to list as one bitmap to read."""
_OF_A_TERM = 128
"""Bytes, about, kept of a term beside its set: also of one that no document holds, and of those there is no end."""
_AT_ONCE = 500
_STATE = (
    "SELECT documents, length, (SELECT max(number) FROM search_documents), "
    "(SELECT ifnull(max(chunk) + 1, 0) FROM search_chunks) FROM search_totals"
)
"""How many documents there are, the terms of all, the highest number, and how many chunks are full."""


class DocumentSets:
    """The sets of one database as it is now; whoever asks for several sees to it that nobody writes meanwhile.

    What was asked for once is kept. Nothing that is told depends on what was asked for before.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.documents: int
        self.length: int
        """How many terms all documents have together."""
        self._full: int
        self.documents, self.length, last, self._full = connection.execute(_STATE).fetchone()
        self._size = max(self._full * SIZE, ((last or 0) >> 3) + 1)
        self._since = min(self.documents, 8 * self._size - self._full * CHUNK)
        """Documents, or a few more, that are in no full chunk."""
        self.starts = Starts(connection)
        self._kept_bytes = 0
        self._lists: dict[str, list[int]] = {}
        """The documents that hold a term, where they were listed to count them for the question of now."""
        self._counts: dict[str, int] = {}
        """How many there were of those."""
        self._counted: dict[str, int | None] = {}
        """How many documents of full chunks hold a term that is common in one; None: none, or it is not."""
        self._found: dict[str, int] = {}
        """The documents that hold a term, as bits."""
        self._own: dict[str | None, int] = {}
        """Those of a project."""

    @property
    def size(self) -> int:
        """Return about how many bytes are kept."""
        terms = len(self._counts) + len(self._counted) + len(self._found) + len(self._own)
        return self._kept_bytes + _OF_A_TERM * terms + self.starts.size

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Return how many documents hold each term, without those that none holds.

        Of common terms it is what full chunks hold, and the same share of the documents since.
        """
        self._lists.clear()
        if self.documents * len(terms) <= FEW:
            return self._counts_of(terms)
        found: dict[str, int] = {}
        if self._full:
            counted = max(1, self.documents - self._since)
            for term, documents in self._in_full_chunks(terms):
                share = documents * self.documents // counted
                # Where many were removed, the share is of fewer documents than it was counted in.
                found[term] = max(1, min(share, documents + self._since, self.documents))
        rare = [term for term in terms if term not in found]
        if self.documents <= LISTED:
            return found | self._counts_of(rare)
        found.update(self._told("SELECT term, doc FROM search_vocabulary", rare))
        return found

    def _counts_of(self, terms: Sequence[str]) -> dict[str, int]:
        """Return how many documents hold each term, without those that none holds, by listing them."""
        for term in terms:
            if term not in self._counts:
                self._lists[term] = numbers = self._listed(term)
                self._counts[term] = len(numbers)
        return {term: count for term in terms if (count := self._counts[term])}

    def _in_full_chunks(self, terms: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Walk the terms that are common in a full chunk, and how many documents of those hold them still."""
        new = [term for term in terms if term not in self._counted]
        told = dict(self._told("SELECT term, documents FROM search_terms", new))
        self._counted.update((term, told.get(term) or None) for term in new)
        return ((term, count) for term in terms if (count := self._counted[term]))

    def _told(self, sql: str, terms: Sequence[str]) -> Iterator[tuple[str, int]]:
        for start in range(0, len(terms), _AT_ONCE):
            some = terms[start : start + _AT_ONCE]
            yield from self._connection.execute(f"{sql} WHERE term IN {marks(some)}", some)

    def cost(self, documents: int) -> int:
        """Return how many postings take as long to list as it takes to look up a term that so many documents hold."""
        if not self._is_common(documents):
            return documents
        return self._full * CHUNK_COST + documents * self._since // max(1, self.documents)

    def holders(self, term: str, documents: int) -> int:
        """Return the documents that hold a term, about so many of them, as bits."""
        if term not in self._found:
            flags = bytearray(self._size)
            if term in self._lists:
                self._set(flags, self._lists[term])
            elif self._is_common(documents):
                for numbers in read(self._connection, term, flags):
                    self._set(flags, self._listed(term, numbers))
            else:
                self._set(flags, self._listed(term))
            self._found[term] = self._kept(flags)
        return self._found[term]

    def of_projects(self, projects: Sequence[str | None]) -> int:
        """Return the documents of some projects, None among them for those of none."""
        found = 0
        for project in projects:
            if project not in self._own:
                self._own[project] = self._of_project(project)
            found |= self._own[project]
        return found

    def _of_project(self, project: str | None) -> int:
        flags = bytearray(self._size)
        read(self._connection, of_project(project), flags)
        sql = "SELECT json_group_array(number) FROM search_documents WHERE project IS ? AND number >= ?"
        (numbers,) = self._connection.execute(sql, (project, self._full * CHUNK)).fetchone()
        self._set(flags, json.loads(numbers))
        return self._kept(flags)

    def not_after(self, known_at: float | None, as_of: float | None) -> int | None:
        """Return all documents but those of chunks in which nothing was asserted or valid yet at these times.

        None where there is no such chunk.
        """
        flags = bytearray(b"\xff" * self._size)
        sql = "SELECT chunk FROM search_chunks WHERE asserted_at > ? OR valid_at > ?"
        chunks = self._connection.execute(sql, (known_at, as_of)).fetchall()
        for (chunk,) in chunks:
            flags[chunk * SIZE : (chunk + 1) * SIZE] = bytes(SIZE)
        return int.from_bytes(flags, "little") if chunks else None

    def _kept(self, flags: bytearray) -> int:
        self._kept_bytes += len(flags)
        return int.from_bytes(flags, "little")

    def _set(self, flags: bytearray, numbers: Sequence[int]) -> None:
        try:
            set_flags(flags, numbers)
        except IndexError:
            raise sqlite3.DatabaseError(
                "the search tables are damaged: there is no document of such a number"
            ) from None

    def _is_common(self, documents: int) -> bool:
        return self._full > 0 and documents > max(RARE, self.documents // COMMON)

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
