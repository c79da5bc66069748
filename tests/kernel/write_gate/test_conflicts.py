"""Two memories that cannot both hold are marked, and the user is asked once; what they decide can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Source, Status
from hardwon.kernel.proposal import FORGOTTEN, Proposal, ProposalKind, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.kernel.use_cases.remembering import forget, remember
from hardwon.kernel.use_cases.review import accept, reject, reword, undo
from hardwon.kernel.use_cases.rules.telling import told_decision
from hardwon.kernel.use_cases.superseding import chain_of
from hardwon.testing.examples import memory

from .hands import SPACES, TABS

Pair = tuple[MemoryEntry, MemoryEntry, Proposal]


@pytest.fixture
def pair(home: Home) -> Pair:
    older = remember(home, memory(TABS, "shop")).entry
    newer = remember(home, memory(SPACES, "shop")).entry
    [question] = home.queue.pending()
    return older, newer, question


def state(home: Home) -> tuple[list[MemoryEntry], set[tuple[str, str, str]]]:
    """Return everything that stands: memories, and edges between them."""
    entries = list(home.storage.memories.scan(Filter()))
    return entries, {edge.key for entry in entries for edge in home.storage.memories.relations(entry.id)}


def statuses(home: Home, *entries: MemoryEntry) -> list[Status]:
    found = home.storage.memories.get([entry.id for entry in entries])
    return [found[entry.id].status for entry in entries]


@pytest.mark.parametrize(
    ("older", "newer"),
    [(TABS, SPACES), ("The upload limit is 10 MB", "The upload limit is 25 MB"), ("测试并行执行", "测试串行执行")],
)
def test_both_are_marked_and_the_user_is_asked(home: Home, older: str, newer: str) -> None:
    first = remember(home, memory(older, "shop")).entry
    admitted = remember(home, memory(newer, "shop"))
    assert admitted.is_new
    assert statuses(home, first, admitted.entry) == [Status.CONFLICT, Status.CONFLICT]
    [question] = home.queue.pending()
    assert question.kind is ProposalKind.SETTLE
    assert [target.id for target in question.targets] == [first.id, admitted.entry.id]
    assert question.id in admitted.notes[0]
    [edge] = home.storage.memories.relations(first.id)
    assert (edge.kind, edge.source, edge.target) == (RelationKind.CONTRADICTS, admitted.entry.id, first.id)


def test_accepted_the_newer_takes_the_olders_place(home: Home, pair: Pair) -> None:
    older, newer, question = pair
    accepted = accept(home, question, by="Ada")
    assert accepted.rule.id == newer.id
    assert statuses(home, older, newer) == [Status.ACTIVE, Status.ACTIVE]
    assert [(link.entry.id, link.superseded_by) for link in chain_of(home, older.id)] == [
        (older.id, newer.id),
        (newer.id, None),
    ]


def test_rejected_both_stand_and_it_is_not_asked_again(home: Home, pair: Pair) -> None:
    older, newer, question = pair
    reject(home, question, by="Ada", why="one for Makefiles")
    assert statuses(home, older, newer) == [Status.ACTIVE, Status.ACTIVE]
    assert chain_of(home, older.id) == []
    remember(home, memory(f"{SPACES}.", "shop"))
    assert home.queue.pending() == []
    assert statuses(home, older, newer) == [Status.ACTIVE, Status.ACTIVE]


def test_the_users_own_words_take_the_place_of_both(home: Home, pair: Pair) -> None:
    older, newer, question = pair
    settled = accept(home, question, by="Ada", text="Use tabs in Makefiles and spaces elsewhere").rule
    assert settled.confidence == 1.0
    assert {link.entry.id: link.superseded_by for link in chain_of(home, newer.id)} == {
        older.id: settled.id,
        newer.id: settled.id,
        settled.id: None,
    }


@pytest.mark.parametrize("decision", ["accept", "reject", "rewrite"])
def test_undo_brings_back_exactly_what_stood(home: Home, pair: Pair, decision: str) -> None:
    before = state(home)
    if decision == "reject":
        reject(home, pair[2], by="Ada")
    else:
        accept(home, pair[2], by="Ada", text="Use tabs in Makefiles" if decision == "rewrite" else None)
    assert state(home) != before
    undo(home, home.queue.find(pair[2].id), by="Ada")
    assert state(home) == before
    assert [each.id for each in home.queue.pending()] == [pair[2].id]


def test_what_was_decided_is_told_of_memories_and_of_no_rule(home: Home, pair: Pair) -> None:
    accept(home, pair[2], by="Ada")
    undo(home, home.queue.find(pair[2].id), by="Ada")
    reject(home, home.queue.find(pair[2].id), by="Ada")
    told = [told_decision(each) for each in home.storage.ledger.decisions()]
    assert len(told) == 3
    assert not any("rule" in each for each in told)
    assert f"took back the decision on proposal {pair[2].id} (settle-conflict)" in told[1]


def test_in_conflict_with_two_it_stays_marked_until_both_are_settled(home: Home) -> None:
    small = remember(home, memory("The upload limit is 10 MB", "shop")).entry
    for size in (25, 50):
        remember(home, memory(f"The upload limit is {size} MB", "shop"))
    first, *others = [each for each in home.queue.pending() if small.id in {target.id for target in each.targets}]
    assert len(others) == 1
    reject(home, first, by="Ada")
    assert statuses(home, small) == [Status.CONFLICT]
    reject(home, others[0], by="Ada")
    assert statuses(home, small) == [Status.ACTIVE]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"scope": Scope(project="shop")}, {"scope": Scope(project="blog")}),
        ({"scope": Scope(project="shop"), "branch": "main"}, {"scope": Scope(project="shop"), "branch": "next"}),
        ({"scope": Scope(agent="a")}, {"scope": Scope(agent="b")}),
        (
            {"scope": Scope(applies_when=AppliesWhen(languages=("python",)))},
            {"scope": Scope(applies_when=AppliesWhen(languages=("make",)))},
        ),
    ],
)
def test_what_never_meets_a_reader_together_is_no_conflict(
    home: Home, one: dict[str, Any], other: dict[str, Any]
) -> None:
    remember(home, memory(TABS, **one))
    remember(home, memory(SPACES, **other))
    assert home.queue.pending() == []


def test_an_exception_is_linked_and_nobody_is_asked(home: Home) -> None:
    """One project may do otherwise than everybody: both hold, each in its place."""
    everywhere = remember(home, memory(TABS)).entry
    here = remember(home, memory(SPACES, "shop"))
    assert "exception" in here.notes[0]
    assert statuses(home, everywhere, here.entry) == [Status.ACTIVE, Status.ACTIVE]
    [edge] = home.storage.memories.relations(everywhere.id)
    assert edge.kind is RelationKind.CONTRADICTS
    assert home.queue.pending() == []


def test_what_is_only_observed_marks_nothing(home: Home) -> None:
    known = remember(home, memory(TABS, "shop")).entry
    remember(home, memory(SPACES, "shop", status=Status.OBSERVED, confidence=0.3))
    assert statuses(home, known) == [Status.ACTIVE]
    assert home.queue.pending() == []


def test_forgetting_one_ends_the_question_and_leaves_no_word_of_it(home: Home, pair: Pair) -> None:
    older, newer, question = pair
    reject(home, question, by="Ada")
    undo(home, home.queue.find(question.id), by="Ada")
    forget(home, home.storage.memories.get([newer.id])[newer.id])
    assert statuses(home, older) == [Status.ACTIVE]
    [left] = home.queue.all()
    assert (left.state, left.rule) == (ProposalState.WITHDRAWN, FORGOTTEN)
    everything = [left, *home.storage.ledger.decisions()]
    assert not any(SPACES in each.model_dump_json() for each in everything)


@pytest.mark.parametrize("how", ["accepted in other words", "edited", "accepted", "rejected"])
@pytest.mark.parametrize("which", ["older", "newer"])
def test_forgetting_leaves_no_word_in_a_question_however_it_was_answered(
    home: Home, pair: Pair, how: str, which: str
) -> None:
    """Nor in what an undo would put back: the machine's wording of a question is a memory's own words."""
    older, newer, question = pair
    if how == "edited":
        reword(home, question, "Use tabs in Makefiles")
    elif how == "rejected":
        reject(home, question, by="Ada")
    else:
        accept(home, question, by="Ada", text="Use tabs in Makefiles" if "words" in how else None)
    gone = older if which == "older" else newer
    forget(home, home.storage.memories.get([gone.id])[gone.id])
    everything = [*home.queue.all(), *home.storage.ledger.decisions()]
    assert not any(gone.content in each.model_dump_json() for each in everything)
    assert not any("spaces ≠" in each.model_dump_json() or "tabs ≠" in each.model_dump_json() for each in everything)


def test_a_conflict_between_an_agent_and_a_person_is_asked_too(home: Home) -> None:
    """Never decide alone: not even for the person."""
    remember(home, memory(TABS, "shop", source=Source(said_by="agent")))
    remember(home, memory(SPACES, "shop", source=Source(said_by="user")))
    assert len(home.queue.pending()) == 1
