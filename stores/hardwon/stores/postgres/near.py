"""How near one question lies to the memories that the server found, in the form that `Nearness` reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.stores.search.near import FEWEST, Measured

if TYPE_CHECKING:
    from hardwon.stores.postgres.asked import AskedVector
    from hardwon.stores.postgres.sample import Sample


class ServerNear:
    """What the rows of one statement say of nearness."""

    def __init__(self, asked: AskedVector, sample: Sample) -> None:
        """Know nothing yet of any memory, and from a sample how near they lie at least."""
        self.count = sample.count
        self.is_measured = asked.is_measured
        # Of a few, the impostors stand in for the store's own quantile.
        self.floor = 0.0 if asked.is_measured and sample.count < FEWEST else sample.floor(asked)
        self.ceiling = 1.0
        self._measures = asked.measures
        self._known: dict[int, Measured] = {}

    def learn(self, ceiling: float | None, number: int, texts: Sequence[Any] | None) -> None:
        """Take in what a row says: how near the nearest lies, and of each text its language and both cosines."""
        self.ceiling = ceiling if ceiling is not None else 1.0
        if texts:
            values = [
                (cosine - usual - self._measures[at].offset) / self._measures[at].deviation
                for at, cosine, usual in texts
            ]
            self._known[number] = Measured(max(cosine for _, cosine, _ in texts), max(values), len(texts))

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the nearest of those that are known, best first."""
        known = self._known if within is None else {each: self._known[each] for each in within if each in self._known}
        return sorted(known, key=lambda number: (-known[number].value, number))[:most]

    def look_up(self, numbers: Iterable[int]) -> None:
        """Do nothing: the statement brought what is known."""

    def measured(self, number: int) -> Measured | None:
        """Return what is known of a memory; None where it has no vector."""
        return self._known.get(number)
