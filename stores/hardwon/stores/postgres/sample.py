"""The memories that stand for a store: by how near the least near of them lie, it is judged what is not near at all.

They are the same for every question, so that they are read once and not by each; which ones, a hash of their numbers
decides. Numbers themselves would not do: where memories were deleted they have gaps, and a store of forty may be
numbered from a million on.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hardwon.stores.postgres.standing import FRESH
from hardwon.stores.search.lookup import MANY
from hardwon.stores.search.near import FLOOR
from hardwon.stores.vectors.languages import LANGUAGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardwon.stores.postgres.asked import AskedVector
    from hardwon.stores.postgres.database import PostgresDatabase

SIZE = 250
"""Memories of a sample: all where there are no more."""
_STATE = "SELECT (SELECT max(number) FROM operations), (SELECT count(*) FROM search_texts WHERE space = ?)"
_SAMPLE = (
    "WITH embedded AS MATERIALIZED (SELECT DISTINCT memory FROM search_texts WHERE space = ?1), "
    "picked AS (SELECT memory FROM embedded ORDER BY hashint8(memory), memory LIMIT ?2) "
    "SELECT (SELECT count(*) FROM embedded), json_agg(json_build_array(memory, language) ORDER BY memory, key), "
    "string_agg(halfvec_send(embedding), '' ORDER BY memory, key) "
    "FROM picked JOIN search_texts USING (memory) WHERE space = ?1"
)
_HEADER = 4
"""Bytes before the numbers of a vector as pgvector sends it, each of them two bytes, the upper first."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Texts of some memories of one space; arrays have a row each."""

    count: int
    """How many memories have a vector, in the sample or not."""
    first: NDArray[np.intp]
    """Where the texts of each memory begin."""
    languages: NDArray[np.intp]
    """Of each text, its place in LANGUAGES."""
    vectors: NDArray[np.float32]

    def floor(self, asked: AskedVector) -> float:
        """Return how far above impostors the memory at the quantile FLOOR lies; 0 where none has a vector."""
        if not self.count:
            return 0.0
        offsets, deviations = (
            np.array([getattr(asked.measures[each], name) for each in LANGUAGES], np.float32)
            for name in ("offset", "deviation")
        )
        above = (self.vectors @ asked.towards - offsets[self.languages]) / deviations[self.languages]
        return float(np.quantile(np.maximum.reduceat(above, self.first), FLOOR))


class Samples:
    """The sample of each space: of a large store as it was some seconds ago. Safe to use from several threads."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._known: dict[int, tuple[float, list[tuple[Any, ...]], Sample]] = {}
        self._reading = threading.Lock()

    def of(self, space: int, documents: int) -> Sample:
        """Return the sample of a space, in a store of so many memories. Raises StoreError."""
        known = self._known.get(space)
        if documents <= MANY:
            state = self._database.rows(_STATE, [space])
            return known[2] if known and known[1] == state else self._read_anew(space, state)
        if known is None:
            return self._read_anew(space, [])
        # One thread reads it again; the others go on with what is known.
        if time.monotonic() - known[0] < FRESH or not self._reading.acquire(blocking=False):
            return known[2]
        try:
            return self._read_anew(space, [])
        finally:
            self._reading.release()

    def _read_anew(self, space: int, state: list[tuple[Any, ...]]) -> Sample:
        sample = _read(self._database, space)
        self._known[space] = (time.monotonic(), state, sample)
        return sample


def _read(database: PostgresDatabase, space: int) -> Sample:
    ((count, texts, sent),) = database.rows(_SAMPLE, [space, SIZE])
    if not count:
        return Sample(0, np.empty(0, np.intp), np.empty(0, np.intp), np.empty((0, 0), np.float32))
    first = np.unique([memory for memory, _ in texts], return_index=True)[1]
    languages = [LANGUAGES.index(language) for _, language in texts]
    rows = np.frombuffer(sent, np.uint8).reshape(len(texts), -1)[:, _HEADER:]
    vectors = np.ascontiguousarray(rows).view(">f2").astype(np.float32)
    return Sample(count, first, np.array(languages, np.intp), vectors)
