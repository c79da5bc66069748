"""The graph of lessons: which are near enough to one another to be told of one cause at all.

Similarities are computed in blocks of rows and only those that could join two lessons are kept, so that memory grows
with the number of lessons and not with its square. The kept ones fall into components; a component above the cap is cut
again at a higher similarity, since one weak bridge would otherwise join everything (measured: a nearest-neighbour graph
of a few hundred lessons is one component).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix, SparseMatrix

    Similar = Callable[[Sequence[int], Sequence[int]], Matrix]


BLOCK = 512
CAP = 600
"""Lessons of one component: linkage takes memory and time by the square of this."""
STEP = 0.05
"""By how much the cut rises in a component above the cap."""


def nearest(vectors: Matrix, count: int, least: float) -> SparseMatrix:
    """Return n × n cosines of unit vectors: each row's `count` highest at or above `least`, made symmetric."""
    import numpy as np
    from scipy import sparse

    rows, columns, values = [], [], []
    for start, block in _blocks(lambda some, all: vectors[some] @ vectors[all].T, len(vectors)):
        wanted = min(count + 1, block.shape[1])
        best = np.argpartition(-block, wanted - 1, axis=1)[:, :wanted]
        for offset, candidates in enumerate(best):
            row = start + offset
            kept = [column for column in candidates if column != row and block[offset, column] >= least]
            rows += [row] * len(kept)
            columns += kept
            values += [block[offset, column] for column in kept]
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(len(vectors), len(vectors)), dtype=np.float32)
    return matrix.maximum(matrix.T).tocsr()


def components(similar: Similar, size: int, cut: float) -> Iterator[list[int]]:
    """Walk groups of at most CAP lessons, sorted, between which no similarity reaches `cut`.

    `similar(rows, columns)` gives the similarities between some lessons and others, 0 between a lesson and itself.
    """
    return _within_cap(_edges(similar, size, cut), range(size), cut)


def _blocks(similar: Similar, size: int) -> Iterator[tuple[int, Matrix]]:
    for start in range(0, size, BLOCK):
        yield start, similar(range(start, min(start + BLOCK, size)), range(size))


def _edges(similar: Similar, size: int, cut: float) -> list[tuple[int, int, float]]:
    import numpy as np

    edges = []
    for start, block in _blocks(similar, size):
        rows, columns = np.nonzero(block >= cut)
        edges += [
            (start + int(row), int(column), float(block[row, column]))
            for row, column in zip(rows, columns, strict=True)
            if start + row < column
        ]
    return edges


def _within_cap(edges: Sequence[tuple[int, int, float]], nodes: Sequence[int], cut: float) -> Iterator[list[int]]:
    """Walk connected components of at most CAP lessons, raising the cut within larger ones."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((one, other) for one, other, similarity in edges if similarity >= cut)
    for component in nx.connected_components(graph):
        if len(component) <= CAP:
            yield sorted(component)
        else:
            inner = [edge for edge in edges if edge[0] in component and edge[1] in component]
            tighter = list(_within_cap(inner, sorted(component), cut + STEP))
            yield from tighter if any(len(part) > 1 for part in tighter) else _slices(sorted(component))


def _slices(component: list[int]) -> Iterator[list[int]]:
    """Walk a component that no cut takes apart, since all of it is alike, in parts of at most CAP lessons."""
    for start in range(0, len(component), CAP):
        yield component[start : start + CAP]
