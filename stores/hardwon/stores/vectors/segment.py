"""A segment: rows of one language in the order of their documents, which never change; only which are alive does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hardwon.stores.vectors.planes import Floats, Planes, Rows
from hardwon.stores.vectors.texts import TEXT, Numbers, Texts

if TYPE_CHECKING:
    from hardwon.stores.vectors.codes import Codes
    from hardwon.stores.vectors.graph import Graph

SMALL = 4096
"""Rows that are kept as they were, too: 6 MB at most."""


@dataclass(frozen=True)
class Segment:
    """Some rows. A document has one for each of its texts."""

    language: int
    """Its place among LANGUAGES."""
    numbers: Numbers
    """Of which document each row is a text; rising."""
    keys: NDArray[np.bytes_]
    planes: Planes
    alive: NDArray[np.bool_] | None = None
    """Which rows still count; None: all."""
    name: str = ""
    """Of its file; empty where it lies in memory alone."""
    codes: Codes | None = None
    graph: Graph | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def dead(self) -> int:
        """Return how many rows no longer count."""
        return 0 if self.alive is None else len(self) - int(np.count_nonzero(self.alive))

    def without(self, rows: Rows) -> Segment:
        """Return the segment without some of its rows."""
        if not len(rows):
            return self
        alive = np.ones(len(self), np.bool_) if self.alive is None else self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive)

    def rows_of(self, numbers: Numbers) -> tuple[Rows, Rows]:
        """Return the rows of documents that count, and for each the place of its document in `numbers`."""
        first = np.searchsorted(self.numbers, numbers)
        if self.has_one_row_each:
            owners = np.flatnonzero(self.numbers[np.minimum(first, len(self) - 1)] == numbers)
            rows = first[owners]
        else:
            count = np.searchsorted(self.numbers, numbers, "right") - first
            owners = np.repeat(np.arange(len(numbers)), count)
            rows = np.arange(len(owners)) + np.repeat(first - (np.cumsum(count) - count), count)
        if self.alive is not None:
            counts = self.alive[rows]
            rows, owners = rows[counts], owners[counts]
        return rows, owners

    @cached_property
    def has_one_row_each(self) -> bool:
        """Tell whether no document has two rows, as nearly always: then they are found with half of the work."""
        return len(self) > 0 and bool(np.all(self.numbers[1:] > self.numbers[:-1]))

    def living(self) -> Rows:
        """Return the rows that count."""
        return np.arange(len(self)) if self.alive is None else np.flatnonzero(self.alive)

    def texts(self, rows: Rows) -> Texts:
        """Return what some rows are the texts of."""
        texts = np.empty(len(rows), TEXT)
        texts["number"], texts["language"], texts["key"] = self.numbers[rows], self.language, self.keys[rows]
        return texts

    @cached_property
    def whole(self) -> Floats | None:
        """Return the vectors as they were, where there are few."""
        return self.planes.floats() if len(self) <= SMALL else None

    def floats(self, rows: Rows) -> Floats:
        """Return the vectors of some rows as they were."""
        return self.planes.floats(rows) if self.whole is None else self.whole[rows]


def segment_of(texts: Texts, planes: Planes) -> Segment:
    """Return a segment of texts in one language, in any order."""
    order = np.argsort(texts["number"], kind="stable")
    ordered = Planes(planes.coarse[order], planes.fine[order], planes.scales[order])
    return Segment(int(texts["language"][0]), texts["number"][order], texts["key"][order], ordered)


def merged(segments: Sequence[Segment]) -> Segment | None:
    """Return one segment in memory of the rows of several that count; None where none does."""
    parts = [(each, each.living()) for each in segments]
    texts = np.concatenate([each.texts(rows) for each, rows in parts])
    if not len(texts):
        return None
    coarse, fine, scales = (
        np.concatenate([getattr(each.planes, plane)[rows] for each, rows in parts])
        for plane in ("coarse", "fine", "scales")
    )
    return segment_of(texts, Planes(coarse, fine, scales))
