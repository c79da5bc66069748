"""A chain may be as long as it likes, and a way round counts everywhere as one rule says."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status, Times
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.circles import Circles, components
from hardwon.kernel.use_cases.superseding import chain_of, circles, heads_of, held_at, predecessors
from hardwon.testing.examples import memory

LONG = 1100
"""More than any limit of steps that was here, and than Python lets a function call itself."""
BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def long_chain(home: Home, *, falling: bool = False, archived: bool = False) -> list[str]:
    """Return the ids of a chain, the oldest first; `falling`: of ids against its order, as an import makes them."""
    moments = [BEGIN + each * DAY for each in range(LONG)]
    entries = [memory(f"The port is {each}.", at=at) for each, at in enumerate(moments)][:: -1 if falling else 1]
    status = Status.ARCHIVED if archived else Status.ACTIVE
    times = [Times(valid_at=at, asserted_at=at) for at in moments]
    told = [each.model_copy(update={"times": at, "status": status}) for each, at in zip(entries, times, strict=True)]
    home.storage.memories.put(told)
    pairs = itertools.pairwise(told)
    kind = RelationKind.SUPERSEDES
    home.storage.memories.relate(
        [Relation(source=new.id, kind=kind, target=old.id, asserted_at=new.times.asserted_at) for old, new in pairs]
    )
    return [each.id for each in told]


@pytest.mark.parametrize("falling", [False, True])
def test_a_long_chain_is_whole(home: Home, falling: bool) -> None:
    ids = long_chain(home, falling=falling)
    middle = home.storage.memories.get([ids[LONG // 2]])[ids[LONG // 2]]
    assert [link.entry.id for link in chain_of(home, middle.id)] == ids
    assert predecessors(home, ids[-1]) == ids[-2::-1]
    assert held_at(home, middle, BEGIN + DAY / 2).id == ids[0]
    assert circles(home) == []


def test_a_long_chain_in_the_archive_gave_its_place_back(home: Home) -> None:
    ids = long_chain(home, archived=True)
    assert heads_of(home, ids[0]) == [ids[0]]


NAMES = st.sampled_from("abcde")


def reached(id: str, ends: Callable[[str], Sequence[str]]) -> set[str]:
    """Return all that edges lead to from here, one or several of them."""
    found: set[str] = set()
    waiting = [id]
    while waiting:
        fresh = {*ends(waiting.pop())} - found
        found |= fresh
        waiting += fresh
    return found


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3, unique=True)))
def test_the_edges_of_a_circle_count_as_recall_counts_them(above: dict[str, list[str]]) -> None:
    """What is reached first comes first, everything once."""

    def ends(id: str) -> list[str]:
        return above.get(id, [])

    groups = list(components(list(above), ends))
    place = {each: number for number, group in enumerate(groups) for each in group}
    assert sum(map(len, groups)) == len(place)
    assert place.keys() == {*above, *(end for each in above for end in ends(each))}
    circles = Circles(ends)
    for id in above:
        assert all(place[end] <= place[id] for end in ends(id))
        around = {each for each in reached(id, ends) if id in reached(each, ends)} | {id}
        assert around == {each for each in place if place[each] == place[id]}
        assert circles.superseders(id) == [each for each in ends(id) if each > id or each not in around]


@pytest.mark.parametrize("turns_back", [False, True])
def test_every_edge_of_a_chain_whose_ids_fall_is_read_a_few_times(turns_back: bool) -> None:
    """However long it is, and whether or not it ends in a circle."""
    asked: Counter[str] = Counter()
    last = f"{0:06}"

    def above(id: str) -> list[str]:
        asked[id] += 1
        return [f"{int(id) - 1:06}"] if id != last else [f"{LONG - 1:06}"] * turns_back

    circles = Circles(above)
    for number in range(LONG):
        circles.superseders(f"{number:06}")
    assert max(asked.values()) <= 3
