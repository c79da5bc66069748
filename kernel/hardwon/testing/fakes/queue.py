"""FakeQueue: a review queue in memory."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.proposal import DECIDED, Proposal, ProposalState
from hardwon.kernel.records import Problem


class FakeQueue:
    """Holds proposals until somebody decides."""

    def __init__(self, proposals: Sequence[Proposal] = ()) -> None:
        self._proposals: dict[str, Proposal] = {}
        self._notes: dict[str, str] = {}
        self.add(proposals)

    def add(self, proposals: Sequence[Proposal]) -> None:
        """Put proposals into the queue; what was decided stays decided."""
        for proposal in proposals:
            known = self._proposals.get(proposal.id)
            if known is None or known.state not in DECIDED:
                self._proposals[proposal.id] = proposal.worded_like(known) if known else proposal

    def pending(self) -> list[Proposal]:
        """Return what awaits a decision, best first."""
        return [each for each in self.all() if each.state is ProposalState.PENDING]

    def all(self) -> list[Proposal]:
        """Return every proposal in any state, best first."""
        return sorted(self._proposals.values(), key=lambda each: (-each.confidence, each.id))

    def find(self, prefix: str) -> Proposal:
        """Return the proposal with this id or unique prefix. Raises NotFound or Ambiguous."""
        if prefix in self._proposals:
            return self._proposals[prefix]
        fitting = [id for id in self._proposals if prefix and id.startswith(prefix)]
        if not fitting:
            raise NotFound(f"No proposal is called “{prefix}”; list them with `hardwon review list`.")
        if len(fitting) > 1:
            raise Ambiguous(f"“{prefix}” fits {len(fitting)} proposals; give more characters of the id.")
        return self._proposals[fitting[0]]

    def settle(self, proposal: Proposal) -> None:
        """Store a proposal in its new state."""
        self._proposals[proposal.id] = proposal

    def notes(self, id: str) -> str:
        """Return what a person noted on a proposal."""
        return self._notes.get(id, "")

    def annotate(self, proposal: Proposal, notes: str) -> None:
        """Store a proposal with other notes."""
        self._proposals[proposal.id] = proposal
        self._notes[proposal.id] = notes

    def problems(self) -> list[Problem]:
        """Return nothing: no document can be broken here."""
        return []
