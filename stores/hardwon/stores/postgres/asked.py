"""A question as the server is asked for what lies near it, and what nearness is worth by language.

How far a text stands above impostors is (cosine − cosine to tasks on anything − offset) / deviation, with an offset and
a deviation for each language of a text (`hardwon.stores.search.impostors`). The two cosines are one inner product with
the difference of question and task, so that the index of vectors gives that very order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardwon.stores.search.impostors import KEYS, LANGUAGES, QUESTIONS, TEXTS, impostors
from hardwon.stores.search.nearness import BEST_UNRELATED

if TYPE_CHECKING:
    from hardwon.kernel.ports import Vectors
    from hardwon.stores.search.impostors import Impostors


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
    measures: Mapping[str, Measure]
    is_measured: bool
    """Whether impostors are known; else a cosine is all that is."""


class Measures:
    """What nearness is worth in each space, read once when all of it is embedded."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._known: dict[tuple[str, str], Impostors] = {}

    def asked(self, space: str, number: int, vector: Sequence[float], language: str) -> AskedVector:
        """Return a question in a language as the server is asked for what lies near it."""
        measure = self._impostors(space, len(vector), language)
        question = _written(vector)
        if measure is None:
            nothing = _written([0.0] * len(vector))
            plain = {each: Measure() for each in LANGUAGES}
            return AskedVector(number, len(vector), question, nothing, question, plain, is_measured=False)
        import numpy as np

        given = np.asarray(vector, dtype=np.float32)
        offsets = measure.offsets(given).tolist()
        deviations = measure.deviations.tolist()
        measures = {each: Measure(offsets[place], deviations[place]) for place, each in enumerate(LANGUAGES)}
        direction = _written((given - measure.task).tolist())
        task = _written(measure.task.tolist())
        return AskedVector(number, len(vector), question, task, direction, measures, is_measured=True)

    def _impostors(self, space: str, dimensions: int, language: str) -> Impostors | None:
        """Return the measure of questions in a language; None while a text or task of it has no vector."""
        known = self._known.get((space, language))
        if known is not None:
            return known
        raw = self._vectors.fetch(space, KEYS)
        wanted = [QUESTIONS[language], *TEXTS.values()]
        if any(len(raw.get(key, b"")) != 4 * dimensions for keys in wanted for key in keys):
            return None
        import numpy as np

        tasks, *texts = [
            np.frombuffer(b"".join(raw[key] for key in keys), dtype="<f4").reshape(len(keys), -1) for keys in wanted
        ]
        measure = self._known[space, language] = impostors(tasks, texts)
        return measure


def _written(vector: Sequence[float]) -> str:
    """Return a vector as pgvector reads it."""
    return f"[{','.join(map('{:.7g}'.format, vector))}]"


@dataclass(slots=True)
class ServerNearness:
    """How near one question lies to the memories that the server found, and of those alone."""

    asked: AskedVector | None = None
    count: int = 0
    """How many memories there are that have a vector."""
    floor: float = 0.0
    ceiling: float = 1.0
    _texts: dict[int, list[tuple[str, float, float]]] = field(default_factory=dict)

    def learn(self, number: int, texts: Sequence[Any] | None) -> None:
        """Take in how near each text of a memory lies: its language, its cosine, its cosine to tasks on anything."""
        if texts:
            self._texts[number] = [(language, cosine, usual) for language, cosine, usual in texts]

    def cosine(self, number: int) -> float | None:
        """Return the cosine of a memory; None where it has no vector."""
        texts = self._texts.get(number)
        return max(cosine for _, cosine, _ in texts) if texts else None

    def semantic(self, number: int) -> float | None:
        """Return how near a memory is, rescaled: the floor is 0, the nearest memory 1; None without a vector."""
        value = self._value(number)
        width = self.ceiling - self.floor
        if value is None:
            return None
        return min(1.0, max(0.0, (value - self.floor) / width)) if width > 0 else 0.0

    def level(self, number: int, competing: int) -> float | None:
        """Return how far a memory stands above the best of so many unrelated ones that say as much, in deviations."""
        value = self._value(number)
        if value is None or self.asked is None or not self.asked.is_measured:
            return None
        texts = len(self._texts[number])
        return value - BEST_UNRELATED[0] - BEST_UNRELATED[1] * math.log10(max(1, competing) * texts)

    def _value(self, number: int) -> float | None:
        """Return what nearness is measured by: deviations above impostors, or the cosine where those are not known."""
        texts = self._texts.get(number)
        if not texts or self.asked is None:
            return None
        measures = self.asked.measures
        return max((cosine - usual - measures[at].offset) / measures[at].deviation for at, cosine, usual in texts)
