"""A crash at any write of a decision leaves one that can be repeated, or another in its place."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.use_cases.consolidating.material import read_material
from hardwon.kernel.use_cases.consolidating.queue import apply_to_queue
from hardwon.kernel.use_cases.review import accept, reject, undo
from hardwon.testing.rule_changes import MAKERS, Make, state

Rules = Callable[[], list[MemoryEntry]]


class Killed(BaseException):
    """The process ends here."""


WRITES_OF_A_CHANGE = 12
"""More than any acceptance makes."""
WRITES = {
    "memories": ("put", "update", "relate", "unrelate"),
    "ledger": ("decide",),
    "documents": ("write", "move"),
}


def killing(monkeypatch: pytest.MonkeyPatch, home: Home, at: int, *, after: bool) -> None:
    """Let the process die before or after its write number `at`: the store gets to take nothing back."""
    counter: Iterator[int] = itertools.count()
    targets = [(getattr(home.storage, door), name) for door, names in WRITES.items() for name in names]
    targets += [(home.queue, "settle")]
    monkeypatch.setattr(home.storage.kept, "all_or_nothing", contextlib.nullcontext)  # type: ignore[attr-defined]

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
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch, at: int, after: bool, rules: Rules
) -> None:
    with monkeypatch.context() as patch:
        killing(patch, home, at, after=after)
        with pytest.raises(Killed):
            accept(home, proposal, by="ada", why="paid for twice")
    decided = home.queue.find(proposal.id).state is ProposalState.ACCEPTED

    if not decided:
        accept(home, home.queue.find(proposal.id), by="ada", why="paid for twice")

    (rule,) = rules()
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


def test_rejecting_after_an_acceptance_was_cut_off_leaves_no_rule(
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    with monkeypatch.context() as patch:
        killing(patch, home, 2, after=False)
        with pytest.raises(Killed):
            accept(home, proposal, by="ada")
    assert rules()

    reject(home, home.queue.find(proposal.id), by="ada")

    assert rules() == []


def test_other_words_after_a_crash_are_a_decision_of_their_own(
    home: Home, proposal: Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        killing(patch, home, 3, after=False)
        with pytest.raises(Killed):
            accept(home, proposal, by="ada", text="First words.")

    accept(home, home.queue.find(proposal.id), by="ada", text="Second words.")

    assert [each.after for each in home.storage.ledger.decisions(proposal.id)] == ["First words.", "Second words."]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_whatever_is_changed_a_crash_at_any_write_is_survived(
    home: Home, monkeypatch: pytest.MonkeyPatch, make: Make, after: bool
) -> None:
    """Accepting again leaves what accepting once leaves: the same rules, edges and one decision."""
    proposal = make(home)
    whole = _stands_after(home, proposal)
    for at in range(WRITES_OF_A_CHANGE):
        killed = _killed_while_accepting(home, monkeypatch, proposal, at, after=after)
        if home.queue.find(proposal.id).state is not ProposalState.ACCEPTED:
            accept(home, home.queue.find(proposal.id), by="ada")
        assert _stands(home) == whole, at
        undo(home, home.queue.find(proposal.id), by="ada")
        if not killed:
            return
    raise AssertionError("more writes than were looked at")


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_rejecting_after_a_change_was_cut_off_lets_everything_stand_as_before(
    home: Home, monkeypatch: pytest.MonkeyPatch, make: Make
) -> None:
    proposal = make(home)
    before = _stands(home)
    for at in range(WRITES_OF_A_CHANGE):
        if not _killed_while_accepting(home, monkeypatch, proposal, at, after=False):
            return
        reject(home, home.queue.find(proposal.id), by="ada")
        assert _stands(home) == before, at
        undo(home, home.queue.find(proposal.id), by="ada")
    raise AssertionError("more writes than were looked at")


@pytest.mark.parametrize("proposes_it_still", [True, False])
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_run_after_an_acceptance_was_cut_off_leaves_it_to_be_put_back(
    home: Home, monkeypatch: pytest.MonkeyPatch, make: Make, proposes_it_still: bool
) -> None:
    """The generalizer brings the proposal up to date, or no longer proposes it: the rule that it saw is gone."""
    proposal = make(home)
    before = _stands(home)
    fresh = [proposal.model_copy(update={"confidence": 0.9})] if proposes_it_still else []
    for at in range(WRITES_OF_A_CHANGE):
        if not _killed_while_accepting(home, monkeypatch, proposal, at, after=True):
            return
        if home.queue.find(proposal.id).state is ProposalState.PENDING:
            apply_to_queue(home, fresh, read_material(home))
            reject(home, home.queue.find(proposal.id), by="ada")
            assert _stands(home) == before, at
        undo(home, home.queue.find(proposal.id), by="ada")
        home.queue.settle(proposal)
    raise AssertionError("more writes than were looked at")


def _killed_while_accepting(
    home: Home, monkeypatch: pytest.MonkeyPatch, proposal: Proposal, at: int, *, after: bool
) -> bool:
    """Tell whether there was a write to be killed at."""
    with monkeypatch.context() as patch:
        killing(patch, home, at, after=after)
        try:
            accept(home, home.queue.find(proposal.id), by="ada")
        except Killed:
            return True
    return False


def _stands_after(home: Home, proposal: Proposal) -> object:
    accept(home, proposal, by="ada")
    whole = _stands(home)
    undo(home, home.queue.find(proposal.id), by="ada")
    return whole


def _stands(home: Home) -> object:
    """Return what stands, without the moments at which it was written."""
    found = state(home)
    entries = {(each.id, each.content, str(each.scope), each.scope.applies_when) for each in found["memories"]}
    return entries, set(found["edges"])
