"""Continuity: a proposal is the same proposal the next night, and a rejected one stays away.

A new cluster and an earlier proposal are the same when they share more than half of the smaller one's lessons; the best
matches are made first, so that one proposal continues in one cluster. A proposal that was rejected comes back only when
its evidence has grown by at least `GROWTH` lessons; a rule that was accepted is not proposed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Proposal, ProposalState

GROWTH = 2
"""Lessons that a rejected proposal must have gained before it is shown again."""
SAME = 0.5
ID_LENGTH = 10


@dataclass(frozen=True)
class Continued:
    """Which proposal a cluster is: an earlier one that is still open, or a new one under its own id."""

    id: str
    earlier: Proposal | None = None
    returns: str | None = None
    """The rejected proposal whose evidence has grown."""


def overlap(one: set[str], other: set[str]) -> float:
    """Return the share of the smaller set that both have (Szymkiewicz-Simpson), 0–1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def continue_proposals(
    clusters: Sequence[Sequence[MemoryEntry]], proposals: Sequence[Proposal]
) -> list[Continued | None]:
    """Return, for each cluster in order, which proposal it is; None where it must not be proposed again."""
    members = [{lesson.id for lesson in cluster} for cluster in clusters]
    matches = _match(members, proposals)
    return [_continued(ids, matches.get(index)) for index, ids in enumerate(members)]


def _match(members: list[set[str]], proposals: Sequence[Proposal]) -> dict[int, Proposal]:
    """Pair clusters with earlier proposals, best overlap first, each used once; a decided one may fit several."""
    scored = []
    for place, proposal in enumerate(proposals):
        if proposal.state is ProposalState.WITHDRAWN:
            continue
        known = {instance.id for instance in proposal.instances}
        for index, ids in enumerate(members):
            share = overlap(ids, known)
            if share > SAME:
                # A decision weighs more than a pending proposal: what was decided is not asked twice.
                scored.append((proposal.state is ProposalState.PENDING, -share, proposal.id, index, place))
    matches: dict[int, Proposal] = {}
    used: set[str] = set()
    for _, _, _, index, place in sorted(scored):
        proposal = proposals[place]
        if index in matches or proposal.id in used:
            continue
        matches[index] = proposal
        if proposal.state is ProposalState.PENDING:
            used.add(proposal.id)
    return matches


def _continued(ids: set[str], earlier: Proposal | None) -> Continued | None:
    fresh = fingerprint(*sorted(ids), length=ID_LENGTH)
    if earlier is None:
        return Continued(fresh)
    if earlier.state is ProposalState.PENDING:
        return Continued(earlier.id, earlier=earlier)
    if earlier.state is ProposalState.REJECTED:
        gained = ids - {instance.id for instance in earlier.instances}
        return Continued(fresh, returns=earlier.id) if len(gained) >= GROWTH else None
    return None
