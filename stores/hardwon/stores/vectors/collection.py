"""A collection: all that is known of the documents' vectors in one space, at one state of the store.

A value that never changes: whoever brings it up to date makes a new one, and who searches the old one is not disturbed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from hardwon.stores.vectors.planes import Rows
from hardwon.stores.vectors.segment import Segment, merged
from hardwon.stores.vectors.texts import Numbers, Texts, no_texts

SAMPLE = 4096
"""Documents from which quantiles of a whole collection are taken where it has more."""
MERGED_AT_ONCE = 50_000
"""Rows that are merged while somebody waits: some 50 ms."""


@dataclass(frozen=True)
class Collection:
    """The segments of one space, and the texts that have no vector yet."""

    space: str
    dimensions: int
    birth: str = ""
    """The name of the store's tables that the numbers are of."""
    last: int = -1
    """The last of the store's changes that is known here."""
    documents: int = 0
    """How many documents are known, with a vector or without."""
    segments: tuple[Segment, ...] = ()
    waiting: Texts = field(default_factory=no_texts)
    """Texts that have no vector yet."""
    unsaved: int = 0
    """How much changed since it was read from disk, in documents and rows."""

    @property
    def rows(self) -> int:
        """Return how many rows there are, those that no longer count among them."""
        return sum(len(each) for each in self.segments)

    @cached_property
    def lacking(self) -> int:
        """Return how many documents have no vector at all."""
        waiting = np.unique(self.waiting["number"])
        return len(waiting) - int(np.count_nonzero(self.has_rows(waiting)))

    @property
    def count(self) -> int:
        """Return how many documents have a vector."""
        return self.documents - self.lacking

    def placed(self, numbers: Numbers) -> Iterator[tuple[Segment, Rows, Rows]]:
        """Walk the segments that have rows of some documents: the rows, and for each the place of its document."""
        for segment in self.segments:
            rows, owners = segment.rows_of(numbers)
            if len(rows):
                yield segment, rows, owners

    @cached_property
    def sample_placed(self) -> list[tuple[Segment, Rows, Rows]]:
        """Return where the rows of the sample lie, as `placed` has them: each question asks for the same."""
        return list(self.placed(self.sample))

    def has_rows(self, numbers: Numbers) -> np.typing.NDArray[np.bool_]:
        """Tell of each document whether it has a vector."""
        found = np.zeros(len(numbers), np.bool_)
        for _, _, owners in self.placed(numbers):
            found[owners] = True
        return found

    def texts_of(self, numbers: Numbers) -> Texts:
        """Return the texts of some documents, with a vector or without."""
        placed = [segment.texts(rows) for segment, rows, _ in self.placed(numbers)]
        return np.concatenate([*placed, self.waiting[np.isin(self.waiting["number"], numbers)]])

    def without(self, numbers: Numbers) -> Collection:
        """Return the collection without what it has of some documents."""
        segments = tuple(each.without(each.rows_of(numbers)[0]) for each in self.segments)
        waiting = self.waiting[~np.isin(self.waiting["number"], numbers)]
        return replace(self, segments=segments, waiting=waiting, unsaved=self.unsaved + len(numbers))

    def joined(self, fresh: Iterable[Segment]) -> Collection:
        """Return the collection with further segments; small ones become one."""
        segments = list(self.segments)
        for segment in fresh:
            own = [each for each in segments if each.language == segment.language]
            others = [each for each in segments if each.language != segment.language]
            segments = [*others, *_tidied([*own, segment])]
        added = sum(len(each) for each in fresh)
        return replace(self, segments=tuple(segments), unsaved=self.unsaved + added)

    @cached_property
    def sample(self) -> Numbers:
        """Return the numbers of documents that stand for all: all of them where they are few, else every nth by chance.

        By chance of a hash, so that the same documents are drawn each time.
        """
        share = max(1, self.count // SAMPLE)
        drawn = []
        for segment in self.segments:
            numbers = segment.numbers if segment.alive is None else segment.numbers[segment.alive]
            if share > 1:
                hashed = (numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
                numbers = numbers[hashed % np.uint64(share) == 0]
            drawn.append(numbers)
        return np.unique(np.concatenate(drawn)) if drawn else np.empty(0, np.int64)


def _tidied(segments: list[Segment]) -> list[Segment]:
    """Return segments of one language, the last of them merged as long as they are small and alike in size."""
    tidied = list(segments)
    while len(tidied) > 1:
        before, last = tidied[-2:]
        if len(before) > 2 * len(last) or len(before) + len(last) > MERGED_AT_ONCE:
            break
        together = merged([before, last])
        tidied[-2:] = [together] if together else []
    return tidied
