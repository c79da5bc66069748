"""How many of the ten nearest memories a search by meaning finds, measured on the user's own vectors.

The questions are the everyday tasks of the cohort; the truth is every vector as it was, held against each of them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from hardwon.kernel.counting import counted
from hardwon.kernel.records import Measurement, Problem
from hardwon.stores.search.impostors import QUESTIONS, Cohort
from hardwon.stores.search.near import Near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardwon.kernel.ports import Vectors
    from hardwon.stores.vectors.collection import Collection
    from hardwon.stores.vectors.planes import Floats
    from hardwon.stores.vectors.selecting import Way

TEN = 10
BOUNDS: dict[Way, float] = {"scan": 0.99, "codes": 0.99, "graph": 0.95}
"""The share of the ten nearest that each way is to find."""
WAYS: dict[Way, str] = {"scan": "a scan of all", "codes": "a scan of one bit a number", "graph": "a graph (HNSW)"}
_COMPARED = 256
"""Rows that are compared with what the store keeps."""
_APART = 1e-3
"""How far a number of a vector may lie from the store's: the planes are exact to that for any vector."""
_SAME = 1e-4
"""By how much, in deviations, the same value may differ when it is computed in another order."""
_AT_ONCE = 16_384
_ROWS = 128
"""Rows of each part that are looked at for the ten nearest documents: some have several texts."""


def measure(collection: Collection, cohort: Cohort, vectors: Vectors, way: Way) -> Measurement:
    """Return the share of the ten nearest that is found, the time it takes, and what is wrong with either."""
    if not collection.count:
        return Measurement(told=("No memory has a vector yet.",))
    found: list[float] = []
    seconds: list[float] = []
    for near, truth in _questions(collection, cohort, vectors, way):
        begun = time.perf_counter()
        near.best(TEN)
        seconds.append(time.perf_counter() - begun)
        found.append(share_found(near, truth))
    if not found:
        return Measurement(told=("The everyday tasks that this is measured with have no vectors yet.",))
    share = sum(found) / len(found)
    told = (
        f"{counted(collection.count, 'memory', 'memories')} with {counted(collection.rows, 'vector')}, by {WAYS[way]}:"
        f" {share:.3f} of the {TEN} nearest are found, in {1000 * float(np.median(seconds)):.1f} ms"
        f" ({counted(len(found), 'everyday task')})."
    )
    return Measurement(told=(told,), problems=(*_too_few(share, way), *_differing(collection, vectors)))


def _questions(
    collection: Collection, cohort: Cohort, vectors: Vectors, way: Way
) -> Iterator[tuple[Near, list[float]]]:
    """Walk the everyday tasks: each as search has it, and the values of the ten nearest."""
    nears = [
        Near(collection, task, measure, way)
        for language in QUESTIONS
        if (measure := cohort.measure(vectors, language))
        for task in cohort.tasks(language)
    ]
    yield from zip(nears, nearest(collection, nears) if nears else [], strict=True)


def share_found(near: Near, truth: list[float]) -> float:
    """Return the share of the ten nearest that a search finds, by their values: of those equally near, any will do."""
    found = [each.value for number in near.best(TEN) if (each := near.measured(number))]
    return sum(value >= truth[-1] - _SAME for value in found) / len(truth)


def nearest(collection: Collection, nears: list[Near]) -> list[list[float]]:
    """Return for each question the values of the ten nearest documents, best first, by every vector as it was."""
    directions = np.stack([each.direction for each in nears], axis=1)
    best: list[list[tuple[float, int]]] = [[] for _ in nears]
    for segment in collection.segments:
        living = segment.living()
        for start in range(0, len(living), _AT_ONCE):
            rows = living[start : start + _AT_ONCE]
            made: Floats = np.matmul(segment.floats(rows), directions)
            top = np.argpartition(made, -min(_ROWS, len(rows)), axis=0)[-min(_ROWS, len(rows)) :]
            for place, near in enumerate(nears):
                own = top[:, place]
                values = near.value(segment, made[own, place]).tolist()
                numbers = segment.numbers[rows[own]].tolist()
                best[place] = sorted([*best[place], *zip(values, numbers, strict=True)], reverse=True)[:_ROWS]
    return [_ten_documents(each) for each in best]


def _ten_documents(rows: list[tuple[float, int]]) -> list[float]:
    """Return the values of the first ten documents of rows, the nearest first: each by its nearest row."""
    values: dict[int, float] = {}
    for value, number in rows:
        values.setdefault(number, value)
    return list(values.values())[:TEN]


def _too_few(share: float, way: Way) -> list[Problem]:
    if share >= BOUNDS[way]:
        return []
    what = f"Only {share:.3f} of the nearest are found; set `vectors` to `exact` to look at all."
    return [Problem(where="vectors", what=what)]


def _differing(collection: Collection, vectors: Vectors) -> list[Problem]:
    """Compare rows that are spread over all with what the store keeps."""
    differing = compared = 0
    for segment in collection.segments:
        rows = segment.living()
        rows = rows[:: max(1, len(rows) * len(collection.segments) // _COMPARED)]
        keys = [key.decode("ascii") for key in segment.keys[rows].tolist()]
        kept = vectors.fetch(collection.space, keys)
        for key, vector in zip(keys, segment.floats(rows), strict=True):
            compared += 1
            raw = kept.get(key, b"")
            same = len(raw) == vector.nbytes and np.abs(np.frombuffer(raw, "<f4") - vector).max() <= _APART
            differing += not same
    if not differing:
        return []
    what = (
        f"{differing} of {compared} vectors that were compared are not as the store keeps them; remove the folder"
        " `vectors` of the home, it is made anew."
    )
    return [Problem(where="vectors", what=what)]
