"""ReviewQueueConformance: a proposal waits, unchanged, until a person decides."""

from __future__ import annotations

import pytest

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.ports import ReviewQueue
from hardwon.kernel.proposal import Proposal, ProposalKind, ProposalState
from hardwon.testing.examples import complete_proposal

FIRST, SECOND, THIRD = "01abcdefghjkmnpqrs", "01abcdefghjkmnpqrt", "02abcdefghjkmnpqrs"


def in_state(proposal: Proposal, state: ProposalState) -> Proposal:
    """Return the proposal in another state."""
    return proposal.model_copy(update={"state": state})


class ReviewQueueConformance:
    """What every ReviewQueue promises. Give the fixture `queue`: an empty one."""

    @pytest.fixture
    def queue(self) -> ReviewQueue:
        """Return an empty queue; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `queue`: an empty review queue.")

    def test_a_proposal_comes_back_as_it_was_added(self, queue: ReviewQueue) -> None:
        """Every field makes the round trip."""
        proposal = complete_proposal()
        queue.add([proposal])
        assert queue.pending() == [proposal]
        assert queue.find(proposal.id) == proposal

    @pytest.mark.parametrize("kind", ProposalKind)
    def test_every_kind_of_proposal_waits(self, queue: ReviewQueue, kind: ProposalKind) -> None:
        """Also one without a rule, which the reviewer has to write."""
        proposal = complete_proposal(kind=kind, rule="")
        queue.add([proposal])
        assert queue.pending() == [proposal]

    @pytest.mark.parametrize(
        "text",
        [
            "Use “quotes”, 'more' and \"more\": # all.",
            "# no heading",
            "- no item",
            "[[no-link]] | no | table",
            "规则 🦀",
        ],
    )
    def test_texts_are_kept_character_by_character(self, queue: ReviewQueue, text: str) -> None:
        """Nothing in them is taken for the queue's own syntax."""
        proposal = complete_proposal(rule=text, rationale=text, topic="a.b", translations={"zh": text})
        queue.add([proposal])
        assert queue.pending() == [proposal]

    def test_the_best_comes_first(self, queue: ReviewQueue) -> None:
        """Best means: the most confident."""
        queue.add(
            [complete_proposal(id=id, confidence=share) for id, share in ((FIRST, 0.2), (SECOND, 0.9), (THIRD, 0.5))]
        )
        assert [each.id for each in queue.pending()] == [SECOND, THIRD, FIRST]

    def test_the_same_proposal_is_brought_up_to_date(self, queue: ReviewQueue) -> None:
        """One id, one proposal, with what is known of it now."""
        proposal = complete_proposal()
        queue.add([proposal])
        newer = proposal.model_copy(update={"confidence": 0.9, "rationale": "A fourth project joined."})
        queue.add([newer])
        assert queue.pending() == [newer]

    def test_bringing_it_up_to_date_keeps_a_persons_words(self, queue: ReviewQueue) -> None:
        """And the machine's newest wording beside them; the machine coming round to the same words ends the edit."""
        proposal = complete_proposal()
        queue.add([proposal])
        queue.settle(proposal.reworded("In my words."))
        newer = proposal.model_copy(update={"rule": "In newer words of the machine.", "confidence": 0.9})
        queue.add([newer])
        assert queue.pending() == [newer.reworded("In my words.")]
        agreeing = proposal.model_copy(update={"rule": "In my words."})
        queue.add([agreeing])
        assert queue.pending() == [agreeing]

    def test_bringing_it_up_to_date_keeps_an_agents_words(self, queue: ReviewQueue) -> None:
        """Below a person's own, which count more, and beside the machine's newest."""
        proposal = complete_proposal()
        queue.add([proposal])
        queue.settle(proposal.drafted("In an agent's words.", "an agent"))
        newer = proposal.model_copy(update={"rule": "In newer words of the machine.", "confidence": 0.9})
        queue.add([newer])
        [waiting] = queue.pending()
        assert (waiting.rule, waiting.worded_by, waiting.edited) == ("In an agent's words.", "an agent", False)
        assert waiting.generalized == newer
        queue.settle(waiting.reworded("In my words."))
        queue.add([proposal])
        assert queue.pending() == [proposal.drafted("In an agent's words.", "an agent").reworded("In my words.")]

    @pytest.mark.parametrize("state", [ProposalState.ACCEPTED, ProposalState.REJECTED])
    def test_what_is_decided_leaves_the_queue(self, queue: ReviewQueue, state: ProposalState) -> None:
        """It can still be found, and proposing it again does not bring it back."""
        decided, waiting = complete_proposal(id=FIRST), complete_proposal(id=THIRD)
        queue.add([decided, waiting])
        queue.settle(in_state(decided, state))
        queue.add([decided])
        assert queue.pending() == [waiting]
        assert queue.find(decided.id) == in_state(decided, state)
        assert {each.id for each in queue.all()} == {decided.id, waiting.id}

    def test_an_undone_decision_brings_it_back(self, queue: ReviewQueue) -> None:
        """To wait as before."""
        proposal = complete_proposal()
        queue.add([proposal])
        queue.settle(in_state(proposal, ProposalState.ACCEPTED))
        queue.settle(proposal)
        assert queue.pending() == queue.all() == [proposal]

    def test_a_withdrawn_proposal_may_come_again(self, queue: ReviewQueue) -> None:
        """Nobody decided against it: when its evidence is back, so is the proposal."""
        proposal = complete_proposal()
        queue.add([proposal])
        queue.settle(in_state(proposal, ProposalState.WITHDRAWN))
        assert queue.pending() == []
        queue.add([proposal])
        assert queue.pending() == [proposal]

    def test_a_proposal_is_found_by_a_unique_prefix(self, queue: ReviewQueue) -> None:
        """What fits several is Ambiguous, what fits none is NotFound, and so is an empty word."""
        queue.add([complete_proposal(id=THIRD)])
        with pytest.raises(NotFound):
            queue.find("")
        queue.add([complete_proposal(id=id) for id in (FIRST, SECOND)])
        assert queue.find("02").id == THIRD
        assert queue.find(FIRST).id == FIRST
        with pytest.raises(Ambiguous):
            queue.find("01a")
        for prefix in ("03", "../x", "*"):
            with pytest.raises(NotFound):
                queue.find(prefix)

    def test_settling_what_was_never_added_keeps_it(self, queue: ReviewQueue) -> None:
        """A retry after a crash finds the state it wanted."""
        accepted = in_state(complete_proposal(), ProposalState.ACCEPTED)
        queue.settle(accepted)
        queue.settle(accepted)
        assert queue.all() == [accepted]

    def test_an_empty_queue_is_no_error(self, queue: ReviewQueue) -> None:
        """Nothing waits, nothing is broken."""
        queue.add([])
        assert queue.pending() == queue.all() == []
        assert queue.problems() == []
