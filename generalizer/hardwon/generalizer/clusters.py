"""Clusters: which lessons tell of one cause.

Similarities are computed in blocks of rows and only those that could join two lessons are kept, so that memory grows
with the number of lessons and not with its square. The kept ones fall into components; a component above the cap is cut
again at a higher similarity, since one weak bridge would otherwise join everything (measured: a nearest-neighbour graph
of a few hundred lessons is one component). Within a component, average linkage decides.
"""

from __future__ import annotations

from collections import defaultdict
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
JOIN = 0.40
"""How near a lesson must be to a core to join it."""
MARGIN = 0.06
"""How much nearer than to any second core."""


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


def clusters(similar: Similar, size: int, cut: float) -> list[list[int]]:
    """Return groups of lesson indices whose average similarity is at least `cut`; lessons alone are left out.

    `similar(rows, columns)` gives the similarities between some lessons and others, 0 between a lesson and itself.
    """
    edges = _edges(similar, size, cut)
    groups: list[list[int]] = []
    for component in _components(edges, range(size), cut):
        if len(component) > 1:
            groups += _linked(similar, component, cut)
    return [group for group in groups if len(group) > 1]


def grow(similar: Similar, size: int, cores: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the groups with the lessons that are near to one of them and to no second.

    How near a lesson is to a core: the mean of its similarity to all members and to the two most similar ones.
    """
    import numpy as np

    grown = [list(core) for core in cores]
    members = [index for core in cores for index in core]
    outside = sorted(set(range(size)).difference(members)) if cores else []
    ends = np.cumsum([len(core) for core in cores])[:-1]
    for start in range(0, len(outside), BLOCK):
        some = outside[start : start + BLOCK]
        parts = np.split(similar(some, members), ends, axis=1)
        nearness = np.stack([_nearness(part) for part in parts], axis=1)
        for index, row in zip(some, nearness, strict=True):
            best, *others = np.sort(row)[::-1][:2]
            if best >= JOIN and best - (others[0] if others else 0) >= MARGIN:
                grown[int(row.argmax())].append(index)
    return [sorted(group) for group in grown]


def _nearness(similarities: Matrix) -> Matrix:
    """Return how near each of some lessons (rows) is to a core (columns)."""
    import numpy as np

    result: Matrix = (similarities.mean(axis=1) + np.sort(similarities, axis=1)[:, -2:].mean(axis=1)) / 2
    return result


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


def _components(edges: Sequence[tuple[int, int, float]], nodes: Sequence[int], cut: float) -> Iterator[list[int]]:
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
            tighter = list(_components(inner, sorted(component), cut + STEP))
            yield from tighter if any(len(part) > 1 for part in tighter) else _slices(sorted(component))


def _slices(component: list[int]) -> Iterator[list[int]]:
    """Walk a component that no cut takes apart, since all of it is alike, in parts of at most CAP lessons."""
    for start in range(0, len(component), CAP):
        yield component[start : start + CAP]


def _linked(similar: Similar, component: list[int], cut: float) -> list[list[int]]:
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    inside = similar(component, component)
    highest = float(inside.max())
    distances = highest - (inside + inside.T) / 2
    np.fill_diagonal(distances, 0)
    labels = fcluster(linkage(squareform(np.maximum(distances, 0), checks=False), "average"), highest - cut, "distance")
    groups: dict[int, list[int]] = defaultdict(list)
    for index, label in zip(component, labels, strict=True):
        groups[label].append(index)
    return list(groups.values())
