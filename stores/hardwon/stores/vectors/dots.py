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
    """Return simsimd; None where it cannot be imported, or does not work.

    Loaded after usearch, whose library numkong defines the same symbols, every call of it fails. So whoever imports
    usearch calls this first.
    """
    try:
        import simsimd

        simsimd.cdist(np.ones((1, 8), np.int8), np.ones((1, 8), np.int8), metric="dot", out_dtype="float32")
    except (ImportError, TypeError):
        return None
    return simsimd  # type: ignore[no-any-return, unused-ignore]


def _distances(one: NDArray[Any], rows: NDArray[Any], **how: str) -> Floats:
    """Return simsimd's distances of one row to many.

    Never by its parameter `out`: simsimd 6.5 then returns a None that it does not own, and a Python before 3.12 ends
    with a fatal error when it has been given enough of those.
    """
    library = simd()
    assert library is not None
    found: Floats = np.asarray(library.cdist(one[None], rows, out_dtype="float32", **how))[0]
    return found


def products(vectors: Floats, direction: Floats) -> Floats:
    """Return the product of each row with a direction, in one thread: those of BLAS wait for each other, busily."""
    if simd() is not None and len(vectors):
        return _distances(direction, vectors, metric="dot")
    found: Floats = np.matmul(vectors, direction)
    return found


def dots(direction: Floats, coarse: Bytes) -> Floats:
    """Return the products of a direction, rounded to eight bits, with each row of a coarse plane."""
    step = max(float(np.abs(direction).max(initial=0.0)), 1e-30) / 127
    whole = np.rint(direction / step).astype(np.int8)
    products = _products(whole, coarse)
    products *= np.float32(step)
    return products


def _products(direction: Bytes, coarse: Bytes) -> Floats:
    if simd() is not None and len(coarse):
        return _distances(direction, coarse, metric="dot")
    found = np.empty(len(coarse), np.float32)
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
    if simd() is not None:
        return _distances(bits, codes, metric="hamming", dtype="bin8")
    counted: list[Floats] = [_BITS[part ^ bits].sum(axis=1, dtype=np.float32) for part in _parts(codes)]
    return np.concatenate(counted)
