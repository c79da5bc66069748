"""Deciding: a person's yes makes a rule of a proposal, with its links and the decision; only that reaches others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.forgotten import load_forgotten
from hardwon.kernel.use_cases.remembering import forget
from hardwon.kernel.use_cases.review import accept, reject, undo
from hardwon.testing.examples import MOMENT

Rules = Callable[[], list[MemoryEntry]]
RULE = "Set a time limit on every network call."


def test_accepting_writes_the_rule_its_links_and_the_decision(home: Home, proposal: Proposal, rules: Rules) -> None:
    accepted = accept(home, proposal, by="ada", why="paid for twice")

    (rule,) = rules()
    assert rule == accepted.rule
    assert rule.scope.project is None
    assert rule.content.startswith(RULE)
    assert "每次网络调用都必须设置超时。" in rule.content
    for instance in proposal.instances:
        (edge,) = home.storage.memories.relations(instance.id)
        assert (edge.kind, edge.source, edge.named_from(instance.id)) == (
            RelationKind.GENERALIZES,
            rule.id,
            "applies_to",
        )
    (decision,) = home.storage.ledger.decisions(proposal.id)
    assert (decision.by, decision.why, decision.action, decision.after) == ("ada", "paid for twice", "accept", RULE)
    assert decision.revisions == {instance.id: instance.revision for instance in proposal.instances}
    assert home.queue.pending() == []


def test_the_users_own_words_are_the_rule_and_the_machines_stay_on_record(home: Home, proposal: Proposal) -> None:
    accepted = accept(home, proposal, by="ada", text="Never wait for ever.")

    (decision,) = home.storage.ledger.decisions(proposal.id)
    assert accepted.rule.content == "Never wait for ever."
    assert (decision.action, decision.before, decision.after) == ("rewrite", RULE, "Never wait for ever.")
    assert accepted.rule.confidence == 1.0


@pytest.mark.parametrize("text", [None, "Never wait for ever."])
def test_the_rule_carries_the_tasks_that_it_is_for(home: Home, proposal: Proposal, text: str | None) -> None:
    """Also in the user's own words: what it is for has not changed."""
    tasks = "call a partner's service; fetch a page\n调用外部接口"
    home.queue.settle(proposal.model_copy(update={"situation": tasks}))
    accepted = accept(home, home.queue.find(proposal.id), by="ada", text=text)
    assert accepted.rule.lesson.situation == tasks


def test_a_proposal_without_words_cannot_be_accepted(home: Home, proposal: Proposal, rules: Rules) -> None:
    home.queue.settle(proposal.model_copy(update={"rule": ""}))

    with pytest.raises(InvalidInput, match="review rewrite"):
        accept(home, home.queue.find(proposal.id), by="ada")

    assert rules() == []


def test_what_was_decided_is_not_decided_again(home: Home, proposal: Proposal) -> None:
    reject(home, proposal, by="ada")

    with pytest.raises(Conflict, match="undo"):
        accept(home, home.queue.find(proposal.id), by="bob")


def test_lessons_that_are_gone_are_named_and_the_rest_counts(home: Home, proposal: Proposal) -> None:
    gone = proposal.instances[0].id
    home.storage.memories.delete([gone])

    accepted = accept(home, proposal, by="ada")

    assert accepted.missing == (gone,)
    assert set(accepted.lessons) == {instance.id for instance in proposal.instances[1:]}


def test_a_proposal_that_came_back_later_gives_the_rule_that_it_gave_before(
    home: Home, proposal: Proposal, rules: Rules
) -> None:
    """It was accepted, undone, withdrawn for want of evidence, and proposed again on another day."""
    first = accept(home, proposal, by="ada")
    undo(home, home.queue.find(proposal.id), by="ada")
    home.queue.settle(proposal.model_copy(update={"created_at": MOMENT + timedelta(days=40)}))

    second = accept(home, home.queue.find(proposal.id), by="ada")

    assert (second.rule.id, second.rule.status) == (first.rule.id, Status.ACTIVE)
    assert rules() == [second.rule]


def test_a_withdrawn_proposal_is_not_said_to_have_been_decided(home: Home, proposal: Proposal) -> None:
    home.queue.settle(proposal.model_copy(update={"state": ProposalState.WITHDRAWN}))

    with pytest.raises(Conflict, match="consolidate"):
        accept(home, proposal, by="ada")


def test_a_retired_lesson_is_no_evidence_and_is_counted_as_missing(home: Home, proposal: Proposal) -> None:
    gone = proposal.instances[0].id
    home.storage.memories.update(gone, {"status": Status.ARCHIVED})

    accepted = accept(home, proposal, by="ada")

    assert accepted.missing == (gone,)
    assert home.storage.memories.relations(gone) == []


def test_a_forgotten_rule_that_is_accepted_again_is_forgotten_no_more(home: Home, proposal: Proposal) -> None:
    forget(home, accept(home, proposal, by="ada").rule)
    undo(home, home.queue.find(proposal.id), by="ada")

    accept(home, home.queue.find(proposal.id), by="ada")

    assert load_forgotten(home) == set()


@pytest.fixture
def misspelt_embedder(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('embedder = "misspelt"\n', encoding="utf-8")


def test_a_rule_stands_though_its_embedder_is_not_to_be_had(
    misspelt_embedder: None, home: Home, proposal: Proposal, rules: Rules
) -> None:
    """A setting that names no embedder is a reason to tell elsewhere; the decision is made and committed."""
    accepted = accept(home, proposal, by="ada")

    assert rules() == [accepted.rule]
