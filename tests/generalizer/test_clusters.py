"""Clusters hang on similarities alone: not on the size of a block, nor on the order in which lessons come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.generalizer import candidates, graph
from hardwon.generalizer import clusters as choosing
from hardwon.generalizer.candidates import Candidates
from hardwon.generalizer.clusters import clusters
from hardwon.generalizer.evidence import VIEWS
from hardwon.generalizer.graph import nearest
from hardwon.generalizer.signs import signs_of
from hardwon.generalizer.ties import NO_TIES, Ties

Groups = set[frozenset[int]]
DOUBTFUL = 0.4


@dataclass
class Told:
    """Evidence of which all views say the same: a matrix of similarities."""

    matrix: Any
    weights = VIEWS
    named: Any = None

    @property
    def candidates(self) -> Candidates:
        return Candidates(len(self.matrix))

    @property
    def beliefs(self) -> Any:
        return np.ones((len(self.matrix), 1), dtype=np.float32)

    def views(self, rows: Any, columns: Any) -> list[Any]:
        clean = np.array(self.matrix, dtype=np.float32)
        np.fill_diagonal(clean, 0)
        return [clean[np.ix_(rows, columns)] for _ in self.weights]

    def sums(self, group: Any, columns: Any) -> Any:
        return np.stack([view.sum(axis=0) for view in self.views(group, columns)])

    def similar(self, rows: Any, columns: Any) -> Any:
        return self.views(rows, columns)[0]


def blobs(sizes: Sequence[int], seed: int = 0, spread: float = 0.05) -> Any:
    """Return similarities of lessons in groups: near 0.9 within, near 0.1 between."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    noise = np.random.default_rng(seed).uniform(-spread, spread, (len(labels), len(labels)))
    return np.where(labels[:, None] == labels[None, :], 0.9, 0.1) + (noise + noise.T) / 2


def random_matrix(size: int, seed: int) -> Any:
    """Return symmetric similarities with no two alike."""
    upper = np.triu(np.random.default_rng(seed).uniform(0, 1, (size, size)), 1)
    return upper + upper.T


def found(matrix: Any, *, least: int = 2, doubtful: float = DOUBTFUL, ties: Ties = NO_TIES) -> Groups:
    told: Any = Told(matrix)
    groups = clusters(told, lambda group: len(group) >= least, doubtful, ties)
    members = [index for group in groups for index in group]
    assert len(members) == len(set(members)), "a lesson stands in two clusters"
    assert all(group == sorted(group) for group in groups)
    return set(map(frozenset, groups))


def test_what_belongs_together_is_found() -> None:
    assert found(blobs([5, 1, 4, 3])) == {frozenset(range(5)), frozenset(range(6, 10)), frozenset(range(10, 13))}


@pytest.mark.parametrize("size", [0, 1, 2])
def test_few_lessons(size: int) -> None:
    assert found(np.full((size, size), 0.9)) == ({frozenset({0, 1})} if size == 2 else set())


def test_what_is_like_nothing_is_in_no_cluster() -> None:
    assert found(np.full((6, 6), choosing.LOOSEST - 0.01)) == set()


def test_no_level_is_right_for_all_and_each_group_is_found_at_its_own() -> None:
    """One cause is told in like words, another one loosely; a cut that keeps the first pure would lose the second."""
    matrix = np.full((12, 12), 0.05)
    matrix[:6, :6] = 0.45  # two causes, near to one another
    matrix[:3, :3] = matrix[3:6, 3:6] = 0.95
    matrix[6:, 6:] = 0.45  # one cause, told in six ways
    assert found(matrix, least=3) == {frozenset(range(3)), frozenset(range(3, 6)), frozenset(range(6, 12))}


def test_lessons_that_are_as_near_to_others_are_no_cluster() -> None:
    """All speak of one subject: near, and no nearer to each other than to the rest."""
    chance = np.random.default_rng(1).uniform(0.45, 0.5, (30, 30))
    ring = np.abs(np.subtract.outer(np.arange(30), np.arange(30))) <= 1
    matrix = np.where(ring, 0.55, (chance + chance.T) / 2)
    assert all(len(group) > 20 for group in found(matrix, least=3, doubtful=0.9))


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_every_cluster_is_likelier_than_the_doubt(size: int, seed: int, doubtful: float) -> None:
    told: Any = Told(random_matrix(size, seed))
    for group in found(told.matrix, doubtful=doubtful):
        assert signs_of(told, sorted(group)).likelihood > doubtful - 1e-6


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 30), st.integers(0, 10_000), st.randoms())
def test_the_order_of_lessons_changes_nothing(size: int, seed: int, chance: Any) -> None:
    matrix = random_matrix(size, seed)
    order = list(range(size))
    chance.shuffle(order)
    mixed = found(matrix[np.ix_(order, order)])
    assert {frozenset(order[index] for index in group) for group in mixed} == found(matrix)


@pytest.mark.parametrize("block", [1, 3, 7, 1000])
def test_the_size_of_a_block_changes_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = random_matrix(60, seed=2)
    vectors = np.random.default_rng(3).normal(size=(60, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    before = found(matrix), nearest(vectors, 4, 0.1).toarray()
    monkeypatch.setattr(candidates, "BLOCK", block)
    monkeypatch.setattr(graph, "BLOCK", block)
    after = found(matrix), nearest(vectors, 4, 0.1).toarray()
    assert after[0] == before[0]
    assert np.allclose(after[1], before[1], atol=1e-6)


def test_a_bridge_does_not_join_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A component above the cap is cut at its weak places before linkage sees it."""
    matrix = blobs([8, 8, 8])
    for one, other in ((7, 8), (15, 16)):
        matrix[one, other] = matrix[other, one] = 0.6
    monkeypatch.setattr(graph, "CAP", 10)
    assert found(matrix) == {frozenset(range(8)), frozenset(range(8, 16)), frozenset(range(16, 24))}


def test_linkage_never_sees_more_than_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    joins = choosing._joins
    monkeypatch.setattr(graph, "CAP", 12)
    monkeypatch.setattr(choosing, "_joins", lambda block: seen.append(len(block)) or joins(block))
    found(random_matrix(80, seed=4))
    assert seen
    assert max(seen) <= 12


def test_lessons_that_are_all_alike_are_a_cluster_above_the_cap_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when one failure was noted again each night: no cut takes them apart, and they are not lost."""
    monkeypatch.setattr(graph, "CAP", 10)
    matrix = blobs([25, 5], spread=0.0)
    groups = found(matrix, doubtful=0.01)
    assert set().union(*groups) == set(range(30))


def unit_vectors(count: int, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).normal(size=(count, 6)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_neighbours_are_mutual_and_near() -> None:
    """Symmetric, no lesson its own neighbour, none below the least cosine."""
    vectors = unit_vectors(50)
    graph = nearest(vectors, 4, 0.3).toarray()
    assert np.array_equal(graph, graph.T)
    assert not graph.diagonal().any()
    assert graph[graph > 0].min() >= 0.3
    cosines = vectors @ vectors.T
    assert np.allclose(graph[graph > 0], cosines[graph > 0], atol=1e-5)


def test_the_nearest_are_taken() -> None:
    vectors = unit_vectors(50)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    graph = nearest(vectors, 3, -1.0).toarray()
    for row in range(50):
        assert set(np.argsort(-cosines[row])[:3]) <= set(np.flatnonzero(graph[row]))


@pytest.mark.parametrize("count", [1, 2, 5])
def test_fewer_lessons_than_neighbours_wanted(count: int) -> None:
    assert nearest(unit_vectors(count), 8, -1.0).shape == (count, count)
