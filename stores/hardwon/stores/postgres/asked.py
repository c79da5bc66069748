"""A question as the server is asked for what lies near it, and what nearness is worth by language.

How far a text stands above impostors is (cosine − cosine to tasks on anything − offset) / deviation, with an offset and
a deviation for each language of a text (`hardwon.stores.search.impostors`). The two cosines are one inner product with
the difference of question and task, so that the index of vectors gives that very order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.stores.search.impostors import Cohort
from hardwon.stores.vectors.languages import LANGUAGES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardwon.kernel.ports import Vectors


@dataclass(frozen=True, slots=True)
class Measure:
    """What the inner product with a text of one language is worth."""

    offset: float = 0.0
    deviation: float = 1.0


@dataclass(frozen=True, slots=True)
class AskedVector:
    """A question's vector, as pgvector reads it."""

    space: int
    """The number of its space."""
    dimensions: int
    question: str
    task: str
    """The mean of tasks on anything; zeros where that is not known."""
    direction: str
    """The difference of the two: the larger the inner product with it, the further above impostors."""
    towards: NDArray[np.float32]
    """That difference in numbers."""
    measures: Mapping[str, Measure]
    is_measured: bool
    """Whether impostors are known; else a cosine is all that is."""


class Measures:
    """What nearness is worth in each space, read once when all of it is embedded."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._cohorts: dict[str, Cohort] = {}

    def asked(self, name: str, number: int, vector: Sequence[float], language: str) -> AskedVector:
        """Return a question in a language, as the server is asked for what lies near it in the space of that name."""
        cohort = self._cohorts.setdefault(name, Cohort(name, len(vector)))
        measure = cohort.measure(self._vectors, language)
        import numpy as np

        given = np.asarray(vector, dtype=np.float32)
        question = _written(vector)
        if measure is None:
            nothing = _written([0.0] * len(vector))
            plain = {each: Measure() for each in LANGUAGES}
            return AskedVector(number, len(vector), question, nothing, question, given, plain, is_measured=False)
        offsets, deviations = measure.offsets(given).tolist(), measure.deviations.tolist()
        measures = {each: Measure(offsets[place], deviations[place]) for place, each in enumerate(LANGUAGES)}
        towards = given - measure.task
        task, direction = (_written(each.tolist()) for each in (measure.task, towards))
        return AskedVector(number, len(vector), question, task, direction, towards, measures, is_measured=True)


def _written(vector: Sequence[float]) -> str:
    """Return a vector as pgvector reads it."""
    return f"[{','.join(map('{:.7g}'.format, vector))}]"
