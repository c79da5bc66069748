"""Signs: by what it shows that a group of lessons is about one cause, measured against all lessons around it.

A group that belongs together is nearer to itself than the lessons outside are to it, whatever the level: lessons about
one programming language are all alike, and still fall into causes. Separation is the mean similarity within the group
less the mean similarity to it of the nearest lessons outside. Each view has its own: meanings, recognised causes, and
profiles disagree about groups that are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Indices, Matrix
    from hardwon.generalizer.evidence import Evidence


OUTSIDE = 5
"""Lessons outside of a group that it is compared with: those that are nearest to it."""
AROUND = 0.3
"""Of a group's lessons, how many must be worth comparing with a lesson for it to count as one outside."""
WEIGHTS: Mapping[str, float] = {"meaning": 6.9, "cause": 2.5, "profile": 12.1, "named": 3.7}
BIAS = -3.9
"""Logistic regression of whether four fifths of a group share one cause, on groups of lessons whose causes are known:
those in tests/data and examples of the catalogue that were kept from it. tests/benchmarks/fit_generalize.py makes the
numbers anew. Without an embedder, words stand for meanings."""


@dataclass(frozen=True)
class Signs:
    """What speaks for a group being about one cause."""

    separation: Mapping[str, float]
    """By view, -1 to 1."""
    cohesion: float
    """The mean similarity of its lessons to one another, 0–1."""
    named: float
    """The share of its lessons that name the leading cause by a strong cue, 0–1."""

    @property
    def likelihood(self) -> float:
        """Return how likely it is that the group is about one cause, 0–1."""
        values = {**self.separation, "named": self.named}
        return 1 / (1 + exp(-BIAS - sum(WEIGHTS[name] * value for name, value in values.items())))


def signs_of(evidence: Evidence, group: Sequence[int]) -> Signs:
    """Return what shows that a group of at least two lessons is about one cause."""
    import numpy as np

    columns = np.union1d(evidence.candidates.sharing(group, AROUND), group)
    return signs_from(evidence, group, evidence.sums(group, columns), np.searchsorted(columns, np.sort(group)))


def signs_from(evidence: Evidence, group: Sequence[int], sums: Matrix, inside: Indices) -> Signs:
    """Return the same from sums that are known.

    `sums` are views × lessons: how similar each lesson is to all of the group, summed, a lesson to itself 0; `inside`
    are the columns of the group's own lessons.
    """
    import numpy as np

    size = len(group)
    within = sums[:, inside].sum(axis=1) / (size * (size - 1))
    outside = np.delete(sums, inside, axis=1) / size
    kept = min(OUTSIDE, outside.shape[1])
    near = np.partition(outside, -kept, axis=1)[:, -kept:].mean(axis=1) if kept else np.zeros(len(sums))
    views = evidence.weights
    return Signs(
        separation={view: float(value) for view, value in zip(views, within - near, strict=True)},
        cohesion=float(within @ np.array(list(views.values()))),
        named=_named(evidence, group),
    )


def _named(evidence: Evidence, group: Sequence[int]) -> float:
    if evidence.named is None:
        return 0.0
    rows = list(group)
    leading = int(evidence.beliefs[rows].sum(axis=0).argmax())
    return float(evidence.named[rows, leading].mean())
