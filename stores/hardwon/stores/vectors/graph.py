"""A graph of neighbours (HNSW, Malkov & Yashunin 2018, by usearch): the nearest of millions without a look at all.

Vectors of a model lie in a narrow cone; the graph is made of what is left without their mean, or its edges say little:
.98 instead of .90 of the ten nearest among 5,000 were found at the same effort.
"""

from __future__ import annotations

import errno
import functools
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hardwon.kernel.whole_file import ASIDE, put_whole
from hardwon.stores.vectors.dots import simd
from hardwon.stores.vectors.planes import Floats, Planes, Rows

if TYPE_CHECKING:
    from usearch.index import Index

MISSING = (
    'The setting `vectors = "hnsw"` needs usearch: run `pip install "hardwon[hnsw]"`; all vectors are scanned now.'
)
EFFORT = 512
"""How many neighbours a search keeps in sight."""
_EDGES = 16
_EFFORT_OF_BUILDING = 128
_AT_ONCE = 20_000


@functools.cache
def is_installed() -> bool:
    """Tell whether usearch can be imported, without importing it."""
    return importlib.util.find_spec("usearch") is not None


class Graph:
    """The graph of one segment, in a file that is mapped into memory."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self._index = _made(dimensions)
        self._index.view(str(path))

    def __len__(self) -> int:
        return len(self._index)

    def nearest(self, direction: Floats, most: int) -> Rows:
        """Return rows that most probably lie farthest in a direction, best first."""
        step = max(float(np.abs(direction).max(initial=0.0)), 1e-30) / 127
        found = self._index.search(np.rint(direction / step).astype(np.int8), most, threads=1)
        return np.asarray(found.keys).astype(np.intp)


def build_graph(planes: Planes, path: Path) -> None:
    """Make the graph of the rows of some planes, and keep it in a file. Takes minutes for a million. Raises OSError.

    The file is waited for: one whose end a power cut took could not be told from a whole one, and would find little.
    """
    count, dimensions = planes.coarse.shape
    mean = _mean(planes)
    largest = max(float(np.abs(planes.floats(rows) - mean).max()) for rows in _parts(count))
    index = _made(dimensions)
    for rows in _parts(count):
        steps = np.rint((planes.floats(rows) - mean) * (127 / max(largest, 1e-30))).astype(np.int8)
        index.add(np.arange(rows.start, rows.stop), steps, threads=1)
    aside = path.with_name(f"{ASIDE}{os.getpid()}-graph")
    try:
        _save(index, aside)
        put_whole(aside, path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


def _save(index: Index, path: Path) -> None:
    try:
        index.save(str(path))
    except RuntimeError as error:  # usearch's word for a full disk
        raise OSError(errno.EIO, str(error)) from None


def _made(dimensions: int) -> Index:
    simd()  # before usearch is loaded, which breaks it otherwise
    from usearch.index import Index

    return Index(
        ndim=dimensions,
        metric="ip",
        dtype="i8",
        connectivity=_EDGES,
        expansion_add=_EFFORT_OF_BUILDING,
        expansion_search=EFFORT,
    )


def _mean(planes: Planes) -> Floats:
    count, dimensions = planes.coarse.shape
    sums = np.zeros(dimensions, np.float64)
    for rows in _parts(count):
        sums += planes.floats(rows).sum(axis=0, dtype=np.float64)
    mean: Floats = (sums / count).astype(np.float32)
    return mean


def _parts(count: int) -> list[slice]:
    return [slice(start, min(count, start + _AT_ONCE)) for start in range(0, count, _AT_ONCE)]
