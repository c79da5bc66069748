"""A change of mind supersedes: both are kept, the chain is told from any of its memories, and it has one head."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Source, Status, Times
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.remembering import remember
from hardwon.kernel.use_cases.superseding import chain_of, heads_of, supersede
from hardwon.testing.examples import memory

from .hands import NOW, SPACES, TABS

JANUARY, MARCH = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)


def put(home: Home, text: str, at: datetime = JANUARY, valid_at: datetime | None = None) -> MemoryEntry:
    times = Times(asserted_at=at, valid_at=valid_at)
    return home.storage.memories.put([memory(text, at=at, times=times)])[0]


def link(home: Home, newer: MemoryEntry, older: MemoryEntry, at: datetime = MARCH) -> None:
    kind = RelationKind.SUPERSEDES
    home.storage.memories.relate([Relation(source=newer.id, kind=kind, target=older.id, asserted_at=at)])


def answers(home: Home, as_of: datetime | None = None, known_at: datetime | None = None) -> list[str]:
    asked = Query(text="tabs spaces indentation", filter=Filter(as_of=as_of, known_at=known_at))
    return [hit.entry.id for hit in recall(home, asked).hits]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TABS, "From now on use spaces for indentation instead of tabs"),
        ("The message broker is RabbitMQ", "We moved the message broker from RabbitMQ to Kafka"),
        ("单元测试使用 nose", "单元测试不再使用 nose"),
        ("缩进使用制表符", "从现在起缩进改用空格，不再使用制表符"),
    ],
)
def test_a_person_who_says_that_it_changed_is_believed(home: Home, before: str, after: str) -> None:
    older = remember(home, memory(before, "shop")).entry
    admitted = remember(home, memory(after, "shop"))
    assert [each.entry.id for each in chain_of(home, older.id)] == [older.id, admitted.entry.id]
    assert older.id in admitted.notes[0]
    assert home.queue.pending() == []
    assert home.storage.memories.get([older.id])[older.id].content == before


def test_an_agent_that_says_so_is_asked_about(home: Home) -> None:
    remember(home, memory(TABS, "shop"))
    agents = Source(said_by="agent", session="s1")
    remember(home, memory("From now on use spaces for indentation instead of tabs", "shop", source=agents))
    assert len(home.queue.pending()) == 1


def test_it_is_true_until_the_other_one_begins(home: Home) -> None:
    """Half-open, with one answer at any moment: the end of one is the beginning of the next."""
    older = put(home, TABS, valid_at=JANUARY)
    newer = supersede(home, put(home, SPACES, at=MARCH), older)
    first, second = chain_of(home, newer.id)
    assert (first.since, first.until) == (JANUARY, second.since)
    assert (second.since, second.until) == (NOW, None)
    assert answers(home, as_of=NOW - timedelta(microseconds=1)) == [older.id]
    assert answers(home, as_of=NOW) == [newer.id]


@pytest.mark.parametrize("valid_at", [MARCH, JANUARY, JANUARY - timedelta(days=9), None])
def test_every_moment_has_one_answer_on_either_axis(home: Home, valid_at: datetime | None) -> None:
    """Also where the newer one was written down later, is back-dated, begins at the same moment, or says nothing."""
    recorded = MARCH + timedelta(days=9)
    older = put(home, TABS, valid_at=JANUARY)
    newer = put(home, SPACES, at=recorded, valid_at=valid_at)
    link(home, newer, older, at=recorded)
    between = MARCH + timedelta(days=4)
    assert answers(home, as_of=between) == [newer.id]
    assert answers(home, as_of=between, known_at=between) == [older.id]
    assert answers(home, as_of=between, known_at=recorded) == [newer.id]
    assert answers(home) == [newer.id]
    assert len(answers(home, as_of=JANUARY)) == 1


def test_a_gap_in_the_chain_has_one_answer_too(home: Home) -> None:
    """The one between is not true yet, and the newest is: back-dated."""
    oldest = put(home, TABS, valid_at=JANUARY)
    between = put(home, "Use four spaces for indentation", valid_at=MARCH)
    newest = put(home, SPACES, valid_at=JANUARY + timedelta(days=9))
    link(home, between, oldest)
    link(home, newest, between)
    assert answers(home, as_of=JANUARY + timedelta(days=20)) == [newest.id]


def test_what_was_superseded_does_not_come_back_when_its_successor_ends(home: Home) -> None:
    older = put(home, TABS)
    times = Times(asserted_at=JANUARY, valid_at=JANUARY, valid_until=MARCH)
    [newer] = home.storage.memories.put([memory(SPACES, times=times)])
    link(home, newer, older, at=JANUARY)
    assert answers(home) == []


def test_a_chain_has_one_head(home: Home) -> None:
    first, second, third = (put(home, text) for text in (TABS, SPACES, "Use two spaces"))
    supersede(home, second, first)
    supersede(home, third, first)
    assert heads_of(home, first.id) == [third.id]
    assert [each.entry.id for each in chain_of(home, second.id)] == [first.id, second.id, third.id]


def test_a_chain_is_no_circle(home: Home) -> None:
    first, second = put(home, TABS), put(home, SPACES)
    supersede(home, second, first)
    with pytest.raises(Conflict, match="took the place"):
        supersede(home, first, second)
    assert supersede(home, second, second).id == second.id
    assert len(chain_of(home, first.id)) == 2


def test_a_circle_that_hands_made_is_told_and_ends(home: Home) -> None:
    first, second = put(home, TABS), put(home, SPACES)
    link(home, first, second)
    link(home, second, first)
    assert {each.entry.id for each in chain_of(home, first.id)} == {first.id, second.id}


def test_what_was_superseded_and_is_said_again_is_a_new_memory(home: Home) -> None:
    """The same words come back as the user's latest, not as what they said long ago."""
    old = remember(home, memory(TABS, "shop")).entry
    new = remember(home, memory(SPACES, "shop"), replaces=old).entry
    again = remember(home, memory(TABS, "shop"))
    assert again.is_new
    assert again.entry.id not in (old.id, new.id)
    assert remember(home, memory(TABS, "shop")).entry.id == again.entry.id


def test_the_questions_about_what_is_replaced_end_also_further_on_in_the_chain(home: Home) -> None:
    """What is named was replaced before: its present head is superseded, and so is the conflict that it was in."""
    first = remember(home, memory("The upload limit is 5 MB", "shop")).entry
    head = remember(home, memory("The upload limit is 10 MB", "shop"), replaces=first).entry
    other = remember(home, memory("The upload limit is 25 MB", "shop")).entry
    assert len(home.queue.pending()) == 1
    remember(home, memory("There is no upload limit now", "shop"), replaces=first)
    assert home.queue.pending() == []
    found = home.storage.memories.get([head.id, other.id])
    assert [found[each.id].status for each in (head, other)] == [Status.ACTIVE, Status.ACTIVE]


def test_what_is_said_to_replace_itself_replaces_nothing(home: Home) -> None:
    """No success is claimed, and what was asked about it is still asked."""
    remember(home, memory(TABS, "shop"))
    entry = remember(home, memory(SPACES, "shop")).entry
    again = remember(home, memory(SPACES, "shop"), replaces=entry)
    assert (again.entry.id, again.notes) == (entry.id, ())
    assert len(home.queue.pending()) == 1


@pytest.mark.parametrize("place", [0, 1])
def test_a_chain_with_two_heads_that_hands_made_becomes_no_circle(home: Home, place: int) -> None:
    heads = put(home, SPACES), put(home, "Use two spaces")
    old, older = put(home, TABS), put(home, "Indent as you like")
    for head in heads:
        link(home, head, old)
    link(home, heads[place], older)
    with pytest.raises(Conflict, match="took the place"):
        supersede(home, older, old)


def test_what_replaces_another_gives_its_place_back_when_it_is_taken_back(home: Home) -> None:
    old = remember(home, memory(TABS)).entry
    new = remember(home, memory(SPACES), replaces=old).entry
    assert answers(home) == [new.id]
    home.storage.memories.update(new.id, {"status": Status.ARCHIVED})
    assert answers(home) == [old.id]
