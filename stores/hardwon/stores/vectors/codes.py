"""A bit for each number of a vector: an eighth of what the coarse plane takes, for machines on which that is much.

The bit says whether the number lies above the mean of all. A direction is held against the bits with four bits a
number (four counts of differing bits), and each row's product is scaled by how long the row is for its bits, as in
RaBitQ (Gao & Long 2024) without the rotation. With one bit of the direction too, half of what is near was missed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardwon.stores.vectors.dots import differing_bits
from hardwon.stores.vectors.planes import Floats, Planes

DEPTH = 5000
"""Rows, at least, that are held against the planes after the codes: .99 of the nearest ten are in 2,000 of 100,000."""
_BITS = 4
_AT_ONCE = 16384
"""Rows whose codes stay in the processor's cache for all four counts."""


@dataclass(frozen=True, slots=True)
class Codes:
    """The bits of some rows."""

    mean: Floats
    bits: NDArray[np.uint8]
    """Packed, a row each."""
    ones: Floats
    """How many bits are set, by row."""
    lengths: Floats
    """What one bit is worth, by row."""

    def products(self, direction: Floats) -> Floats:
        """Return about what a direction times each row is."""
        low, step, planes = _four_bits(direction)
        set_bits = np.empty(len(self.bits), np.float32)
        for start in range(0, len(self.bits), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            total = low * self.ones[part]
            for place, plane in enumerate(planes):
                # Bits set in both: half of what both have set less what they differ in.
                both = self.ones[part] + (np.float32(_ones(plane)) - differing_bits(plane, self.bits[part]))
                total += np.float32(step * 2**place / 2) * both
            set_bits[part] = total
        products: Floats = (2 * set_bits - direction.sum()) * self.lengths + np.float32(direction @ self.mean)
        return products


def _four_bits(direction: Floats) -> tuple[np.float32, float, list[NDArray[np.uint8]]]:
    """Return a direction as its least number, a step, and the bits of how many steps above that each number is."""
    low = direction.min()
    step = max(float(direction.max() - low), 1e-30) / (2**_BITS - 1)
    whole = np.rint((direction - low) / step).astype(np.uint8)
    return low, step, [np.packbits((whole >> place) & 1) for place in range(_BITS)]


def _ones(bits: NDArray[np.uint8]) -> int:
    return int.from_bytes(bits.tobytes(), "big").bit_count()


def codes_of(planes: Planes) -> Codes:
    """Return the codes of the rows of some planes."""
    count, dimensions = planes.coarse.shape
    sums = np.zeros(dimensions, np.float64)
    for rows in _parts(count):
        sums += planes.floats(rows).sum(axis=0, dtype=np.float64)
    mean = (sums / max(1, count)).astype(np.float32)
    bits = np.empty((count, (dimensions + 7) // 8), np.uint8)
    ones, lengths = np.empty(count, np.float32), np.empty(count, np.float32)
    for rows in _parts(count):
        left = planes.floats(rows) - mean
        above = left > 0
        bits[rows] = np.packbits(above, axis=1)
        ones[rows] = np.count_nonzero(above, axis=1)
        # The scale at which the signs are nearest to the row: |x|² / Σ|x|.
        lengths[rows] = (left**2).sum(axis=1) / np.maximum(np.abs(left).sum(axis=1), 1e-30)
    return Codes(mean, bits, ones, lengths)


def _parts(count: int) -> list[slice]:
    return [slice(start, min(count, start + _AT_ONCE)) for start in range(0, count, _AT_ONCE)]
