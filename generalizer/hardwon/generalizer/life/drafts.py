"""Drafts of changes, and which proposal each is: the same one night after night, and none that was turned down.

A change of a rule is known by its kind and by what it would change. One that was rejected, or that was accepted and
left the rule standing, comes back only with at least `GROWTH` pieces of evidence that it did not have then. A decision
counts even where the proposal's document is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.generalizer.continuity import GROWTH, ID_LENGTH
from hardwon.kernel.decision_order import standing
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.proposal import DECIDED, Action, Part, Proposal, ProposalKind, ProposalState, instance_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision
    from hardwon.kernel.scope import Scope

_EVIDENCE = "evidence"
"""The metadata key that lists, by id or by a word, what a change is proposed on."""


@dataclass(frozen=True)
class Draft:
    """A change of standing rules that the evidence asks for."""

    kind: ProposalKind
    targets: tuple[MemoryEntry, ...]
    rule: str
    """The words that would stand; of a retirement those that stand; empty where the user must find them."""
    rationale: str
    evidence: frozenset[str]
    """What it rests on: ids of lessons, and other things by a word and a number, such as `wrong 2`."""
    confidence: float
    confidence_parts: Mapping[str, float]
    suggested: Action
    instances: tuple[MemoryEntry, ...] = ()
    against: tuple[MemoryEntry, ...] = ()
    scope: Scope | None = None
    """Where it would hold; None: where the first target does."""
    topic: str = ""
    translations: Mapping[str, str] = field(default_factory=dict)
    situation: str = ""
    parts: tuple[Part, ...] = ()

    @property
    def name(self) -> tuple[str, ...]:
        """Return what makes it the same change again."""
        return (self.kind.value, *sorted(target.id for target in self.targets))


@dataclass(frozen=True)
class _Earlier:
    """What became of a proposal of the same change."""

    id: str
    evidence: frozenset[str]
    decided: bool


def as_proposal(
    draft: Draft, proposals: Sequence[Proposal], decisions: Sequence[Decision], now: datetime
) -> Proposal | None:
    """Return the proposal that a draft is; None where the user decided on it and no more evidence came since."""
    same = [each for each in proposals if _name(each) == draft.name]
    waiting = next((each for each in same if each.state is ProposalState.PENDING), None)
    decided = [each for each in _earlier(draft, same, decisions) if each.decided]
    seen: frozenset[str] = frozenset(piece for each in decided for piece in each.evidence)
    if decided and len(draft.evidence - seen) < GROWTH:
        return None
    withdrawn = [each for each in same if each.state is ProposalState.WITHDRAWN]
    earlier = waiting or (withdrawn[-1] if withdrawn else None)
    returns = max((each.id for each in decided), default=None)
    return Proposal(
        id=earlier.id if earlier else _fresh(draft, {*(each.id for each in proposals), *(each.id for each in decided)}),
        kind=draft.kind,
        rule=draft.rule,
        translations=dict(draft.translations),
        situation=draft.situation,
        rationale=draft.rationale + (f" Its evidence has grown since {returns} was decided." if returns else ""),
        topic=draft.topic or draft.targets[0].home_topic,
        scope=draft.scope or draft.targets[0].scope,
        instances=tuple(map(instance_of, draft.instances)),
        against=tuple(map(instance_of, draft.against)),
        targets=tuple(map(instance_of, draft.targets)),
        parts=draft.parts,
        confidence=draft.confidence,
        confidence_parts=dict(draft.confidence_parts),
        suggested_action=draft.suggested,
        created_at=earlier.created_at if earlier else now,
        metadata={_EVIDENCE: sorted(draft.evidence)} | ({"returns": returns} if returns else {}),
    )


def _name(proposal: Proposal) -> tuple[str, ...]:
    return (proposal.kind.value, *sorted(target.id for target in proposal.targets))


def _earlier(draft: Draft, same: Sequence[Proposal], decisions: Sequence[Decision]) -> list[_Earlier]:
    """Return what is known of this change: by its proposals, and by decisions on those whose documents are gone."""
    told = [
        _Earlier(each.id, frozenset(map(str, each.metadata.get(_EVIDENCE) or ())), each.state in DECIDED)
        for each in same
    ]
    known = {each.id for each in same}
    return told + [
        _Earlier(each.proposal, frozenset(each.revisions), decided=True)
        for each in standing(decisions)
        if each.proposal not in known and (each.kind.value, *sorted(each.targets)) == draft.name
    ]


def _fresh(draft: Draft, taken: set[str]) -> str:
    fresh = fingerprint(*draft.name, length=ID_LENGTH)
    while fresh in taken:
        fresh = fingerprint(fresh, *draft.name, length=ID_LENGTH)
    return fresh
