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
from hardwon.generalizer.signs import AROUND, Signs, signs_from
from hardwon.generalizer.ties import NO_TIES, Ties

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.generalizer.evidence import Evidence

    Judge = Callable[[Sequence[int]], bool]


LOOSEST = 0.25
"""The mean similarity (0–1) below which nothing is a group: that of lessons that have nothing to do with each other
reaches 0.2."""


@dataclass(frozen=True)
class Node:
    """A group of the tree."""

    members: tuple[int, ...]
    """The indices of its lessons."""
    parts: tuple[int, ...]
    """The nodes that it was joined of; none for a lesson."""
    signs: Signs | None
    """None for what could not be proposed."""


def clusters(evidence: Evidence, is_enough: Judge, doubtful: float, ties: Ties = NO_TIES) -> list[list[int]]:
    """Return groups of lesson indices, sorted, of which each is likelier than `doubtful` (0–1) to be about one cause.

    `is_enough` tells whether a group could be proposed at all. No group holds what `ties` keep apart.
    """
    found: list[list[int]] = []
    for component in ties.joined(components(evidence.similar, evidence.candidates, LOOSEST)):
        if is_enough(component):
            found += [sorted(node.members) for node in _best(tree(evidence, component, is_enough, ties), doubtful)]
    return found


def tree(evidence: Evidence, component: Sequence[int], is_enough: Judge, ties: Ties = NO_TIES) -> list[Node]:
    """Return the groups that average linkage makes of a component, lessons first and the whole last."""
    import numpy as np

    rows = np.asarray(component)
    columns = np.union1d(evidence.candidates.sharing(component, AROUND), rows)
    inside = np.searchsorted(columns, rows)
    blocks = np.stack(evidence.views(rows, columns))
    similarities = np.tensordot(np.array(list(evidence.weights.values()), dtype=np.float32), blocks[:, :, inside], 1)
    places = [[place] for place in range(len(rows))]
    sums = list(np.swapaxes(blocks, 0, 1))
    nodes = [Node((index,), (), None) for index in component]
    for one, other, similarity in _joins(ties.applied(similarities, component)):
        places.append(places[one] + places[other])
        sums.append(sums[one] + sums[other])
        sums[one] = sums[other] = sums[-1][:, :0]  # no longer needed, and large
        group = tuple(rows[places[-1]].tolist())
        signs = None
        if similarity >= LOOSEST and is_enough(group) and ties.allow(group):
            signs = signs_from(evidence, group, sums[-1], inside[places[-1]])
        nodes.append(Node(group, (one, other), signs))
    return nodes


def _best(nodes: Sequence[Node], doubtful: float) -> list[Node]:
    """Return the nodes, none within another, whose likelihoods above doubt add up to most, each lesson counting."""
    best: list[tuple[float, list[Node]]] = []
    for node in nodes:
        parts = [best[part] for part in node.parts]
        value, chosen = sum(each for each, _ in parts), [chosen for _, some in parts for chosen in some]
        own = (node.signs.likelihood - doubtful) * len(node.members) if node.signs else 0.0
        best.append((own, [node]) if own > 0 and own >= value else (value, chosen))
    return best[-1][1]


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
