"""Continuity: a proposal is the same proposal the next night, and a rejected one stays away.

A new cluster and an earlier proposal are the same when they share more than half of the smaller one's lessons; the best
matches are made first, so that one proposal continues in one cluster. What was rejected comes back only with at least
`GROWTH` lessons that no rejected proposal of it had; a rule that was accepted is not proposed again.
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
    pending = _pair(members, [each for each in proposals if each.state is ProposalState.PENDING])
    decided = [each for each in proposals if each.state in (ProposalState.ACCEPTED, ProposalState.REJECTED)]
    taken = {each.id for each in proposals if each.state is not ProposalState.WITHDRAWN}
    return [_continued(ids, pending.get(place), decided, taken) for place, ids in enumerate(members)]


def _lessons(proposal: Proposal) -> set[str]:
    return {instance.id for instance in (*proposal.instances, *proposal.against)}


def _pair(members: Sequence[set[str]], pending: Sequence[Proposal]) -> dict[int, Proposal]:
    """Pair clusters with pending proposals, best overlap first, each used once; ties hang on ids, never on order."""
    scored = sorted(
        (-share, -len(ids & _lessons(proposal)), proposal.id, min(ids), place, known)
        for place, ids in enumerate(members)
        for known, proposal in enumerate(pending)
        if (share := overlap(ids, _lessons(proposal))) > SAME
    )
    pairs: dict[int, Proposal] = {}
    used: set[int] = set()
    for *_, place, known in scored:
        if place not in pairs and known not in used:
            pairs[place] = pending[known]
            used.add(known)
    return pairs


def _continued(
    ids: set[str], earlier: Proposal | None, decided: Sequence[Proposal], taken: set[str]
) -> Continued | None:
    same = [each for each in decided if overlap(ids, _lessons(each)) > SAME]
    if any(each.state is ProposalState.ACCEPTED for each in same):
        return None
    if same and len(ids.difference(*map(_lessons, same))) < GROWTH:
        return None
    nearest = max(same, key=lambda each: (len(ids & _lessons(each)), each.id), default=None)
    return Continued(earlier.id if earlier else _fresh(ids, taken), earlier, nearest.id if nearest else None)


def _fresh(ids: set[str], taken: set[str]) -> str:
    """Return an id made of the lessons' ids; another one where a proposal that went on elsewhere was born with it."""
    fresh = fingerprint(*sorted(ids), length=ID_LENGTH)
    while fresh in taken:
        fresh = fingerprint(fresh, *sorted(ids), length=ID_LENGTH)
    return fresh
