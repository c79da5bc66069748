"""ProposalsConformance: proposals as rows, each with what a person noted on it."""

from __future__ import annotations

import pytest

from hardwon.kernel.ports import KeepsProposals, Proposals, Storage
from hardwon.kernel.proposal import ProposalState
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import complete_proposal


class ProposalsConformance(OverStorage):
    """What every table of proposals promises. Give the fixture `storage`: an open, empty Storage that has one."""

    @pytest.fixture
    def rows(self, storage: Storage) -> Proposals:
        """Return the storage's table."""
        assert isinstance(storage, KeepsProposals)
        return storage.proposals()

    def test_a_row_comes_back_whole(self, rows: Proposals) -> None:
        """Every field of the proposal, and the notes letter by letter."""
        proposal, notes = complete_proposal(), "Ask 小明.\n\n- “twice”\n"
        rows.write(proposal, notes)
        assert rows.read() == {proposal.id: (proposal, notes)}
        assert rows.ids() == [proposal.id]

    def test_writing_again_replaces(self, rows: Proposals) -> None:
        """One row an id."""
        proposal = complete_proposal()
        changed = proposal.model_copy(update={"state": ProposalState.REJECTED})
        rows.write(proposal, "before")
        rows.write(changed, "after")
        assert rows.read([proposal.id]) == {proposal.id: (changed, "after")}

    def test_what_is_asked_for_is_returned_in_the_order_of_ids(self, rows: Proposals) -> None:
        """What does not exist is left out."""
        both = [complete_proposal(id=f"0{number}abcdefghjkmnpqrs") for number in (2, 1)]
        for proposal in both:
            rows.write(proposal, "")
        assert list(rows.read()) == rows.ids() == sorted(each.id for each in both)
        assert list(rows.read([both[0].id, "none"])) == [both[0].id]
        assert rows.read([]) == {}

    def test_a_failed_operation_leaves_no_row(self, storage: Storage, rows: Proposals) -> None:
        """A row is part of the operation that it was written in."""
        standing, fresh = (complete_proposal(id=f"0{number}abcdefghjkmnpqrs") for number in (1, 2))
        rows.write(standing, "before")
        with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
            rows.write(standing, "inside")
            rows.write(fresh, "")
            raise ZeroDivisionError
        assert rows.read() == {standing.id: (standing, "before")}
