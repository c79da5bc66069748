"""A question about the past finds the newest that was known and true then, in whatever order it was written down.

With chunks of 64 documents, so that a few are full.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.query import Filter, Query
from hardwon.stores.search import bitmaps, document_sets, starts
from hardwon.stores.search.lookup import ENOUGH
from hardwon.testing.examples import MOMENT, memory

Searching = Callable[..., Any]


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    """Make chunks small."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (bitmaps, document_sets, starts):
            patch.setattr(module, "CHUNK", 64)
        for module in (bitmaps, document_sets):
            patch.setattr(module, "SIZE", 8)
        yield


def days(count: float) -> datetime:
    """Return a moment so many days after the first."""
    return MOMENT + timedelta(days=count)


def written(count: int, chance: random.Random, scatter: int) -> list[MemoryEntry]:
    """Return memories that all say the same, one a day, each up to `scatter` days later than that."""
    entries = []
    for day in range(count):
        valid = days(day + chance.randrange(scatter + 1)) if chance.random() < 0.7 else None
        times = Times(asserted_at=days(day + chance.randrange(scatter + 1)), valid_at=valid)
        entries.append(memory("The lock was held.", times=times))
    return entries


def expected(entries: Sequence[MemoryEntry], asked: Filter) -> set[str]:
    """Return the last written of those that the filter lets in."""
    held = [each for each in entries if each.times.holds(as_of=asked.as_of, known_at=asked.known_at)]
    return {each.id for each in held[-ENOUGH:]}


def filters(chance: random.Random, count: int) -> list[Filter]:
    """Return filters by either time, and by both."""
    then, known = (days(chance.randrange(count + 2)) for _ in range(2))
    return [Filter(as_of=then), Filter(known_at=known), Filter(as_of=then, known_at=known)]


@pytest.mark.parametrize("scatter", [0, 5, 400], ids=["in order", "nearly in order", "in any order"])
@pytest.mark.parametrize("count", [40, 100, 290], ids=["no full chunk", "one", "four"])
def test_the_newest_of_then_are_found(searched: Searching, count: int, scatter: int) -> None:
    chance = random.Random(count + scatter)
    entries = written(count, chance, scatter)
    memories = searched(entries)
    for _ in range(8):
        for asked in filters(chance, count):
            assert set(memories.found(Query(text="lock", filter=asked))) == expected(entries, asked)


def ended(day: int) -> list[MemoryEntry]:
    """Return a memory of that day, and so many late ones after it that it is not among the newest."""
    return [memory("The lock was held.", times=Times(asserted_at=days(each))) for each in (day, *[200] * (ENOUGH + 10))]


def test_what_changes_between_two_questions_is_seen(searched: Searching) -> None:
    """Though the moments from which memories are known are held: another one has the number of one that went."""
    entries = written(10, random.Random(1), 0)
    memories = searched(entries)
    asked = Filter(known_at=days(5))
    for day in (90, 3, 60, 5):
        last = ended(day)
        memories.index.add(last)
        assert set(memories.found(Query(text="lock", filter=asked))) == expected([*entries, *last], asked)
        memories.index.remove([each.id for each in last])


def test_what_a_transaction_takes_back_was_never_there(searched: Searching) -> None:
    """The change after it has the same number, and its memories have the same numbers."""
    entries = written(10, random.Random(2), 0)
    memories = searched(entries)
    asked = Filter(known_at=days(5))
    taken_back, kept = ended(90), ended(1)
    memories.connection.execute("BEGIN")
    memories.index.add(taken_back)
    assert set(memories.found(Query(text="lock", filter=asked))) == expected([*entries, *taken_back], asked)
    memories.connection.execute("ROLLBACK")
    memories.index.add(kept)
    assert set(memories.found(Query(text="lock", filter=asked))) == expected([*entries, *kept], asked)
