"""FakeVectors: embeddings in a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hardwon.testing.fakes.kept import Kept


class FakeVectors:
    """Keeps embeddings by space and fingerprint."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors that exist, by key."""
        with self._kept.lock:
            return {key: self._kept.vectors[space, key] for key in keys if (space, key) in self._kept.vectors}

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors."""
        with self._kept.lock:
            self._kept.vectors.update({(space, key): vector for key, vector in vectors.items()})

    def spaces(self) -> list[str]:
        """Return the names of the spaces that something is kept of, sorted."""
        with self._kept.lock:
            return sorted({space for space, _ in self._kept.vectors})

    def walk(self, space: str) -> Iterator[tuple[str, bytes]]:
        """Walk everything that is kept of a space, by key."""
        with self._kept.lock:
            kept = sorted((key, vector) for (name, key), vector in self._kept.vectors.items() if name == space)
        yield from kept
