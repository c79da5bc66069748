"""Which rows of a segment are probably those that lie farthest in a direction: by a scan, by codes, or by the graph.

The scan holds the direction against every row's coarse plane. Codes and graph name some more rows than are asked for,
and the planes decide among those.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from hardwon.stores.vectors.codes import DEPTH
from hardwon.stores.vectors.dots import dots, products
from hardwon.stores.vectors.planes import LOWER_MEAN, Floats, Rows
from hardwon.stores.vectors.segment import SMALL, Segment

Way = Literal["scan", "codes", "graph"]
_WIDER = 16
"""How many times as many rows codes name as are asked for."""
_SAMPLED = 4096
"""Values from which the threshold of the best few is estimated, where there are many more."""


class Selection:
    """One direction held against one segment; what was scanned is kept for the next that is asked."""

    def __init__(self, segment: Segment, direction: Floats, way: Way) -> None:
        self.segment = segment
        self._direction = direction
        self.way = way_of(segment, way)
        self._values: Floats | None = None

    def best(self, most: int) -> tuple[Rows, Floats]:
        """Return the rows that count and lie farthest in the direction, in any order, with about their products.

        Fewer than `most` only where there are no more.
        """
        if self.way == "scan":
            values = self._scanned()
            rows = largest(values, most)
            rows = rows[values[rows] > -np.inf]
            return _best(rows, values[rows], most)
        rows = self._named(most)
        if self.segment.alive is not None:
            rows = rows[self.segment.alive[rows]]
        if len(rows) < min(most, len(self.segment) - self.segment.dead):
            self.way = "scan"
            return self.best(most)
        return _best(rows, self._exact(rows), most)

    def products(self, rows: Rows) -> Floats:
        """Return about the products of the direction with some rows that count."""
        return self._scanned()[rows] if self.way == "scan" else self._coarse(rows)

    def _named(self, most: int) -> Rows:
        """Return rows among which the best so many probably are."""
        count = len(self.segment)
        alive = max(1, count - self.segment.dead)
        if self.way == "graph":
            assert self.segment.graph is not None
            return self.segment.graph.nearest(self._direction, min(count, 2 * most * count // alive))
        assert self.segment.codes is not None
        named = max(DEPTH, _WIDER * most) * count // alive
        return largest(self.segment.codes.products(self._direction), named)

    def _scanned(self) -> Floats:
        """Return about the products of all rows; what does not count is infinitely far."""
        if self._values is None:
            segment = self.segment
            if segment.whole is not None:
                values = products(segment.whole, self._direction)
            else:
                values = self._coarse(slice(None))
            if segment.alive is not None:
                values[~segment.alive] = -np.inf
            self._values = values
        return self._values

    def _coarse(self, rows: Rows | slice) -> Floats:
        values = dots(self._direction, self.segment.planes.coarse[rows])
        values += np.float32(LOWER_MEAN * self._direction.sum())
        values *= self.segment.planes.scales[rows]
        return values

    def _exact(self, rows: Rows) -> Floats:
        return products(self.segment.floats(rows), self._direction)


def way_of(segment: Segment, way: Way) -> Way:
    """Return how a segment can be searched: what has no codes or no graph (yet), or is small, is scanned."""
    if len(segment) <= SMALL or (way == "codes" and segment.codes is None) or (way == "graph" and not segment.graph):
        return "scan"
    return way


def largest(values: Floats, most: int) -> Rows:
    """Return the places of the largest values: at least `most` where there are as many, in any order.

    Among very many, a sample tells from which value on: to put a million in parts takes as long as to scan them.
    """
    if most >= len(values):
        return np.arange(len(values))
    stride = len(values) // _SAMPLED
    if stride > 1:
        sampled = values[::stride]
        rank = min(len(sampled), 3 * most // (2 * stride) + 16)
        threshold = np.partition(sampled, len(sampled) - rank)[len(sampled) - rank]
        places = np.flatnonzero(values >= threshold)
        if len(places) >= most:
            return places
    return np.argpartition(values, len(values) - most)[len(values) - most :]


def _best(rows: Rows, values: Floats, most: int) -> tuple[Rows, Floats]:
    if len(rows) <= most:
        return rows, values
    places = np.argpartition(values, len(values) - most)[len(values) - most :]
    return rows[places], values[places]
