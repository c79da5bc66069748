"""Clusters: which lessons tell of one cause: average linkage within each component of the graph, then growth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.graph import components

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.generalizer.candidates import Candidates, Similar


JOIN = 0.40
"""How near a lesson must be to a core to join it."""
MARGIN = 0.06
"""How much nearer than to any second core."""
SHARE = 0.3
"""Of a core's lessons, how many must be worth comparing with a lesson that may join it."""


def clusters(similar: Similar, candidates: Candidates, cut: float) -> list[list[int]]:
    """Return groups of lesson indices whose average similarity is at least `cut`; lessons alone are left out.

    `similar(rows, columns)` gives the similarities between some lessons and others, 0 between a lesson and itself.
    """
    groups: list[list[int]] = []
    for component in components(similar, candidates, cut):
        if len(component) > 1:
            groups += _linked(similar, component, cut)
    return [group for group in groups if len(group) > 1]


def grow(similar: Similar, candidates: Candidates, cores: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the groups with the lessons that are near to one of them and to no second.

    How near a lesson is to a core: the mean of its similarity to all members and to the two most similar ones.
    """
    import numpy as np

    grown = [list(core) for core in cores]
    taken = np.zeros(candidates.size, dtype=bool)
    for core in cores:
        taken[list(core)] = True
    best, second = np.zeros(candidates.size, dtype=np.float32), np.zeros(candidates.size, dtype=np.float32)
    nearest = np.zeros(candidates.size, dtype=np.int64)
    for number, core in enumerate(cores):
        around = candidates.sharing(core, SHARE)
        outside = around[~taken[around]]
        nearness = _nearness(similar(outside, core))
        nearer = nearness > best[outside]
        second[outside] = np.where(nearer, best[outside], np.maximum(second[outside], nearness))
        nearest[outside[nearer]] = number
        best[outside] = np.maximum(best[outside], nearness)
    for index in np.flatnonzero((best >= JOIN) & (best - second >= MARGIN)):
        grown[nearest[index]].append(int(index))
    return [sorted(group) for group in grown]


def _nearness(similarities: Matrix) -> Matrix:
    """Return how near each of some lessons (rows) is to a core (columns)."""
    import numpy as np

    result: Matrix = (similarities.mean(axis=1) + np.sort(similarities, axis=1)[:, -2:].mean(axis=1)) / 2
    return result


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
