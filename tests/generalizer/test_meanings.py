"""Meanings: what all sentences share is taken away, and what is left does not hang on accidents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.generalizer.meanings import unpack, without_common_direction
from hardwon.kernel.use_cases.embedding import to_bytes

DIMENSIONS = 24


def vectors(count: int, seed: int, common: float = 3.0) -> Any:
    """Return unit vectors that share a direction."""
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32)
    rows[:, 0] += common
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


CATALOGUE = vectors(300, seed=1)


@settings(deadline=None)
@given(st.integers(1, 400), st.integers(0, 1000))
def test_all_vectors_have_unit_length(count: int, seed: int) -> None:
    for rows in without_common_direction(vectors(count, seed), CATALOGUE):
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)
        assert rows.dtype == np.float32


@pytest.mark.parametrize("count", [3, 50, 2000])
def test_sentences_that_share_a_direction_come_apart(count: int) -> None:
    """Unrelated lessons lie at a cosine around 0, however many there are."""
    lessons = vectors(count, seed=7)
    assert (lessons @ lessons.T).mean() > 0.2
    apart, _ = without_common_direction(lessons, CATALOGUE)
    off_diagonal = (apart @ apart.T)[~np.eye(count, dtype=bool)]
    assert abs(off_diagonal.mean()) < 0.15


def test_a_few_lessons_do_not_define_what_is_common() -> None:
    """Three lessons of one cause stay near each other: what they share is not taken for what all sentences share."""
    same = vectors(1, seed=3) + 0.05 * np.random.default_rng(4).normal(size=(3, DIMENSIONS)).astype(np.float32)
    apart, _ = without_common_direction(same / np.linalg.norm(same, axis=1, keepdims=True), CATALOGUE)
    assert (apart @ apart.T).min() > 0.7


def test_one_more_lesson_hardly_moves_the_others() -> None:
    lessons = vectors(40, seed=5)
    before, _ = without_common_direction(lessons[:-1], CATALOGUE)
    after, _ = without_common_direction(lessons, CATALOGUE)
    assert (before * after[:-1]).sum(axis=1).min() > 0.99


def test_the_same_lessons_mean_the_same() -> None:
    """Bit for bit, and whatever their order up to rounding."""
    lessons = vectors(100, seed=6)
    first, again = (without_common_direction(lessons, CATALOGUE)[0] for _ in range(2))
    assert np.array_equal(first, again)
    reverse, _ = without_common_direction(lessons[::-1], CATALOGUE)
    assert np.allclose(reverse[::-1], first, atol=1e-4)


def test_equal_and_empty_vectors_are_no_accident() -> None:
    """A text that was imported a hundred times, and a vector of zeros."""
    same = np.repeat(vectors(1, seed=8), 100, axis=0)
    for lessons in (same, np.zeros((3, DIMENSIONS), dtype=np.float32)):
        assert np.isfinite(without_common_direction(lessons, CATALOGUE)[0]).all()


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_packed_vectors_are_unpacked_as_they_were(rows: list[list[float]]) -> None:
    assert np.array_equal(unpack([to_bytes(row) for row in rows]), np.array(rows, dtype=np.float32))
