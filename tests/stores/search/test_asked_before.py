"""An answer is the same whatever was asked before: what a connection holds from question to question makes it quicker.

With chunks of 64 documents, so that a few are full.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.query import Filter, Query
from hardwon.stores.search import lookup
from hardwon.stores.search.held_sets import HeldSets
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.search.lexical import match
from hardwon.stores.search.lookup import Lookup
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.starts import PAYS_AFTER
from hardwon.stores.search.usual import Usual

from .test_starts import Searching, days, filters, small_chunks, written

__all__ = ["small_chunks"]
COUNT = 290


@pytest.fixture(autouse=True)
def few_are_many() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "MANY", 20)
        yield


@pytest.mark.parametrize("scatter", [0, 5, 400], ids=["in order", "nearly in order", "in any order"])
def test_candidates_are_those_of_a_connection_that_was_asked_nothing(searched: Searching, scatter: int) -> None:
    """With all that they are ranked by: how much competes says how much the best of everyday tasks is."""
    chance = random.Random(scatter)
    memories = searched(written(COUNT, chance, scatter))
    usual = "INSERT OR REPLACE INTO search_usual VALUES (?, 2, 1, ?, 0, 0)"
    memories.connection.executemany(usual, [(language, COUNT) for language in ("en", "zh")])
    for _ in range(PAYS_AFTER):
        for asked in filters(chance, COUNT):
            query = Query(text="lock", filter=asked)
            assert memories.index.search(query) == SearchIndex(memories.connection).search(query)


class Asked(Nearness):
    """Nearness to documents that are all as near, which keeps among which of them was looked."""

    count = COUNT

    def __init__(self) -> None:
        super().__init__()
        self.among: list[Any] = []

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the newest."""
        self.among.append((most, within))
        return sorted(range(1, COUNT + 1) if within is None else within, reverse=True)[:most]

    def judged(self, number: int, competing: int) -> tuple[float, float, float | None]:
        """Return the same of all, among so many."""
        return 0.5, 0.5, -float(competing)


@pytest.mark.parametrize("scatter", [0, 5, 400], ids=["in order", "nearly in order", "in any order"])
def test_what_is_nearest_is_looked_for_among_the_same(searched: Searching, scatter: int) -> None:
    """It is found by approximation, which finds other documents among others."""
    chance = random.Random(scatter)
    connection = searched(written(COUNT, chance, scatter)).connection

    def told(held: HeldSets, asked: Filter) -> tuple[list[Candidate], list[Any]]:
        nearness = Asked()
        looked = Lookup(held, asked, 8, match(held, {"lock": 1.0}), nearness, Usual(2.0, 1.0, COUNT), may_narrow=True)
        looked.collect()
        return looked.candidates(), nearness.among

    held = HeldSets(connection)
    for _ in range(PAYS_AFTER):
        for asked in [*filters(chance, COUNT), Filter(known_at=days(5)), Filter(as_of=days(COUNT - 20))]:
            assert told(held, asked) == told(HeldSets(connection), asked)
