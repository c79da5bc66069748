"""Vectors as whole numbers in two planes: the upper eight bits of each, which are scanned, and the lower two.

Of a vector that is rounded as vectors are when they are made (`hardwon.kernel.vector_precision`), nothing is lost; any
other becomes as exact as those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwon.kernel.vector_precision import DIGITS, STEPS

Floats = NDArray[np.float32]
Bytes = NDArray[np.int8]
Rows = NDArray[np.intp]
LOWER_MEAN = 1.5 / 4
"""What the lower bits of a number add on average, in steps of the coarse plane."""
_SHIFTS = np.array([6, 4, 2, 0], np.uint8)
_LOWER = (((np.arange(256, dtype=np.uint8)[:, None] >> _SHIFTS) & 3).astype(np.float32) / 4).view(np.complex128)[:, 0]
"""By byte of the fine plane: what its four numbers add, in steps of the coarse plane, moved as the 16 bytes they are.

Taken apart by shifts, a hundred vectors take three times as long.
"""
_AT_ONCE = 16384


@dataclass(frozen=True, slots=True)
class Planes:
    """Some vectors: each is `scale · (coarse + lower bits / 4)`."""

    coarse: Bytes
    fine: NDArray[np.uint8]
    """The lower bits, of four numbers in a byte."""
    scales: Floats
    """What one step of the coarse plane is worth, by row."""

    def floats(self, rows: NDArray[np.intp] | slice = slice(None)) -> Floats:
        """Return vectors as they were."""
        coarse = self.coarse[rows]
        whole = np.ascontiguousarray(_LOWER[self.fine[rows]].view(np.float32)[:, : coarse.shape[1]])
        whole += coarse
        whole *= self.scales[rows, None]
        return whole


def planes_of(vectors: Floats) -> Planes:
    """Return the planes of vectors, a row each; one of zeros stays one."""
    count, dimensions = vectors.shape
    steps = _steps_of(np.abs(vectors).max(axis=1, initial=0.0).astype(np.float64))
    coarse, fine = np.empty((count, dimensions), np.int8), np.empty((count, fine_width(dimensions)), np.uint8)
    for start in range(0, count, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        multiples = np.rint(vectors[part] / steps[part, None]).astype(np.int16)
        coarse[part] = multiples >> 2
        lower = np.zeros((len(multiples), 4 * fine.shape[1]), np.uint8)
        lower[:, :dimensions] = multiples & 3
        fine[part] = (lower.reshape(len(multiples), -1, 4) << _SHIFTS).sum(axis=2, dtype=np.uint8)
    return Planes(coarse, fine, (4 * steps).astype(np.float32))


def fine_width(dimensions: int) -> int:
    """Return how many bytes the lower bits of a vector take."""
    return (dimensions + 3) // 4


def _steps_of(largest: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the steps of vectors whose largest numbers are these, as `vector_precision.step_of` has them."""
    mantissas, exponents = np.frexp(np.maximum(largest, 1e-30) / STEPS)
    steps: NDArray[np.float64] = np.ldexp(np.ceil(np.ldexp(mantissas, DIGITS)), exponents - DIGITS)
    return steps
