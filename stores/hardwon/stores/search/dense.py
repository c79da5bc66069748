"""Search by meaning: how near the question lies to each memory, and how much that says in this space.

Never on the way of a question that has no vector: numpy and the matrix are loaded at the first one that has.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.kernel.text import language_of
from hardwon.stores.search.impostors import KEYS
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.question import QuestionEmbedder

if TYPE_CHECKING:
    from hardwon.kernel.ports import Embedder, Vectors
    from hardwon.stores.search.matrix import VectorMatrix

FLOOR = 0.05
"""The quantile of the store's nearness that becomes 0."""
FEWEST = 20
"""Memories with a vector from which on the store's own quantile is meant; below, the impostors stand in for it."""


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
        lacking = len(wanted) - nearness.count
        by_words = f"Searched by words alone until embedded: {lacking} of {counted(len(wanted), 'memory', 'memories')}."
        notes = [by_words] if lacking else []
        if nearness.count and nearness.above is None:
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
    return Nearness(matrix.numbers, matrix.places, matrix.texts, cosines, above, floor, float(values.max()))
