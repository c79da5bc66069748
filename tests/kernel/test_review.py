"""Deciding: only a decided rule reaches other projects; a crash at any write leaves a decision that can be repeated."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.proposal import Instance, Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.forgotten import load_forgotten
from hardwon.kernel.use_cases.remembering import forget
from hardwon.kernel.use_cases.review import accept, reject, reword, undo
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes.home import open_fake_home

RULE = "Set a time limit on every network call."


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_fake_home(tmp_path)


@pytest.fixture
def proposal(home: Home) -> Proposal:
    return proposed(home)


def proposed(home: Home) -> Proposal:
    lessons = home.storage.memories.put(
        [memory(f"A call to service {name} never came back.", project=name, tags=("net",)) for name in "abc"]
    )
    proposal = Proposal(
        id="k3m9q2x7aa",
        rule=RULE,
        translations={"zh": "每次网络调用都必须设置超时。"},
        topic="operations.timeouts",
        instances=tuple(_instance(lesson) for lesson in lessons),
        confidence=0.8,
        created_at=MOMENT,
    )
    home.queue.add([proposal])
    return proposal


def _instance(lesson: MemoryEntry) -> Instance:
    return Instance(id=lesson.id, project=lesson.scope.project, revision=lesson.revision, evidence=lesson.content)


def rules(home: Home) -> list[MemoryEntry]:
    return list(home.storage.memories.scan(Filter(kinds=(Kind.RULE,))))


def test_accepting_writes_the_rule_its_links_and_the_decision(home: Home, proposal: Proposal) -> None:
    accepted = accept(home, proposal, by="ada", why="paid for twice")

    (rule,) = rules(home)
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


def test_a_proposal_without_words_cannot_be_accepted(home: Home, proposal: Proposal) -> None:
    home.queue.settle(proposal.model_copy(update={"rule": ""}))

    with pytest.raises(InvalidInput, match="review rewrite"):
        accept(home, home.queue.find(proposal.id), by="ada")

    assert rules(home) == []


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


def test_undoing_an_acceptance_takes_the_rule_out_of_recall_and_asks_again(home: Home, proposal: Proposal) -> None:
    accepted = accept(home, proposal, by="ada", text="Never wait for ever.")

    undo(home, home.queue.find(proposal.id), by="ada", why="too broad")

    rule = home.storage.memories.get([accepted.rule.id])[accepted.rule.id]
    assert rule.status is Status.ARCHIVED
    assert home.storage.memories.relations(rule.id) == []
    (pending,) = home.queue.pending()
    assert (pending.state, pending.rule) == (ProposalState.PENDING, RULE)


def test_accept_undo_and_accept_again_gives_one_rule_that_stands(home: Home, proposal: Proposal) -> None:
    first = accept(home, proposal, by="ada")
    undo(home, home.queue.find(proposal.id), by="ada")

    second = accept(home, home.queue.find(proposal.id), by="ada")

    (rule,) = rules(home)
    assert rule.id == first.rule.id == second.rule.id
    assert (rule.status, rule.times.retracted_at) == (Status.ACTIVE, None)
    assert [each.action for each in home.storage.ledger.decisions(proposal.id)] == ["accept", "undo", "accept"]


def test_a_rejection_can_be_undone(home: Home, proposal: Proposal) -> None:
    reject(home, proposal, by="ada", why="two causes")

    undo(home, home.queue.find(proposal.id), by="ada")

    assert [each.id for each in home.queue.pending()] == [proposal.id]


def test_nothing_decided_is_nothing_to_undo(home: Home, proposal: Proposal) -> None:
    with pytest.raises(Conflict, match="no decision"):
        undo(home, proposal, by="ada")


def test_a_proposal_that_came_back_later_gives_the_rule_that_it_gave_before(home: Home, proposal: Proposal) -> None:
    """It was accepted, undone, withdrawn for want of evidence, and proposed again on another day."""
    first = accept(home, proposal, by="ada")
    undo(home, home.queue.find(proposal.id), by="ada")
    home.queue.settle(proposal.model_copy(update={"created_at": MOMENT + timedelta(days=40)}))

    second = accept(home, home.queue.find(proposal.id), by="ada")

    assert (second.rule.id, second.rule.status) == (first.rule.id, Status.ACTIVE)
    assert rules(home) == [second.rule]


Decide = Callable[[Home, Proposal], object]


@pytest.mark.parametrize(
    "late",
    [
        lambda home, proposal: accept(home, proposal, by="bob"),
        lambda home, proposal: reject(home, proposal, by="bob"),
        lambda home, proposal: reword(home, proposal, "Mine."),
    ],
    ids=["accept", "reject", "edit"],
)
def test_who_comes_second_is_told_so_and_changes_nothing(home: Home, proposal: Proposal, late: Decide) -> None:
    """Both read the proposal while it waited; the writers' lock lets one through after the other."""
    first = accept(home, proposal, by="ada")

    with pytest.raises(Conflict, match="accepted already"):
        late(home, proposal)

    assert rules(home) == [first.rule]
    assert [each.by for each in home.storage.ledger.decisions(proposal.id)] == ["ada"]
    assert home.queue.find(proposal.id).state is ProposalState.ACCEPTED


def test_a_rejection_that_comes_second_undoes_nothing_twice(home: Home, proposal: Proposal) -> None:
    reject(home, proposal, by="ada")
    decided = home.queue.find(proposal.id)
    undo(home, decided, by="ada")

    with pytest.raises(Conflict, match="no decision"):
        undo(home, decided, by="bob")


def test_what_was_edited_while_somebody_decided_is_decided_as_edited(home: Home, proposal: Proposal) -> None:
    reword(home, proposal, "Never wait for ever.")

    accepted = accept(home, proposal, by="ada")

    assert accepted.rule.content == "Never wait for ever."


def test_an_edit_without_words_is_refused(home: Home, proposal: Proposal) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        reword(home, proposal, "  ")

    assert home.queue.pending() == [proposal]


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


def test_rejecting_after_an_acceptance_was_cut_off_leaves_no_rule(
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        killing(patch, home, 2, after=False)
        with pytest.raises(Killed):
            accept(home, proposal, by="ada")
    assert rules(home)

    reject(home, home.queue.find(proposal.id), by="ada")

    assert rules(home) == []


def test_other_words_after_a_crash_are_a_decision_of_their_own(
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        killing(patch, home, 3, after=False)
        with pytest.raises(Killed):
            accept(home, proposal, by="ada", text="First words.")

    accept(home, home.queue.find(proposal.id), by="ada", text="Second words.")

    assert [each.after for each in home.storage.ledger.decisions(proposal.id)] == ["First words.", "Second words."]


def test_a_forgotten_rule_that_is_accepted_again_is_forgotten_no_more(home: Home, proposal: Proposal) -> None:
    forget(home, accept(home, proposal, by="ada").rule)
    undo(home, home.queue.find(proposal.id), by="ada")

    accept(home, home.queue.find(proposal.id), by="ada")

    assert load_forgotten(home) == set()


def test_a_rule_stands_though_its_embedder_is_not_to_be_had(tmp_path: Path) -> None:
    """A setting that names no embedder is a reason to tell elsewhere; the decision is made and committed."""
    (tmp_path / "config.toml").write_text('embedder = "misspelt"\n', encoding="utf-8")
    home = open_fake_home(tmp_path)

    accepted = accept(home, proposed(home), by="ada")

    assert rules(home) == [accepted.rule]


class Killed(BaseException):
    """The process ends here."""


WRITES = {
    "memories": ("put", "update", "relate", "unrelate"),
    "ledger": ("decide",),
    "documents": ("write", "move"),
}


def killing(monkeypatch: pytest.MonkeyPatch, home: Home, at: int, *, after: bool) -> None:
    """Let the process die before or after its write number `at`."""
    counter: Iterator[int] = itertools.count()
    targets = [(getattr(home.storage, door), name) for door, names in WRITES.items() for name in names]
    targets += [(home.queue, "settle")]

    def dying(write: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            mine = next(counter) == at
            if mine and not after:
                raise Killed
            result = write(*arguments, **named)
            if mine:
                raise Killed
            return result

        return call

    for target, name in targets:
        monkeypatch.setattr(target, name, dying(getattr(target, name)))


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(4))
def test_killed_at_any_write_accepting_again_leaves_one_rule_and_one_decision(
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch, at: int, after: bool
) -> None:
    with monkeypatch.context() as patch:
        killing(patch, home, at, after=after)
        with pytest.raises(Killed):
            accept(home, proposal, by="ada", why="paid for twice")
    decided = home.queue.find(proposal.id).state is ProposalState.ACCEPTED

    if not decided:
        accept(home, home.queue.find(proposal.id), by="ada", why="paid for twice")

    (rule,) = rules(home)
    assert len(home.storage.memories.relations(rule.id)) == len(proposal.instances)
    assert [each.action for each in home.storage.ledger.decisions(proposal.id)] == ["accept"]
    assert home.queue.find(proposal.id).state is ProposalState.ACCEPTED


def test_a_crash_is_survived_at_every_write_there_is(
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parametrised test above covers all of them: accepting makes exactly four writes."""
    with monkeypatch.context() as patch:
        killing(patch, home, 4, after=False)
        accept(home, proposal, by="ada")
