"""Clusters: which lessons tell of one cause: average linkage within each component of the graph, then growth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.graph import BLOCK, components

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.generalizer.graph import Similar


JOIN = 0.40
"""How near a lesson must be to a core to join it."""
MARGIN = 0.06
"""How much nearer than to any second core."""


def clusters(similar: Similar, size: int, cut: float) -> list[list[int]]:
    """Return groups of lesson indices whose average similarity is at least `cut`; lessons alone are left out.

    `similar(rows, columns)` gives the similarities between some lessons and others, 0 between a lesson and itself.
    """
    groups: list[list[int]] = []
    for component in components(similar, size, cut):
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
