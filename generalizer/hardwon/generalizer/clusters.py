"""Clusters: which lessons tell of one cause.

Within each component of the graph, average linkage makes a tree of ever larger groups. No single level of it serves
all causes: where a tight one is pure, a loose one mixes two. So each group of the tree is judged by what shows that it
is about one cause, and those are taken, none within another, that together are likeliest to give the reviewer the most
lessons that belong together (the optimal cut of a cluster tree: Campello et al. 2013, "A framework for semi-supervised
and unsupervised optimal extraction of clusters from hierarchies").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.generalizer.graph import components
from hardwon.generalizer.signs import AROUND, signs_from
from hardwon.generalizer.ties import NO_TIES, Ties

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.generalizer.evidence import Evidence

    Judge = Callable[[Sequence[int]], bool]


LOOSEST = 0.25
"""The mean similarity (0–1) below which nothing is a group: that of lessons that have nothing to do with each other
reaches 0.2."""


@dataclass
class _Node:
    """A group of the tree: the places of its lessons within the component, and what it was joined of."""

    members: list[int]
    similarity: float
    value: float = 0.0
    """What the best choice of groups within it is worth: of each, its lessons times how far it is above doubt."""
    chosen: tuple[int, ...] = ()
    """The nodes of that choice."""


def clusters(evidence: Evidence, is_enough: Judge, doubtful: float, ties: Ties = NO_TIES) -> list[list[int]]:
    """Return groups of lesson indices, sorted, of which each is likelier than `doubtful` (0–1) to be about one cause.

    `is_enough` tells whether a group could be proposed at all. No group holds what `ties` keep apart.
    """
    found: list[list[int]] = []
    for component in ties.joined(components(evidence.similar, evidence.candidates, LOOSEST)):
        if is_enough(component):
            found += _chosen(evidence, component, is_enough, doubtful, ties)
    return found


def _chosen(
    evidence: Evidence, component: Sequence[int], is_enough: Judge, doubtful: float, ties: Ties
) -> Iterator[list[int]]:
    import numpy as np

    rows = np.asarray(component)
    columns = np.union1d(evidence.candidates.sharing(component, AROUND), rows)
    inside = np.searchsorted(columns, rows)
    views = evidence.views(rows, columns)
    weights = evidence.weights.values()
    similarities = np.asarray(sum(weight * view[:, inside] for weight, view in zip(weights, views, strict=True)))
    nodes = [_Node([place], 1.0) for place in range(len(rows))]
    sums = [np.stack([view[place] for view in views]) for place in range(len(rows))]
    for one, other, similarity in _joins(ties.applied(similarities, component)):
        node = _Node(nodes[one].members + nodes[other].members, similarity)
        sums.append(sums[one] + sums[other])
        sums[one] = sums[other] = sums[-1][:, :0]  # no longer needed, and large
        parts = nodes[one].value + nodes[other].value
        node.value, node.chosen = parts, (*nodes[one].chosen, *nodes[other].chosen)
        group = rows[node.members].tolist()
        if similarity >= LOOSEST and is_enough(group) and ties.allow(group):
            likelihood = signs_from(evidence, group, sums[-1], inside[node.members]).likelihood
            own = (likelihood - doubtful) * len(group)
            if own > 0 and own >= parts:
                node.value, node.chosen = own, (len(nodes),)
        nodes.append(node)
    return (sorted(rows[nodes[number].members].tolist()) for number in nodes[-1].chosen)


def _joins(similarities: Matrix) -> Iterator[tuple[int, int, float]]:
    """Walk the joins of average linkage, the most similar first: two nodes, and the mean similarity between them.

    Lessons are the first nodes, each join makes the next one.
    """
    import numpy as np
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    if len(similarities) < 2:
        return
    highest = float(similarities.max())
    distances = highest - (similarities + similarities.T) / 2
    np.fill_diagonal(distances, 0)
    for one, other, distance, _ in linkage(squareform(np.maximum(distances, 0), checks=False), "average"):
        yield int(one), int(other), highest - float(distance)
