"""Vectors as they lie in a row: in ten bits a number where they are rounded so (`vector_precision`), exact in any case.

A packed vector is the byte 1, the step as a 32-bit number, then of each number its multiple: the upper eight bits of
all, then the lower two of all, four in a byte. Any other vector is the byte 0 and its bytes as they came: one that was
made before vectors were rounded, or by another program.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from hardwon.kernel.vector_precision import STEPS, step_of

_RAW, _PACKED = b"\0", b"\1"
_HEAD = 5


def packed(vectors: Sequence[bytes]) -> list[bytes]:
    """Return what is kept of vectors of little-endian 32-bit numbers; `unpacked` gives the same bytes back."""
    return [_packed(vector) or _RAW + vector for vector in vectors]


def unpacked(kept: Sequence[bytes]) -> list[bytes]:
    """Return vectors, from what is kept of them."""
    by_length: dict[int, list[int]] = {}
    found = [vector[1:] for vector in kept]
    for place, vector in enumerate(kept):
        if vector[:1] == _PACKED:
            by_length.setdefault(len(vector), []).append(place)
    for places in by_length.values():
        for place, vector in zip(places, _unpacked([kept[place] for place in places]), strict=True):
            found[place] = vector
    return found


def _packed(vector: bytes) -> bytes | None:
    """Return a vector in ten bits a number; None where that would not give it back."""
    import numpy as np

    if not vector or len(vector) % 4:
        return None
    with np.errstate(invalid="ignore"):  # of a signalling NaN, which no embedder makes
        numbers = np.frombuffer(vector, "<f4").astype(np.float64)
    largest = float(np.abs(numbers).max())
    if not math.isfinite(largest) or not 1e-30 < largest < 1e30:
        return None
    step = step_of(largest)
    multiples = np.rint(numbers / step)
    if np.abs(multiples).max() > STEPS or (multiples * step).astype("<f4").tobytes() != vector:
        return None
    shifted = (multiples + (STEPS + 1)).astype(np.uint16)
    lower = np.zeros(-(-len(shifted) // 4) * 4, np.uint8)
    lower[: len(shifted)] = shifted & 3
    quarters = lower.reshape(-1, 4) << np.array([6, 4, 2, 0], np.uint8)
    upper = (shifted >> 2).astype(np.uint8)
    head = _PACKED + struct.pack("<f", step)
    return head + bytes(upper.tobytes()) + bytes(quarters.sum(1, np.uint8).tobytes())


def _unpacked(kept: Sequence[bytes]) -> list[bytes]:
    """Return packed vectors of one length."""
    import numpy as np

    rows = np.frombuffer(b"".join(kept), np.uint8).reshape(len(kept), -1)
    numbers = (rows.shape[1] - _HEAD) * 4 // 5
    steps = rows[:, 1:_HEAD].copy().view("<f4").astype(np.float64)
    upper = rows[:, _HEAD : _HEAD + numbers].astype(np.int16)
    quarters = rows[:, _HEAD + numbers :, None] >> np.array([6, 4, 2, 0], np.uint8) & 3
    lower = quarters.reshape(len(kept), -1)[:, :numbers]
    multiples = (upper << 2 | lower) - (STEPS + 1)
    return [row.tobytes() for row in (multiples * steps).astype("<f4")]
