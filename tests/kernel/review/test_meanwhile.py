"""Two people decide at once: the first is heard, the second is told, and nothing is decided on a stale copy."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.use_cases.review import accept, reject, reword, undo

Rules = Callable[[], list[MemoryEntry]]
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
def test_who_comes_second_is_told_so_and_changes_nothing(
    home: Home, proposal: Proposal, late: Decide, rules: Rules
) -> None:
    """Both read the proposal while it waited; the writers' lock lets one through after the other."""
    first = accept(home, proposal, by="ada")

    with pytest.raises(Conflict, match="accepted already"):
        late(home, proposal)

    assert rules() == [first.rule]
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
