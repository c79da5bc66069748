"""Continuity: a proposal is the same proposal the next night, and a rejected one stays away.

A new cluster and an earlier proposal are the same when they share more than half of the smaller one's lessons; the best
matches are made first, so that one proposal continues in one cluster. What was rejected comes back only with at least
`GROWTH` lessons that no rejected proposal of it had, unless it was rejected for mixing causes: a part of it is another
proposal (ties.py). A rule that was accepted is not proposed again, nor are lessons that came to it since. A decision
counts even where the proposal's document is lost or cannot be read. What changes a rule has a continuity of its own
(life/drafts.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from hardwon.generalizer.ties import rejected_as_mixed
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import DECIDED, Action, Decision, Proposal, ProposalKind, ProposalState

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


@dataclass(frozen=True)
class _Verdict:
    """What was decided about these lessons."""

    proposal: str
    lessons: frozenset[str]
    accepted: bool


def overlap(one: Set[str], other: Set[str]) -> float:
    """Return the share of the smaller set that both have (Szymkiewicz-Simpson), 0–1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def continue_proposals(
    clusters: Sequence[Sequence[MemoryEntry]],
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision] = (),
    ruled: Iterable[Set[str]] = (),
) -> list[Continued | None]:
    """Return, for each cluster in order, which proposal it is; None where it must not be proposed again.

    `decisions` are all that were made, oldest first; `ruled` are the lessons behind each rule that stands.
    """
    members = [{lesson.id for lesson in cluster} for cluster in clusters]
    pending = _pair(members, [each for each in proposals if each.state is ProposalState.PENDING and _is_new(each)])
    verdicts = [*_verdicts(proposals, decisions), *(_Verdict("", frozenset(each), accepted=True) for each in ruled)]
    waiting = {each.id for each in proposals if each.state is ProposalState.PENDING}
    taken = waiting | {verdict.proposal for verdict in verdicts}
    mixed = {each.proposal for each in rejected_as_mixed(decisions)}
    verdicts = [verdict for verdict in verdicts if verdict.accepted or verdict.proposal not in mixed]
    return [_continued(ids, pending.get(place), verdicts, taken) for place, ids in enumerate(members)]


def _lessons(proposal: Proposal) -> set[str]:
    return {instance.id for instance in (*proposal.instances, *proposal.against)}


def _verdicts(proposals: Sequence[Proposal], decisions: Sequence[Decision]) -> list[_Verdict]:
    """Return what stands decided, by the proposals, and by the last decision on those that are not among them."""
    told = [
        _Verdict(each.id, frozenset(_lessons(each)), each.state is ProposalState.ACCEPTED)
        for each in proposals
        if each.state in DECIDED and (_is_new(each) or each.state is ProposalState.ACCEPTED)
    ]
    known = {each.id for each in proposals}
    last = {each.proposal: each for each in decisions if each.proposal not in known}
    accepting = (Action.ACCEPT, Action.REWRITE)
    return told + [
        _Verdict(each.proposal, frozenset(each.revisions), each.action in accepting)
        for each in last.values()
        if each.action in accepting or (each.action == Action.REJECT and _is_new(each))
    ]


def _is_new(each: Proposal | Decision) -> bool:
    """Tell whether it is about a new rule: what was decided on a change of one says nothing against its lessons."""
    return each.kind is ProposalKind.NEW_RULE


def _pair(members: Sequence[set[str]], pending: Sequence[Proposal]) -> dict[int, Proposal]:
    """Pair clusters with pending proposals, best overlap first, each used once; ties hang on ids, never on order."""
    covered = [_lessons(proposal) for proposal in pending]
    by_lesson: dict[str, set[int]] = defaultdict(set)
    for known, lessons in enumerate(covered):
        for lesson in lessons:
            by_lesson[lesson].add(known)
    scored = sorted(
        (-share, -len(ids & covered[known]), pending[known].id, min(ids), place, known)
        for place, ids in enumerate(members)
        for known in set[int]().union(*(by_lesson[id] for id in ids if id in by_lesson))
        if (share := overlap(ids, covered[known])) > SAME
    )
    pairs: dict[int, Proposal] = {}
    used: set[int] = set()
    for *_, place, known in scored:
        if place not in pairs and known not in used:
            pairs[place] = pending[known]
            used.add(known)
    return pairs


def _continued(
    ids: set[str], earlier: Proposal | None, verdicts: Sequence[_Verdict], taken: set[str]
) -> Continued | None:
    same = [each for each in verdicts if overlap(ids, each.lessons) > SAME]
    if any(each.accepted for each in same):
        return None
    if same and len(ids.difference(*(each.lessons for each in same))) < GROWTH:
        return None
    nearest = max(same, key=lambda each: (len(ids & each.lessons), each.proposal), default=None)
    return Continued(earlier.id if earlier else _fresh(ids, taken), earlier, nearest.proposal if nearest else None)


def _fresh(ids: set[str], taken: set[str]) -> str:
    """Return an id made of the lessons' ids; another one where a proposal that went on elsewhere was born with it."""
    fresh = fingerprint(*sorted(ids), length=ID_LENGTH)
    while fresh in taken:
        fresh = fingerprint(fresh, *sorted(ids), length=ID_LENGTH)
    return fresh
