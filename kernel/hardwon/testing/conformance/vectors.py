"""VectorsConformance: embeddings by space and fingerprint."""

from __future__ import annotations

import pytest

from hardwon.kernel.ports import Storage, Vectors
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.testing.conformance.storage_fixture import OverStorage


class VectorsConformance(OverStorage):
    """What every Vectors promises. Give the fixture `storage`: an open, empty Storage."""

    @pytest.fixture
    def vectors(self, storage: Storage) -> Vectors:
        """Return the storage's vectors."""
        return storage.vectors

    def test_a_vector_comes_back_bit_by_bit(self, vectors: Vectors) -> None:
        """What is not known is left out."""
        kept = {"a": to_bytes([1.0, 0.0]), "b": to_bytes([0.6, -0.8])}
        vectors.keep("one", kept)
        assert vectors.fetch("one", ["a", "b", "none"]) == kept

    def test_spaces_never_mix(self, vectors: Vectors) -> None:
        """The same key holds another vector in another space, of another length."""
        vectors.keep("one", {"a": to_bytes([1.0, 0.0])})
        vectors.keep("two", {"a": to_bytes([0.0, 1.0, 0.0])})
        assert vectors.fetch("one", ["a"]) == {"a": to_bytes([1.0, 0.0])}
        assert vectors.fetch("two", ["a"]) == {"a": to_bytes([0.0, 1.0, 0.0])}
        assert vectors.fetch("three", ["a"]) == {}

    def test_keeping_again_replaces(self, vectors: Vectors) -> None:
        """A key has one vector a space."""
        vectors.keep("one", {"a": to_bytes([1.0, 0.0])})
        vectors.keep("one", {"a": to_bytes([0.0, 1.0])})
        assert vectors.fetch("one", ["a"]) == {"a": to_bytes([0.0, 1.0])}

    def test_many_are_one_call(self, vectors: Vectors) -> None:
        """A call is not limited by what one statement of a database can hold."""
        kept = {f"key-{number}": to_bytes([1.0, 0.0]) for number in range(2000)}
        vectors.keep("one", kept)
        asked = [*kept, *(f"none-{number}" for number in range(40_000))]
        assert vectors.fetch("one", asked) == kept

    def test_nothing_is_nothing(self, vectors: Vectors) -> None:
        """Keeping and fetching nothing is no error."""
        vectors.keep("one", {})
        assert vectors.fetch("one", []) == {}

    def test_everything_can_be_walked(self, vectors: Vectors) -> None:
        """Space by space, in the order of the keys, however many there are."""
        kept = {f"key-{number:05}": to_bytes([1.0, 0.0]) for number in range(1500)}
        vectors.keep("two", kept)
        vectors.keep("one", {"a": to_bytes([0.0, 1.0])})
        assert vectors.spaces() == ["one", "two"]
        assert list(vectors.walk("two")) == sorted(kept.items())
        assert list(vectors.walk("none")) == []
