"""How near one question lies to the documents of a collection, computed for those that are asked about.

Products with all rows are taken from their coarse planes, or not at all; whatever is said of a document is computed
from its vectors as they were.
"""

from __future__ import annotations

from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardwon.stores.vectors.dots import products
from hardwon.stores.vectors.segment import SMALL
from hardwon.stores.vectors.selecting import Selection, Way

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from hardwon.stores.search.impostors import Impostors
    from hardwon.stores.vectors.collection import Collection
    from hardwon.stores.vectors.planes import Floats, Rows
    from hardwon.stores.vectors.segment import Segment
    from hardwon.stores.vectors.texts import Numbers

    Placed = tuple[Segment, Rows, Rows]
    """A segment, rows of it, and for each the place of its document among those asked for."""

FLOOR = 0.05
"""The quantile of the store's nearness that becomes 0."""
FEWEST = 20
"""Memories with a vector from which on the store's own quantile is meant; below, the impostors stand in for it."""
EXACT = 1000
"""Documents up to which the quantile is taken of all, computed exactly; above, of a sample, by the coarse planes."""
_RANKED: dict[Way, int] = {"scan": 60, "codes": 100, "graph": 100}
"""Documents that are ranked together at least. A recall asks for 60, and for 100 where there are rules: to ask again
costs next to nothing after a scan, and as much as before by the other ways."""
_BESIDE = 16
"""Documents that are looked at beside those asked for, and a quarter more: the coarse plane is off by 0.03 deviations,
and those at the border change places."""


class Measured(NamedTuple):
    """What is known of one document's nearness."""

    cosine: float
    """Of its nearest text."""
    value: float
    """Standard deviations above impostors of its nearest text; the cosine where those have no vectors yet."""
    texts: int
    """How many texts with a vector it has."""


class Near:
    """One question and one collection."""

    def __init__(self, collection: Collection, question: Floats, measure: Impostors | None, way: Way) -> None:
        self.count = collection.count
        self.is_measured = measure is not None
        self._collection = collection
        self._question = question
        self._measure = measure
        self._way: Way = way
        self.direction = question if measure is None else question - measure.task
        """What tells texts apart: the question, less what any task has."""
        self._offsets = None if measure is None else measure.offsets(question)
        self._selections = [Selection(each, self.direction, way) for each in collection.segments]
        self._known: dict[int, Measured | None] = {}
        self._ranking: list[int] = []

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the nearest documents, best first."""
        most = min(most, self.count if within is None else len(within))
        if most <= 0:
            return []
        if within is not None:
            return self._ranked(self._probable_within(most, within))[:most]
        if len(self._ranking) < most:
            ranked = min(self.count, max(most, _RANKED[self._way]))
            self._ranking = self._ranked(self._probable(_with_some_beside(ranked)))[:ranked]
        return self._ranking[:most]

    def measured(self, number: int) -> Measured | None:
        """Return what is known of a document; None where it has no vector."""
        if number not in self._known:
            self.look_up([number])
        return self._known[number]

    def look_up(self, numbers: Iterable[int]) -> None:
        """Measure documents together, which is cheaper than one by one."""
        unknown = [number for number in numbers if number not in self._known]
        if not unknown:
            return
        placed = self._collection.placed(np.array(unknown, np.int64))
        cosines, values, texts = self._exact(len(unknown), placed)
        measured = zip(cosines.tolist(), values.tolist(), texts.tolist(), strict=True)
        # As `_make` does it, without a call of Python for each.
        self._known.update(zip(unknown, map(tuple.__new__, repeat(Measured), measured), strict=True))
        for place in np.flatnonzero(texts == 0).tolist():
            self._known[unknown[place]] = None

    @cached_property
    def ceiling(self) -> float:
        """Return the value of the nearest document."""
        return max((each.value for number in self.best(1) if (each := self.measured(number))), default=1.0)

    @cached_property
    def floor(self) -> float:
        """Return what counts as not near at all."""
        if self.is_measured and self.count < FEWEST:
            return 0.0
        numbers, placed = self._collection.sample, self._collection.sample_placed
        if not len(numbers):
            return 0.0
        values = self._exact(len(numbers), placed)[1] if len(numbers) <= EXACT else self._about(len(numbers), placed)
        return _quantile(values[values > -np.inf], FLOOR)

    def _exact(self, count: int, placed: Iterable[Placed]) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Return cosine and value of each document's nearest text, and how many texts it has."""
        cosines, values = (np.full(count, -np.inf, np.float32) for _ in range(2))
        texts = np.zeros(count, np.intp)
        for segment, rows, owners in placed:
            vectors = segment.floats(rows)
            np.maximum.at(cosines, owners, products(vectors, self._question))
            np.maximum.at(values, owners, self.value(segment, products(vectors, self.direction)))
            np.add.at(texts, owners, 1)
        return cosines, values, texts

    def _about(self, count: int, placed: Iterable[Placed]) -> Floats:
        """Return about the value of each document's nearest text."""
        values = np.full(count, -np.inf, np.float32)
        selections = {id(each.segment): each for each in self._selections}
        for segment, rows, owners in placed:
            np.maximum.at(values, owners, self.value(segment, selections[id(segment)].products(rows)))
        return values

    def value(self, segment: Segment, made: Floats) -> Floats:
        """Return the value of texts by their products with the direction: the higher the one, the higher the other."""
        if self._measure is None or self._offsets is None:
            return made
        value: Floats = (made - self._offsets[segment.language]) / self._measure.deviations[segment.language]
        return value

    def _probable(self, most: int) -> Numbers:
        """Return the numbers of documents among which the nearest are, about so many."""
        rows = 2 * most
        while True:
            found = [(each, *each.best(rows)) for each in self._selections]
            numbers = [each.segment.numbers[some] for each, some, _ in found]
            values = [self.value(each.segment, made) for each, _, made in found]
            cut = [len(some) >= rows for some in values]
            # Of a segment that has more rows, one that is farther than all of these may be nearer than others' here.
            least = max((float(some.min()) for some, more in zip(values, cut, strict=True) if more), default=-np.inf)
            together, value = np.concatenate(numbers), np.concatenate(values)
            near = value >= least
            distinct = _distinct(together[near], value[near], most)
            if len(distinct) >= most or not any(cut):
                return distinct
            rows *= 4

    def _probable_within(self, most: int, within: set[int]) -> Numbers:
        """Return those among these documents among which the nearest are."""
        numbers = np.fromiter(within, np.int64, len(within))
        numbers.sort()
        wanted = _with_some_beside(most)
        if len(numbers) <= max(wanted, SMALL // 4):
            return numbers
        found = []
        for selection in self._selections:
            rows = _rows_within(selection.segment, numbers)
            values = self.value(selection.segment, selection.products(rows))
            found.append((selection.segment.numbers[rows], values))
        together, values = (np.concatenate(each) for each in zip(*found, strict=True))
        return _distinct(together, values, wanted)

    def _ranked(self, numbers: Numbers) -> list[int]:
        """Return documents by their exact values, the nearest first; those without a vector are left out."""
        self.look_up(numbers.tolist())
        known = [(-each.value, number) for number in numbers.tolist() if (each := self._known[number])]
        return [number for _, number in sorted(known)]


def _with_some_beside(most: int) -> int:
    return most + most // 4 + _BESIDE


def _quantile(values: Floats, share: float) -> float:
    """Return the value below which that share of the values lies, as numpy does by default, in a third of the time."""
    place = (len(values) - 1) * share
    low = int(place)
    ordered = np.partition(values, (low, min(low + 1, len(values) - 1)))
    above = float(ordered[min(low + 1, len(values) - 1)])
    return float(ordered[low]) + (place - low) * (above - float(ordered[low]))


def _rows_within(segment: Segment, numbers: Numbers) -> NDArray[np.intp]:
    """Return the rows of documents that count; `numbers` are sorted."""
    if len(numbers) * 64 < len(segment):
        return segment.rows_of(numbers)[0]
    inside = np.isin(segment.numbers, numbers)
    if segment.alive is not None:
        inside &= segment.alive
    return np.flatnonzero(inside)


def _distinct(numbers: Numbers, values: Floats, most: int) -> Numbers:
    """Return the first so many distinct documents by their largest values."""
    order = np.argsort(-values, kind="stable")
    _, first = np.unique(numbers[order], return_index=True)
    return numbers[order][np.sort(first)[:most]]
