"""How near two memories are by their vectors, where there are any already; no model is loaded for it."""

from __future__ import annotations

import array
import sys
from typing import TYPE_CHECKING

from hardwon.kernel.sameness import thresholds
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.embedding import embedded_texts, vector_key

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


class Nearness:
    """Nearness as multiples of the thresholds of the home's embedder; None where this process has not opened it."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._thresholds = thresholds.load_thresholds(home.path)
        embedder = home.__dict__.get("embedder")
        self._space = embedder.name if embedder is not None else None

    def between(self, one: MemoryEntry, other: MemoryEntry) -> float | None:
        """Return how near they are, 1 at the threshold from which on both speak of one subject."""
        language = language_of(one.content)
        if self._space is None or language != language_of(other.content):
            return None
        keys = [vector_key(embedded_texts(each)[0]) for each in (one, other)]
        found = self._home.storage.vectors.fetch(self._space, keys)
        if len(found) < len(set(keys)):
            return None
        first, second = (_numbers(found[key]) for key in keys)
        cosine = sum(a * b for a, b in zip(first, second, strict=True))
        return thresholds.nearness(cosine, self._space, language, self._thresholds)


def _numbers(packed: bytes) -> array.array[float]:
    numbers = array.array("f")
    numbers.frombytes(packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
