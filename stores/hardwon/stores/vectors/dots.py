"""Products of one direction with many rows of whole numbers: by simsimd, or by numpy where its wheel is missing."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwon.stores.vectors.planes import Bytes, Floats

_AT_ONCE = 16384
"""Rows that numpy widens together: 25 MB of them."""
_BITS = np.array([number.bit_count() for number in range(256)], np.uint8)


@functools.cache
def simd() -> ModuleType | None:
    """Return simsimd, or None where it cannot be imported."""
    try:
        import simsimd
    except ImportError:
        return None
    return simsimd  # type: ignore[no-any-return, unused-ignore]


def products(vectors: Floats, direction: Floats) -> Floats:
    """Return the product of each row with a direction, in one thread: those of BLAS wait for each other, busily."""
    found = np.empty(len(vectors), np.float32)
    library = simd()
    if library is not None and len(vectors):
        library.cdist(direction[None], vectors, metric="dot", out=found[None], out_dtype="float32")
        return found
    return np.matmul(vectors, direction, out=found)


def dots(direction: Floats, coarse: Bytes) -> Floats:
    """Return the products of a direction, rounded to eight bits, with each row of a coarse plane."""
    step = max(float(np.abs(direction).max(initial=0.0)), 1e-30) / 127
    whole = np.rint(direction / step).astype(np.int8)
    products = _products(whole, coarse)
    products *= np.float32(step)
    return products


def _products(direction: Bytes, coarse: Bytes) -> Floats:
    found = np.empty(len(coarse), np.float32)
    if not len(coarse):
        return found
    library = simd()
    if library is not None:
        library.cdist(direction[None], coarse, metric="dot", out=found[None], out_dtype="float32")
        return found
    wide = direction.astype(np.float32)
    for at, part in zip(range(0, len(coarse), _AT_ONCE), _parts(coarse), strict=True):
        found[at : at + len(part)] = part.astype(np.float32) @ wide
    return found


def _parts(rows: NDArray[Any]) -> Iterator[NDArray[Any]]:
    for start in range(0, len(rows), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]


def differing_bits(bits: NDArray[np.uint8], codes: NDArray[np.uint8]) -> Floats:
    """Return in how many bits each row of codes differs from these."""
    if not len(codes):
        return np.empty(0, np.float32)
    library = simd()
    if library is not None:
        found = np.empty(len(codes), np.float32)
        library.cdist(bits[None], codes, metric="hamming", dtype="bin8", out=found[None], out_dtype="float32")
        return found
    counted: list[Floats] = [_BITS[part ^ bits].sum(axis=1, dtype=np.float32) for part in _parts(codes)]
    return np.concatenate(counted)
