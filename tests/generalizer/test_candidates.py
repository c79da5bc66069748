"""Pruned comparison finds what sharing a cause or being near by meaning says; the forest keeps every component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from hardwon.generalizer import candidates as module
from hardwon.generalizer import graph
from hardwon.generalizer.candidates import Candidates, candidates_by
from hardwon.generalizer.graph import strongest_forest


def similar(matrix: Any) -> Any:
    return lambda rows, columns: matrix[np.ix_(rows, columns)]


def random_matrix(size: int, seed: int) -> Any:
    upper = np.triu(np.random.default_rng(seed).uniform(0, 1, (size, size)), 1)
    return (upper + upper.T).astype(np.float32)


def pairs(candidates: Candidates, matrix: Any, least: float) -> dict[tuple[int, int], float]:
    return {
        (int(one), int(other)): float(value)
        for edges in candidates.edges(similar(matrix), least)
        for one, other, value in zip(*edges, strict=True)
    }


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 60), st.integers(1, 9), st.integers(0, 10_000), st.integers(1, 16))
def test_just_what_shares_a_cause_or_is_near_is_compared(size: int, concepts: int, seed: int, block: int) -> None:
    """Each such pair, whatever the size of a block, and no other."""
    chance = np.random.default_rng(seed)
    beliefs = chance.dirichlet(np.full(concepts, 0.2), size).astype(np.float32)
    near = sparse.csr_matrix(np.triu(chance.uniform(0, 1, (size, size)) > 0.95, 1).astype(np.float32))
    near = near.maximum(near.T).tocsr()
    matrix = random_matrix(size, seed)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("EXACT", 0), ("CAUSES", 2), ("BLOCK", block)):
            patch.setattr(module, name, value)
        found = pairs(candidates_by(beliefs, near), matrix, 0.3)
    likeliest = [{int(each) for each in np.argsort(-row)[:2] if row[each] > 0} for row in beliefs]
    expected = {
        (one, other): float(matrix[one, other])
        for one in range(size)
        for other in range(one + 1, size)
        if matrix[one, other] >= 0.3 and (likeliest[one] & likeliest[other] or near[one, other])
    }
    assert found == pytest.approx(expected)


def test_a_few_thousand_lessons_are_all_compared() -> None:
    matrix = random_matrix(30, 1)
    everything = pairs(candidates_by(np.full((30, 4), 0.25, dtype=np.float32), None), matrix, 0.0)
    assert len(everything) == 30 * 29 / 2


def components(size: int, edges: Any, cut: float) -> set[frozenset[int]]:
    rows, columns, values = edges
    kept = values >= cut
    joined = sparse.csr_matrix((np.ones(kept.sum()), (rows[kept], columns[kept])), shape=(size, size))
    _, labels = connected_components(joined, directed=False)
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels)}


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.integers(0, 10_000), st.lists(st.floats(0, 1), max_size=4))
def test_at_any_cut_the_forest_has_the_components_of_the_graph(size: int, seed: int, cuts: Sequence[float]) -> None:
    """Though it has fewer edges than lessons, and however often the same edge comes."""
    matrix = random_matrix(size, seed)
    rows, columns = np.triu_indices(size, 1)
    edges = (rows.astype(np.intp), columns.astype(np.intp), matrix[rows, columns])
    parts = [tuple(each[start::3] for each in edges) for start in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "HELD", 10)
        forest = strongest_forest([*parts, parts[0]], size)
    assert len(forest[0]) < size
    for cut in (0.0, *cuts, 0.9):
        assert components(size, forest, cut) == components(size, edges, cut)
