"""The user's word on whether a lesson speaks for a rule: a decision, which each other one reverses."""

from __future__ import annotations

import pytest

from hardwon.kernel.decision_order import standing
from hardwon.kernel.errors import Conflict, InvalidInput, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.review import accept, undo
from hardwon.kernel.use_cases.rules.linking import evidence_edge, link, taken_back, unlink


def behind(home: Home, rule: MemoryEntry) -> set[str]:
    edges = home.storage.memories.relations(rule.id)
    return {edge.target for edge in edges if edge.kind is RelationKind.GENERALIZES}


def test_linking_and_unlinking_reverse_each_other(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    before = behind(home, rule)

    link(home, rule, agreeing, by="ada", why="the same cause")
    assert behind(home, rule) == before | {agreeing.id}
    unlink(home, rule, agreeing, by="ada")

    assert behind(home, rule) == before
    assert [each.action for each in home.storage.ledger.decisions(f"link-{rule.id}-{agreeing.id}")] == ["link", "undo"]
    assert not [each for each in standing(home.storage.ledger.decisions()) if each.action == "link"]


def test_what_is_unlinked_is_said_to_belong_elsewhere(home: Home, rule: MemoryEntry) -> None:
    """The decision holds which lessons belong together, so that they are joined and kept apart from then on."""
    first, *rest = sorted(behind(home, rule))
    lesson = home.storage.memories.get([first])[first]

    decision = unlink(home, rule, lesson, by="ada")

    assert [set(group) for group in decision.groups] == [set(rest), {first}]
    assert taken_back(home, home.storage.ledger.decisions()) == {(rule.id, first)}


def test_a_lesson_is_linked_against_a_rule_too(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    link(home, rule, agreeing, against=True, by="ada")

    edge = evidence_edge(home, rule, agreeing)
    assert edge is not None
    assert (edge.kind, edge.source) == (RelationKind.CONTRADICTS, agreeing.id)
    with pytest.raises(Conflict, match="unlink"):
        link(home, rule, agreeing, by="ada")


def test_accepting_again_after_an_undo_leaves_out_what_was_unlinked(home: Home, rule: MemoryEntry) -> None:
    first, *rest = sorted(behind(home, rule))
    unlink(home, rule, home.storage.memories.get([first])[first], by="ada")
    (proposal,) = home.queue.all()
    undo(home, proposal, by="ada")

    accept(home, home.queue.find(proposal.id), by="ada")

    assert behind(home, rule) == set(rest)


def test_what_is_not_linked_cannot_be_unlinked(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    with pytest.raises(NotFound, match="hardwon links"):
        unlink(home, rule, agreeing, by="ada")


def test_only_a_lesson_proves_a_rule(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    with pytest.raises(InvalidInput, match="is a rule"):
        link(home, rule, rule, by="ada")
    with pytest.raises(InvalidInput, match="no rule"):
        link(home, agreeing, agreeing, by="ada")
