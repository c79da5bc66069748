"""A chain is the same from each of its memories, has one head, no circle, and stays whole when a part is forgotten."""

from __future__ import annotations

import itertools
import threading
from datetime import UTC, datetime, timedelta

import pytest

from hardwon.kernel.errors import Conflict, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status, Times
from hardwon.kernel.query import Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.doctor import examine
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.remembering import forget
from hardwon.kernel.use_cases.superseding import chain_of, circles, ended, heads_of, held_at, holds_at, supersede
from hardwon.testing.examples import memory

JANUARY = datetime(2025, 1, 1, tzinfo=UTC)
MONTH = timedelta(days=30)


def chain(home: Home, length: int) -> list[MemoryEntry]:
    """Return memories of which each took the place of the one before, the oldest first."""
    entries = [told(8000 + each, JANUARY + each * MONTH) for each in range(length)]
    home.storage.memories.put(entries)
    link(home, *itertools.pairwise(entries))
    return entries


def told(port: int, at: datetime) -> MemoryEntry:
    """Return a memory that is true since it was told."""
    times = Times(valid_at=at, asserted_at=at)
    return memory(f"The gateway listens on port {port}.", at=at, times=times)


def link(home: Home, *pairs: tuple[MemoryEntry, MemoryEntry]) -> None:
    """Let the second of each pair supersede the first, as of its own beginning."""
    kind = RelationKind.SUPERSEDES
    edges = [
        Relation(source=newer.id, kind=kind, target=older.id, asserted_at=newer.times.asserted_at)
        for older, newer in pairs
    ]
    home.storage.memories.relate(edges)


def shown(home: Home, text: str = "gateway port") -> list[str]:
    return [hit.entry.id for hit in recall(home, Query(text=text)).hits]


def ids(home: Home, entry: MemoryEntry) -> list[str]:
    return [each.entry.id for each in chain_of(home, entry.id)]


@pytest.mark.parametrize("length", [2, 3, 12])
def test_a_chain_is_the_same_from_each_of_its_memories(home: Home, length: int) -> None:
    entries = chain(home, length)
    assert {tuple(ids(home, each)) for each in entries} == {tuple(each.id for each in entries)}
    assert {tuple(heads_of(home, each.id)) for each in entries} == {(entries[-1].id,)}
    assert shown(home) == [entries[-1].id]


def test_each_moment_has_one_memory_of_the_chain(home: Home) -> None:
    entries = chain(home, 4)
    for place, entry in enumerate(entries):
        moment = JANUARY + place * MONTH
        assert {held_at(home, each, moment).id for each in entries} == {entry.id}
        assert [each.id for each in entries if holds_at(home, each, moment)] == [entry.id]
    assert [ended(home, each) for each in entries] == [*(each.times.asserted_at for each in entries[1:]), None]


def test_before_a_chain_begins_nothing_of_it_held(home: Home) -> None:
    [entry] = home.storage.memories.put([told(1, JANUARY)])
    with pytest.raises(NotFound, match="--as-of"):
        held_at(home, entry, JANUARY - MONTH)


@pytest.mark.parametrize("place", range(4))
def test_a_chain_of_which_a_part_is_forgotten_stays_one(home: Home, place: int) -> None:
    """Wherever it stood: the neighbours are joined, and nothing that was replaced comes back."""
    entries = chain(home, 4)
    forget(home, entries.pop(place))
    assert {tuple(ids(home, each)) for each in entries} == {tuple(each.id for each in entries)}
    assert shown(home) == [entries[-1].id]
    assert not [edge for edge in home.storage.memories.edges() if edge.retracted_at]


def test_neighbours_are_joined_as_of_when_both_links_were_known(home: Home) -> None:
    """A look into the past does not see them joined before."""
    first, second, third = chain(home, 3)
    forget(home, second)
    [edge] = home.storage.memories.edges()
    assert (edge.source, edge.target, edge.asserted_at) == (third.id, first.id, third.times.asserted_at)


def test_what_lies_between_in_the_archive_brings_nothing_back(home: Home) -> None:
    """What it replaced was replaced all the same; only a head that is archived gives its place back."""
    first, second, third = chain(home, 3)
    home.storage.memories.update(second.id, {"status": Status.ARCHIVED})
    assert heads_of(home, first.id) == [third.id]
    assert shown(home) == [third.id]
    home.storage.memories.update(third.id, {"status": Status.ARCHIVED})
    assert heads_of(home, first.id) == [first.id]


def test_a_circle_is_refused(home: Home) -> None:
    """However long the way round is."""
    entries = chain(home, 5)
    with pytest.raises(Conflict):
        supersede(home, entries[0], entries[-1])
    assert shown(home) == [entries[-1].id]


def test_of_two_writers_who_would_close_a_circle_one_is_refused(home: Home) -> None:
    one, two = (told(port, JANUARY) for port in (1, 2))
    home.storage.memories.put([one, two])
    start, outcomes = threading.Barrier(2), []

    def write(newer: MemoryEntry, older: MemoryEntry) -> None:
        start.wait()
        try:
            supersede(home, newer, older)
        except Conflict:
            outcomes.append("refused")

    writers = [threading.Thread(target=write, args=pair) for pair in ((one, two), (two, one))]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert outcomes == ["refused"]
    assert len(list(home.storage.memories.edges())) == 1


@pytest.mark.parametrize("length", [2, 3, 5])
def test_a_circle_that_was_made_by_hand_has_its_youngest_as_head(home: Home, length: int) -> None:
    """From whichever memory of it one asks; doctor tells which link does not count."""
    entries = chain(home, length)
    link(home, (entries[-1], entries[0]))
    youngest = max(each.id for each in entries)
    for each in entries:
        assert heads_of(home, each.id) == [youngest]
        assert sorted(ids(home, each)) == sorted(entry.id for entry in entries)
    assert shown(home) == [youngest]
    assert ended(home, entries[-1]) is None
    assert circles(home) == [(entries[0].id, entries[-1].id)]
    [told] = [check for check in examine(home) if "circle" in check.name]
    assert youngest in told.problems[0].what


def test_what_stands_above_a_circle_is_its_head(home: Home) -> None:
    first, second, third = chain(home, 3)
    link(home, (second, first))
    assert {tuple(heads_of(home, each.id)) for each in (first, second, third)} == {(third.id,)}
    assert shown(home) == [third.id]


def test_a_memory_that_supersedes_itself_stands(home: Home) -> None:
    [entry] = chain(home, 1)
    link(home, (entry, entry))
    assert shown(home) == heads_of(home, entry.id) == [entry.id]
    assert ended(home, entry) is None


def test_two_successors_of_one_memory_become_one_chain(home: Home) -> None:
    """Two devices replaced the same memory; what comes next replaces both."""
    first, second, third = (told(each, JANUARY + each * MONTH) for each in range(3))
    home.storage.memories.put([first, second, third])
    link(home, (first, second), (first, third))
    [newest] = home.storage.memories.put([told(9, JANUARY + 9 * MONTH)])
    supersede(home, newest, first)
    assert {tuple(heads_of(home, each.id)) for each in (first, second, third)} == {(newest.id,)}
