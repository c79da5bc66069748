"""When documents began to be known and to be valid, held for questions about the past.

A chunk says of that only the earliest moment. Of the chunk in which the moment asked for lies, and of the documents in
no full chunk, each one's is read here, once, since their rows are wide.
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

PAYS_AFTER = 10
"""Questions that look at some documents in vain, which takes as long as to read the moments of a chunk."""
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
    """The moments from which on documents are known and valid, in the one state that a connection sees."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._held: dict[tuple[str, int], _Starts] = {}
        self._wanted = 0

    def pay(self) -> bool:
        """Tell whether, with this question, so many have looked at what came later that reading them has paid."""
        self._wanted += 1
        return self._wanted > PAYS_AFTER

    @property
    def is_read(self) -> bool:
        """Tell whether an earlier question had them read already, so that the next one hardly costs anything."""
        return bool(self._held)

    @property
    def size(self) -> int:
        """Return how many bytes are held."""
        return sum(16 * len(each.moments) for each in self._held.values())

    def without_later(self, within: int | None, moments: Moments) -> int:
        """Return documents (bits; None: all) without those that were not known or not valid yet at these moments.

        Of those in no full chunk, and in the last one that had begun: where numbers rise with time, as they mostly do,
        `DocumentSets.not_after` leaves out all others.
        """
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
