"""Clusters hang on similarities alone: not on the size of a block, nor on the order in which lessons come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.generalizer import candidates, graph
from hardwon.generalizer import clusters as linking
from hardwon.generalizer.candidates import Candidates
from hardwon.generalizer.clusters import clusters, grow
from hardwon.generalizer.graph import nearest

CUT = 0.5
Similar = Callable[[Sequence[int], Sequence[int]], Any]
Groups = set[frozenset[int]]


def of(matrix: Any) -> Similar:
    """Return a matrix of similarities as clusters ask for it: some rows and columns, 0 for a lesson and itself."""
    clean = np.array(matrix, dtype=np.float32)
    np.fill_diagonal(clean, 0)
    return lambda rows, columns: clean[np.ix_(rows, columns)]


def blobs(sizes: Sequence[int], seed: int = 0, spread: float = 0.05) -> Any:
    """Return similarities of lessons in groups: near 0.9 within, near 0.1 between."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    noise = np.random.default_rng(seed).uniform(-spread, spread, (len(labels), len(labels)))
    return np.where(labels[:, None] == labels[None, :], 0.9, 0.1) + (noise + noise.T) / 2


def random_matrix(size: int, seed: int) -> Any:
    """Return symmetric similarities with no two alike."""
    upper = np.triu(np.random.default_rng(seed).uniform(0, 1, (size, size)), 1)
    return upper + upper.T


def found(matrix: Any, cut: float = CUT) -> Groups:
    groups = clusters(of(matrix), Candidates(len(matrix)), cut)
    members = [index for group in groups for index in group]
    assert len(members) == len(set(members)), "a lesson stands in two clusters"
    return set(map(frozenset, groups))


def test_what_belongs_together_is_found() -> None:
    assert found(blobs([5, 1, 4, 3])) == {frozenset(range(5)), frozenset(range(6, 10)), frozenset(range(10, 13))}


@pytest.mark.parametrize("size", [0, 1, 2])
def test_few_lessons(size: int) -> None:
    assert found(np.full((size, size), 0.9)) == ({frozenset({0, 1})} if size == 2 else set())


def test_a_lesson_alone_is_no_cluster() -> None:
    assert found(np.full((6, 6), CUT - 0.01)) == set()


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.integers(0, 10_000), st.floats(0.3, 0.9))
def test_every_cluster_is_as_similar_as_the_cut(size: int, seed: int, cut: float) -> None:
    """On average between any two of its parts that were joined last, so on average as a whole."""
    matrix = random_matrix(size, seed)
    for group in found(matrix, cut):
        inside = matrix[np.ix_(sorted(group), sorted(group))]
        assert inside.sum() / (len(group) * (len(group) - 1)) >= cut - 1e-4


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
    cores = [[0, 1, 2], [3, 4, 5]]
    vectors = np.random.default_rng(3).normal(size=(60, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    before = found(matrix), grow(of(matrix), Candidates(60), cores), nearest(vectors, 4, 0.1).toarray()
    monkeypatch.setattr(candidates, "BLOCK", block)
    monkeypatch.setattr(graph, "BLOCK", block)
    after = found(matrix), grow(of(matrix), Candidates(60), cores), nearest(vectors, 4, 0.1).toarray()
    assert after[:2] == before[:2]
    assert np.allclose(after[2], before[2], atol=1e-6)


def test_a_bridge_does_not_join_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A component above the cap is cut at its weak places before linkage sees it."""
    matrix = blobs([8, 8, 8])
    for one, other in ((7, 8), (15, 16)):
        matrix[one, other] = matrix[other, one] = 0.6
    monkeypatch.setattr(graph, "CAP", 10)
    assert found(matrix) == {frozenset(range(8)), frozenset(range(8, 16)), frozenset(range(16, 24))}


def test_linkage_never_sees_more_than_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    linked = linking._linked
    monkeypatch.setattr(graph, "CAP", 12)
    monkeypatch.setattr(
        linking,
        "_linked",
        lambda similar, component, cut: seen.append(len(component)) or linked(similar, component, cut),
    )
    found(random_matrix(80, seed=4), cut=0.6)
    assert seen
    assert max(seen) <= 12


def test_lessons_that_are_all_alike_are_a_cluster_above_the_cap_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when one failure was noted again each night: no cut takes them apart, and they are not lost."""
    monkeypatch.setattr(graph, "CAP", 10)
    groups = found(np.ones((25, 25)))
    assert set().union(*groups) == set(range(25))


def test_a_core_grows_by_what_is_near_to_it_alone() -> None:
    matrix = blobs([4, 4, 1, 1])
    matrix[8, :4] = matrix[:4, 8] = 0.7
    matrix[9, :8] = matrix[:8, 9] = 0.7
    assert grow(of(matrix), Candidates(10), [[0, 1, 2, 3], [4, 5, 6, 7]]) == [[0, 1, 2, 3, 8], [4, 5, 6, 7]]


def test_without_cores_nothing_grows() -> None:
    assert grow(of(np.ones((5, 5))), Candidates(5), []) == []


@settings(deadline=None, max_examples=30)
@given(st.integers(6, 40), st.integers(0, 1000))
def test_growing_moves_no_lesson_and_doubles_none(size: int, seed: int) -> None:
    cores = [[0, 1], [2, 3], [4, 5]]
    grown = grow(of(random_matrix(size, seed)), Candidates(size), cores)
    members = [index for group in grown for index in group]
    assert len(members) == len(set(members))
    assert all(set(core) <= set(group) for core, group in zip(cores, grown, strict=True))


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
