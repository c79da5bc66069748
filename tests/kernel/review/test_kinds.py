"""What accepting a proposal of each kind changes, and that undoing it lets everything stand as before."""

from __future__ import annotations

from typing import Any

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.proposal import ProposalKind, ProposalState
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.review import Change, accept, kinds, reject, reword, undo
from hardwon.kernel.use_cases.review.kinds import PLANS
from hardwon.kernel.use_cases.rules.linking import unlink
from hardwon.testing.examples import MOMENT
from hardwon.testing.rule_changes import BETTER, FIRST, MAKERS, SECOND, merge, narrow, refine, retire, split, state

EVERY = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def test_every_kind_but_tidying_and_settling_has_a_case_here() -> None:
    assert {ProposalKind(name) for name in MAKERS} >= set(PLANS) - {ProposalKind.NEW_RULE, ProposalKind.SETTLE}


def test_a_better_wording_is_a_new_version_that_supersedes_the_old(home: Home) -> None:
    """It takes over lessons and objections; the old one is kept with its own links and out of recall."""
    proposal = refine(home)
    old = proposal.targets[0].id
    before = {edge.key for edge in home.storage.memories.relations(old)}

    rule = accept(home, proposal, by="ada").rule

    memories = home.storage.memories
    assert (rule.lesson.principle, rule.status) == (BETTER, Status.ACTIVE)
    assert memories.get([old])[old].status is Status.ARCHIVED
    assert memories.get([old])[old].content.startswith(FIRST)
    edges = {(each.named_from(rule.id), each.other(rule.id)) for each in memories.relations(rule.id)}
    assert edges == {
        *(("generalizes", each.id) for each in proposal.instances),
        ("contradicts", proposal.against[0].id),
        ("supersedes", old),
    }
    assert {edge.key for edge in memories.relations(old)} == before | {(rule.id, "supersedes", old)}


def test_a_merged_rule_has_the_lessons_of_both_and_supersedes_both(home: Home) -> None:
    proposal = merge(home)

    rule = accept(home, proposal, by="ada").rule

    edges = home.storage.memories.relations(rule.id)
    assert {e.target for e in edges if e.kind is RelationKind.GENERALIZES} == {e.id for e in proposal.instances}
    assert {e.target for e in edges if e.kind is RelationKind.SUPERSEDES} == {e.id for e in proposal.targets}


def test_a_split_leaves_a_rule_a_part_with_that_parts_lessons(home: Home) -> None:
    proposal = split(home)

    accepted = accept(home, proposal, by="ada")

    assert [each.lesson.principle for each in accepted.rules] == [BETTER, SECOND]
    for rule, part in zip(accepted.rules, proposal.parts, strict=True):
        edges = home.storage.memories.relations(rule.id)
        assert {e.target for e in edges if e.kind is RelationKind.GENERALIZES} == set(part.instances)
        assert {e.target for e in edges if e.kind is RelationKind.SUPERSEDES} == {proposal.targets[0].id}
    (decision,) = home.storage.ledger.decisions(proposal.id)
    assert decision.groups == tuple(part.instances for part in proposal.parts)


def test_a_narrowed_rule_keeps_its_words_and_its_id(home: Home) -> None:
    proposal = narrow(home)

    rule = accept(home, proposal, by="ada").rule

    assert (rule.id, rule.lesson.principle) == (proposal.targets[0].id, FIRST)
    assert rule.scope == proposal.scope


def test_a_rule_that_is_narrowed_in_other_words_is_a_new_version_there(home: Home) -> None:
    proposal = narrow(home)

    rule = accept(home, proposal, by="ada", text=BETTER).rule

    assert (rule.lesson.principle, rule.scope) == (BETTER, proposal.scope)
    assert home.storage.memories.traverse(rule.id, RelationKind.SUPERSEDES) == [proposal.targets[0].id]


def test_a_retired_rule_lies_in_the_archive_with_its_links(home: Home) -> None:
    proposal = retire(home)
    before = home.storage.memories.relations(proposal.targets[0].id)

    rule = accept(home, proposal, by="ada", why="does harm").rule

    assert (rule.id, rule.status) == (proposal.targets[0].id, Status.ARCHIVED)
    assert home.storage.memories.relations(rule.id) == before


@EVERY
def test_undoing_lets_everything_stand_as_before(home: Home, make: Any) -> None:
    proposal = make(home)
    before = state(home)
    accept(home, proposal, by="ada")
    assert state(home) != before

    undo(home, home.queue.find(proposal.id), by="ada")

    assert state(home) == before


@EVERY
def test_accepting_undoing_and_accepting_again_is_accepting_once(home: Home, make: Any) -> None:
    proposal = make(home)
    first = accept(home, proposal, by="ada")
    once = {edge.key for rule in first.rules for edge in home.storage.memories.relations(rule.id)}
    undo(home, home.queue.find(proposal.id), by="ada")

    second = accept(home, home.queue.find(proposal.id), by="ada")

    assert [each.id for each in second.rules] == [each.id for each in first.rules]
    assert [each.status for each in second.rules] == [each.status for each in first.rules]
    assert {edge.key for rule in second.rules for edge in home.storage.memories.relations(rule.id)} == once


@EVERY
def test_the_decision_says_on_which_revisions_it_was_made(home: Home, make: Any) -> None:
    proposal = make(home)
    accept(home, proposal, by="ada")

    (decision,) = home.storage.ledger.decisions(proposal.id)

    assert decision.kind is proposal.kind
    assert decision.targets == {each.id: each.revision for each in proposal.targets}
    assert decision.before.startswith(FIRST)


@EVERY
def test_what_the_user_edited_meanwhile_is_not_written_over(home: Home, make: Any) -> None:
    """The proposal was made on another text: nothing changes, and the sentence says what to do."""
    proposal = make(home)
    home.storage.memories.update(proposal.targets[-1].id, {"content": "My own words now."})
    before = state(home)

    with pytest.raises(Conflict, match="hardwon consolidate"):
        accept(home, proposal, by="ada")

    assert state(home) == before


@EVERY
def test_what_no_longer_stands_is_not_changed(home: Home, make: Any) -> None:
    proposal = make(home)
    home.storage.memories.update(proposal.targets[0].id, {"status": Status.ARCHIVED})

    with pytest.raises(Conflict, match="review reject"):
        accept(home, proposal, by="ada")


@pytest.mark.parametrize("make", [refine, merge, split])
def test_a_lesson_that_the_user_unlinked_since_does_not_come_back(home: Home, make: Any) -> None:
    """The proposal was made before and still names it."""
    proposal = make(home)
    [rule] = home.storage.memories.get([proposal.targets[0].id]).values()
    [lesson] = home.storage.memories.get([proposal.instances[0].id]).values()
    unlink(home, rule, lesson, by="ada")

    accepted = accept(home, proposal, by="ada")

    assert lesson.id not in accepted.lessons
    assert [each.source for each in home.storage.memories.relations(lesson.id)] == []


def test_a_part_of_which_no_lesson_is_left_becomes_no_rule(home: Home) -> None:
    proposal = split(home)
    for id in proposal.parts[0].instances:
        home.storage.memories.update(id, {"status": Status.ARCHIVED})

    with pytest.raises(Conflict, match="part"):
        accept(home, proposal, by="ada")

    [rule] = home.storage.memories.get([proposal.targets[0].id]).values()
    assert rule.status is Status.ACTIVE


@EVERY
def test_rejecting_changes_no_rule_and_can_be_undone(home: Home, make: Any) -> None:
    proposal = make(home)
    before = state(home)

    reject(home, proposal, by="ada")
    assert state(home)["memories"] == before["memories"]
    undo(home, home.queue.find(proposal.id), by="ada")

    assert state(home) == before


@pytest.mark.parametrize("make", [refine, narrow, retire], ids=["refine", "narrow", "retire"])
def test_what_the_user_changed_after_accepting_is_not_written_over_by_an_undo(home: Home, make: Any) -> None:
    proposal = make(home)
    accept(home, proposal, by="ada")
    field = {"scope": {"project": "mine"}} if make is narrow else {"status": Status.OBSERVED}
    home.storage.memories.update(proposal.targets[0].id, field)
    before = state(home)

    with pytest.raises(Conflict, match="write over"):
        undo(home, home.queue.find(proposal.id), by="ada")

    assert state(home) == before


def test_what_later_decisions_build_on_is_undone_after_them(home: Home) -> None:
    """First the refinement, then the acceptance of the rule that it refined; otherwise nothing changes."""
    proposal = refine(home)
    accept(home, proposal, by="ada")
    born = next(each for each in home.queue.all() if each.id.startswith("new"))

    with pytest.raises(Conflict, match=f"review undo {proposal.id}"):
        undo(home, born, by="ada")

    undo(home, home.queue.find(proposal.id), by="ada")
    undo(home, home.queue.find(born.id), by="ada")
    assert home.queue.find(born.id).state is ProposalState.PENDING


def test_a_refinement_in_the_words_that_stand_is_refused(home: Home) -> None:
    proposal = refine(home)

    with pytest.raises(InvalidInput, match="says that already"):
        accept(home, proposal, by="ada", text=FIRST)


@pytest.mark.parametrize("make", [split, retire], ids=["split", "retire"])
def test_one_wording_for_several_rules_or_for_none_is_refused(home: Home, make: Any) -> None:
    proposal = make(home)
    with pytest.raises(InvalidInput):
        accept(home, proposal, by="ada", text="Other words.")

    reword(home, proposal, "Other words.")
    with pytest.raises(InvalidInput):
        accept(home, home.queue.find(proposal.id), by="ada")


def test_a_kind_that_nothing_carries_out_is_refused_with_what_to_do(home: Home) -> None:
    proposal = retire(home).model_copy(update={"id": "tidyup", "kind": ProposalKind.TIDY})
    home.queue.add([proposal])

    with pytest.raises(InvalidInput, match="reject tidyup"):
        accept(home, proposal, by="ada")


def test_a_rule_that_is_forgotten_leaves_no_words_in_what_was_decided_on_it(home: Home) -> None:
    """Neither in the proposal nor in the record of what stood."""
    from hardwon.kernel.use_cases.remembering import forget

    proposal = narrow(home)
    rule = accept(home, proposal, by="ada").rule

    forget(home, rule)

    kept = home.queue.find(proposal.id)
    assert kept.targets[0].evidence == "(forgotten)"
    assert rule.id not in kept.metadata["stood"]["fields"]


def test_edges_between_memories_that_stood_before_are_taken_back_too(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan may link and unlink what is there already: an edge that stood before it stands after an undo, no other."""
    proposal = merge(home)
    one, other = (each.id for each in proposal.targets)
    kept, gone, new = (
        Relation(source=one, kind=kind, target=other, asserted_at=MOMENT)
        for kind in (RelationKind.RELATES_TO, RelationKind.DERIVED_FROM, RelationKind.SUPERSEDES)
    )
    home.storage.memories.relate([kept, gone])
    before = state(home)
    plan = Change(asserted=(kept, new), retracted=(gone,), rule=one)
    monkeypatch.setattr(kinds, "PLANS", {ProposalKind.MERGE: lambda *_: plan})

    accept(home, proposal, by="ada")
    assert {kept.key, new.key} < set(state(home)["edges"])
    assert gone.key not in state(home)["edges"]
    undo(home, home.queue.find(proposal.id), by="ada")

    assert state(home) == before
