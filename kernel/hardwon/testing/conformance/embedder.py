"""EmbedderConformance: one unit vector a text, the same whenever and beside whomever it is embedded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import get_args

import pytest

from hardwon.kernel.ports import Embedder, Role

TOLERANCE = 0.02
"""Quantised models and other batch shapes move a component by about this much."""


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two unit vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))


class EmbedderConformance:
    """What every Embedder promises. Give the fixture `embedder`."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        """Return the embedder; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `embedder`.")

    def test_it_names_its_space(self, embedder: Embedder) -> None:
        """With a name and a length that do not change by use."""
        name, dimensions = embedder.name, embedder.dimensions
        embedder.embed(["a text"], "passage")
        assert name
        assert dimensions > 0
        assert (embedder.name, embedder.dimensions) == (name, dimensions)

    @pytest.mark.parametrize("role", get_args(Role))
    def test_a_vector_has_unit_length(self, embedder: Embedder, role: Role) -> None:
        """One vector a text, in order, of the length that was named."""
        vectors = embedder.embed(["Retry with backoff.", "夏令时", "a"], role)
        assert [len(vector) for vector in vectors] == [embedder.dimensions] * 3
        assert [math.sqrt(cosine(vector, vector)) for vector in vectors] == pytest.approx([1.0] * 3, abs=TOLERANCE)

    def test_no_texts_have_no_vectors(self, embedder: Embedder) -> None:
        """An empty batch is no error."""
        assert len(embedder.embed([], "passage")) == 0

    def test_a_vector_does_not_depend_on_its_neighbours(self, embedder: Embedder) -> None:
        """A text embedded alone lies where it lies when it is embedded in a batch, or again."""
        text = "The token expired while the job was waiting."
        [alone] = embedder.embed([text], "passage")
        beside = embedder.embed(["short", text, "a much longer text " * 20], "passage")[1]
        assert cosine(alone, beside) == pytest.approx(1.0, abs=TOLERANCE)

    @pytest.mark.parametrize(
        "text", ["", " ", "\x00", "🦀", "\n\n", "word " * 20_000, "字" * 5_000, "".join(map(chr, range(0x300, 0x320)))]
    )
    def test_any_text_has_a_vector(self, embedder: Embedder, text: str) -> None:
        """Of finite numbers and unit length; a text that is too long is embedded as far as it is seen."""
        [vector] = embedder.embed([text], "passage")
        assert math.sqrt(cosine(vector, vector)) == pytest.approx(1.0, abs=TOLERANCE)

    def test_like_texts_lie_nearer_than_unlike_ones(self, embedder: Embedder) -> None:
        """That is what an embedding is for."""
        near, nearer, far = embedder.embed(
            [
                "The database connection pool was exhausted under load.",
                "Under load the pool of database connections was exhausted.",
                "Bananas and oranges ripen at room temperature.",
            ],
            "passage",
        )
        assert cosine(near, nearer) > cosine(near, far) + 0.1
