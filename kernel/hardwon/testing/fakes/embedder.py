"""FakeEmbedder: texts that share characters lie near each other; the same on every machine."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from hardwon.kernel.ports import Role

GRAM = 3
"""Characters that are hashed together."""


class FakeEmbedder:
    """Hashes a text's character trigrams into the buckets of a unit vector (feature hashing, Weinberger 2009)."""

    def __init__(self, name: str = "fake-1", dimensions: int = 64) -> None:
        self._name = name
        self._dimensions = dimensions
        self.embedded: list[str] = []
        """Every text that was asked for: a test can tell whether a known text was embedded again."""

    @property
    def name(self) -> str:
        """Return the name of the vector space."""
        return self._name

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._dimensions

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return one unit vector a text; the role changes nothing."""
        self.embedded.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        buckets = [0.0] * self._dimensions
        padded = f" {text.casefold()} ".encode("utf-32-le", "surrogatepass")
        width = 4 * GRAM
        for start in range(0, max(1, len(padded) - width + 4), 4):
            digest = hashlib.blake2b(padded[start : start + width], digest_size=8).digest()
            bucket = int.from_bytes(digest[:4], "little") % self._dimensions
            buckets[bucket] += 1.0 if digest[4] & 1 else -1.0
        length = math.sqrt(sum(value * value for value in buckets))
        if length == 0.0:
            return [1.0] + [0.0] * (self._dimensions - 1)
        return [value / length for value in buckets]
