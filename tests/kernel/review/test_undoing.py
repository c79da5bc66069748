"""Undoing a decision: everything is as it was before, and the history says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.use_cases.review import accept, reject, reword, undo
from hardwon.testing.fakes import FixedClock, open_fake_home

Rules = Callable[[], list[MemoryEntry]]
Decide = Callable[[Home, Proposal], object]
RULE = "Set a time limit on every network call."


def test_undoing_an_acceptance_takes_the_rule_out_of_recall_and_asks_again(home: Home, proposal: Proposal) -> None:
    accepted = accept(home, proposal, by="ada", text="Never wait for ever.")

    undo(home, home.queue.find(proposal.id), by="ada", why="too broad")

    rule = home.storage.memories.get([accepted.rule.id])[accepted.rule.id]
    assert rule.status is Status.ARCHIVED
    assert home.storage.memories.relations(rule.id) == []
    (pending,) = home.queue.pending()
    assert (pending.state, pending.rule) == (ProposalState.PENDING, RULE)


def test_accept_undo_and_accept_again_gives_one_rule_that_stands(home: Home, proposal: Proposal, rules: Rules) -> None:
    first = accept(home, proposal, by="ada")
    undo(home, home.queue.find(proposal.id), by="ada")

    second = accept(home, home.queue.find(proposal.id), by="ada")

    (rule,) = rules()
    assert rule.id == first.rule.id == second.rule.id
    assert (rule.status, rule.times.retracted_at) == (Status.ACTIVE, None)
    assert [each.action for each in home.storage.ledger.decisions(proposal.id)] == ["accept", "undo", "accept"]


def test_the_last_decision_is_undone_also_after_the_clock_went_back(
    home: Home, proposal: Proposal, rules: Rules, tmp_path: Path
) -> None:
    """What was decided last is what follows the rest, not what has the latest time."""
    reject(home, proposal, by="ada")
    yesterday = FixedClock(home.clock.now() - timedelta(days=1))
    with open_fake_home(tmp_path, storage=home.storage, queue=home.queue, clock=yesterday) as later:
        undo(later, later.queue.find(proposal.id), by="ada")
        accept(later, later.queue.find(proposal.id), by="ada")
        assert rules()

        undo(later, later.queue.find(proposal.id), by="ada")

        decisions = later.storage.ledger.decisions(proposal.id)
    assert [each.action for each in decisions] == ["reject", "undo", "accept", "undo"]
    assert [each.follows for each in decisions] == [None, *(each.id for each in decisions[:-1])]
    assert rules() == []


def test_a_rejection_can_be_undone(home: Home, proposal: Proposal) -> None:
    reject(home, proposal, by="ada", why="two causes")

    undo(home, home.queue.find(proposal.id), by="ada")

    assert [each.id for each in home.queue.pending()] == [proposal.id]


def test_nothing_decided_is_nothing_to_undo(home: Home, proposal: Proposal) -> None:
    with pytest.raises(Conflict, match="no decision"):
        undo(home, proposal, by="ada")


@pytest.mark.parametrize(
    "decide",
    [
        lambda home, proposal: accept(home, proposal, by="ada"),
        lambda home, proposal: accept(home, proposal, by="ada", text="Other words."),
        lambda home, proposal: reject(home, proposal, by="ada"),
    ],
    ids=["accept", "rewrite", "reject"],
)
def test_undoing_gives_back_the_words_in_which_it_waited(home: Home, proposal: Proposal, decide: Decide) -> None:
    """The person's, where they had edited it, with the machine's beside them."""
    edited = reword(home, proposal, "Never wait for ever.")
    decide(home, edited)

    undo(home, home.queue.find(proposal.id), by="ada")

    assert home.queue.pending() == [edited]
