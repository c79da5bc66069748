"""When documents began to be known and to be valid, held for questions about the past.

A chunk says of that only the earliest moment. Of the chunk in which the moment asked for lies, and of the documents in
no full chunk, each one's is read here: once for each state of the documents, since their rows are wide.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hardwon.stores.search.bitmaps import CHUNK, full_chunks
from hardwon.stores.search.bits import bits_of
from hardwon.stores.search.changes import DocumentChanges, State

MOST_HELD = 64
"""Stretches of documents that are held, of CHUNK documents or less each: 128 kB of them at most for each."""
_LATER = "ifnull(asserted_at > ? OR valid_at > ?, 0)"
_COLUMNS = ("asserted_at", "valid_at")
Moments = tuple[float | None, float | None]
"""When something is to have been known, and when to have been so, in seconds since 1970; None: at any time."""


@dataclass(frozen=True, slots=True)
class _Starts:
    """The moments from which on some documents are, in rising order, and the numbers of those documents."""

    moments: array[float]
    numbers: array[int]
    is_in_order: bool
    """Whether the numbers rise too, without a gap."""

    def after(self, moment: float) -> int:
        """Return, as bits, the documents that were not yet at a moment."""
        first = bisect_right(self.moments, moment)
        if self.is_in_order and first < len(self.numbers):
            return ((1 << (len(self.numbers) - first)) - 1) << self.numbers[first]
        return bits_of(self.numbers[first:])


class Starts:
    """The moments from which on documents are known and valid, as one connection sees them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._changes = DocumentChanges(connection)
        self._state: State | None = None
        self._held: dict[tuple[str, int], _Starts] = {}

    def without_later(self, within: int | None, moments: Moments) -> int:
        """Return documents (bits; None: all) without those that were not known or not valid yet at these moments.

        Of those in no full chunk, and in the last one that had begun: where numbers rise with time, as they mostly do,
        `DocumentSets.not_after` leaves out all others.
        """
        is_settled = self._changes.is_settled
        with self._changes.at_once():
            state = self._changes.state()
            if state != self._state or len(self._held) >= MOST_HELD:
                self._held.clear()
            # What a transaction may yet take back is not held: the next change would have the same number.
            self._state = state if is_settled else None
            found = self._all() if within is None else within
            for column, moment in zip(_COLUMNS, moments, strict=True):
                for chunk in self._chunks(moments) if moment is not None else ():
                    found &= ~self._starts(column, chunk).after(moment or 0.0)
            return found

    def _all(self) -> int:
        """Return all documents, as bits."""
        (last,) = self._connection.execute("SELECT ifnull(max(number), 0) FROM search_documents").fetchone()
        return (1 << int(last) + 1) - 1

    def _chunks(self, moments: Moments) -> Sequence[int]:
        """Return the last full chunk that had begun, and the one that is not full."""
        sql = f"SELECT max(chunk) FROM search_chunks WHERE NOT {_LATER}"  # noqa: S608
        (chunk,) = self._connection.execute(sql, moments).fetchone()
        full = full_chunks(self._connection)
        return (full,) if chunk is None else (chunk, full)

    def _starts(self, column: str, chunk: int) -> _Starts:
        if (column, chunk) not in self._held:
            sql = (
                f"SELECT {column}, number FROM search_documents WHERE number >= ? AND number < ? "  # noqa: S608
                f"AND {column} IS NOT NULL ORDER BY {column}, number"
            )
            rows = self._connection.execute(sql, (chunk * CHUNK, (chunk + 1) * CHUNK)).fetchall()
            moments, numbers = array("d", [row[0] for row in rows]), array("q", [row[1] for row in rows])
            in_order = all(after == before + 1 for before, after in pairwise(numbers))
            self._held[column, chunk] = _Starts(moments, numbers, in_order)
        return self._held[column, chunk]
