"""Meanings: embeddings of lessons and of the catalogue, without the direction that all sentences share.

Sentence embeddings have a common direction that says little but "this is a sentence" (Arora et al. 2017, "A simple but
tough-to-beat baseline for sentence embeddings"): their mean, and their first principal direction. For many lessons it
is their own; for few it is the catalogue's, so that it does not hang on the accident of what a few lessons are about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix


EQUAL = 200
"""The number of lessons from which their own common direction counts more than the catalogue's."""


def unpack(vectors: Sequence[bytes]) -> Matrix:
    """Return packed vectors (little-endian float32) as an n × d matrix."""
    import numpy as np

    return np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1).astype(np.float32)


def without_common_direction(lessons: Matrix, catalogue: Matrix) -> tuple[Matrix, Matrix]:
    """Return lessons (n × d) and catalogue (m × d), each less its mean and the first direction, at unit length."""
    import numpy as np

    own = len(lessons) / (len(lessons) + EQUAL)
    about = catalogue.mean(axis=0)
    mean = own * lessons.mean(axis=0) + (1 - own) * about
    spread = own * _covariance(lessons - mean) + (1 - own) * _covariance(catalogue - about)
    # The leading eigenvector of the d × d matrix: n and m may be large, d is not.
    first = np.linalg.eigh(spread)[1][:, -1:]
    return _without(lessons - mean, first), _without(catalogue - about, first)


def _covariance(centred: Matrix) -> Matrix:
    covariance: Matrix = (centred.T @ centred / max(1, len(centred))).astype(centred.dtype)
    return covariance


def _without(rows: Matrix, direction: Matrix) -> Matrix:
    import numpy as np

    rest = rows - (rows @ direction) @ direction.T
    result: Matrix = (rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return result
