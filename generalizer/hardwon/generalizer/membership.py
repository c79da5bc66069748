"""Membership: which of a cluster's lessons speak of its cause by themselves.

Neighbours lend each other their recognition, and similarity has its own accidents, so a cluster that agrees on a cause
also gathers lessons that never mention it. A member stays when its own text is recognised: not far less than that of
the others, and not at a level that any text reaches. Both limits were chosen on the development set, in
whose figures they have a part (docs/decisions/0024).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix


SHARE_OF_MEDIAN = 0.6
LEAST = 0.28
"""Recognition score (cosine plus cues) below which a text does not speak of a concept."""
AGREED = 0.5
"""Share of belief in one concept from which a cluster is taken to be about it."""


def members_that_speak(group: Sequence[int], scores: Matrix, beliefs: Matrix) -> list[int]:
    """Return the group without the lessons that do not speak of the cause that the others agree on.

    `scores` and `beliefs` are lessons × concepts. A group that agrees on no concept is returned whole.
    """
    import numpy as np

    mean = beliefs[list(group)].mean(axis=0)
    concept = int(mean.argmax())
    if mean[concept] < AGREED:
        return list(group)
    own = scores[list(group), concept]
    least = max(LEAST, SHARE_OF_MEDIAN * float(np.median(own)))
    return [index for index, score in zip(group, own, strict=True) if score >= least]
