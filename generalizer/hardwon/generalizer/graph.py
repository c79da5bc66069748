"""The graph of lessons: which are near enough to one another to be told of one cause at all.

Only the strongest tree of edges is kept (a maximum spanning forest): at any cut, it falls into the same components as
the whole graph, so that memory grows with the number of lessons whatever the number of edges. A component above the cap
is cut again at a higher similarity, since one weak bridge would otherwise join everything (measured: a
nearest-neighbour graph of a few hundred lessons is one component).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hardwon.generalizer.candidates import BLOCK

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Indices, Matrix, SparseMatrix
    from hardwon.generalizer.candidates import Candidates, Edges, Similar


CAP = 600
"""Lessons of one component: linkage takes memory and time by the square of this."""
STEP = 0.05
"""By how much the cut rises in a component above the cap."""
HELD = 500_000
"""Edges that are gathered before the forest is made of them: 6 MB."""


def nearest(vectors: Matrix, count: int, least: float) -> SparseMatrix:
    """Return n × n cosines of unit vectors: each row's `count` highest at or above `least`, made symmetric."""
    import numpy as np
    from scipy import sparse

    size = len(vectors)
    found: list[Edges] = [_nothing()]
    for start in range(0, size, BLOCK):
        block = vectors[start : start + BLOCK] @ vectors.T
        block[np.arange(len(block)), start + np.arange(len(block))] = least - 1
        hits = np.flatnonzero(block >= least)
        found.append(_highest(hits // size + start, hits % size, block.ravel()[hits], count))
    rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(size, size), dtype=np.float32)
    return matrix.maximum(matrix.T).tocsr()


def _highest(rows: Indices, columns: Indices, values: Matrix, count: int) -> Edges:
    """Return the `count` highest values of each row; of equal ones those of the lower columns."""
    import numpy as np

    order = np.lexsort((columns, -values, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    firsts = np.searchsorted(rows, rows)
    kept = np.arange(len(rows)) - firsts < count
    return rows[kept], columns[kept], values[kept]


def components(similar: Similar, candidates: Candidates, cut: float) -> Iterator[list[int]]:
    """Walk groups of at most CAP lessons, sorted, between which no compared similarity reaches `cut`."""
    import numpy as np

    forest = strongest_forest(candidates.edges(similar, cut), candidates.size)
    return _within_cap(forest, np.arange(candidates.size), cut)


def strongest_forest(edges: Iterable[Edges], size: int) -> Edges:
    """Return the maximum spanning forest of a graph whose edges come in parts, each edge once or more often."""
    held: list[Edges] = [_nothing()]
    for part in edges:
        held.append(part)
        if sum(len(each[0]) for each in held) > HELD + size:
            held = [_forest_of(held, size)]
    return _forest_of(held, size)


def _nothing() -> Edges:
    import numpy as np

    return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32)


def _forest_of(parts: list[Edges], size: int) -> Edges:
    import numpy as np
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    rows, columns, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    _, first = np.unique(rows * size + columns, return_index=True)
    rows, columns, values = rows[first], columns[first], values[first]
    # The least tree of what is wanting to 2 is the greatest of what is there; no weight may be 0, which means no edge.
    wanting = sparse.csr_matrix((2.0 - values.astype(np.float64), (rows, columns)), shape=(size, size))
    tree = minimum_spanning_tree(wanting).tocoo()
    return tree.row.astype(np.intp), tree.col.astype(np.intp), (2.0 - tree.data).astype(np.float32)


def _within_cap(forest: Edges, nodes: Indices, cut: float) -> Iterator[list[int]]:
    """Walk connected components of at most CAP of some nodes, raising the cut within larger ones."""
    import numpy as np
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    rows, columns, values = forest
    kept = values >= cut
    ends = np.searchsorted(nodes, rows[kept]), np.searchsorted(nodes, columns[kept])
    graph = sparse.csr_matrix((np.ones(len(ends[0])), ends), shape=(len(nodes), len(nodes)))
    _, labels = connected_components(graph, directed=False)
    order = np.argsort(labels, kind="stable")
    for part in np.split(nodes[order], np.flatnonzero(np.diff(labels[order])) + 1):
        if len(part) <= CAP:
            if len(part):
                yield part.tolist()
            continue
        inside = kept & np.isin(rows, part)
        tighter = list(_within_cap((rows[inside], columns[inside], values[inside]), part, cut + STEP))
        yield from tighter if any(len(each) > 1 for each in tighter) else _slices(part.tolist())


def _slices(component: list[int]) -> Iterator[list[int]]:
    """Walk a component that no cut takes apart, since all of it is alike, in parts of at most CAP lessons."""
    for start in range(0, len(component), CAP):
        yield component[start : start + CAP]
