"""Hindsight: to which cause each lesson belongs, as far as that is known today, and what a reviewer decides by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.generalizer.continuity import SAME, overlap
from hardwon.generalizer.evaluation.clusters import Proposed
from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.proposal import Action, Proposal, ProposalKind, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import RelationKind

if TYPE_CHECKING:
    from hardwon.generalizer.evaluation.labelled import Causes
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

SHARED = 0.5
"""The share of a rule's lessons beyond which their cause is the rule's."""
MIXED = "It mixes causes."
RECORDED, LABELS, SUGGESTED = "recorded decisions", "labels", "suggestions"


@dataclass(frozen=True)
class Hindsight:
    """What is known at the end."""

    causes: Mapping[str, str | None]
    """By lesson id: its cause, None where it has none."""
    source: str
    """Where that comes from: RECORDED, LABELS or SUGGESTED."""
    accepted: Sequence[frozenset[str]] = field(default_factory=tuple)
    """The lessons of each proposal that the user accepted."""
    rejected: Sequence[frozenset[str]] = field(default_factory=tuple)

    @classmethod
    def of(cls, home: Home, lessons: Sequence[MemoryEntry], causes: Causes | None) -> Hindsight:
        """Return what the labels say, else the rules that stand, the decisions, and what would be proposed now."""
        if causes is not None:
            return cls(causes, LABELS)
        proposals = [each for each in home.queue.all() if each.kind is ProposalKind.NEW_RULE]
        accepted = _lessons_of(each for each in proposals if each.state is ProposalState.ACCEPTED)
        rejected = _lessons_of(each for each in proposals if each.state is ProposalState.REJECTED)
        found = {**_would_be_proposed(home, lessons, proposals), **_standing(home)}
        return cls(found, RECORDED if accepted or rejected else SUGGESTED, accepted, rejected)

    def cause_of(self, lessons: Iterable[str]) -> str | None:
        """Return the cause of more than half of some lessons; None where there is none."""
        known = [self.causes.get(id) for id in lessons]
        cause, count = Counter(known).most_common(1)[0]
        return cause if count > SHARED * len(known) else None

    def verdict(self, proposal: Proposal) -> Action:
        """Return what a reviewer makes of a proposal: what the user made of its like, else what is suggested.

        Where labels are known, only what is pure is accepted: whoever knows the causes turns down what mixes them.
        """
        lessons = {each.id for each in proposal.instances}
        if self.source == LABELS:
            pure = Proposed(tuple(sorted(lessons)), len(proposal.projects)).is_pure(self.causes)
            return Action.ACCEPT if pure else Action.REJECT
        if any(overlap(lessons, each) > SAME for each in self.accepted):
            return Action.ACCEPT
        if any(overlap(lessons, each) > SAME for each in self.rejected):
            return Action.REJECT
        return proposal.suggested_action

    def reason_to_reject(self, proposal: Proposal) -> str:
        """Return why a reviewer who knows the causes turns a proposal down: so its parts may be proposed again."""
        is_part = self.source == LABELS and any(self.causes.get(each.id) for each in proposal.instances)
        return MIXED if is_part else ""


def _lessons_of(proposals: Iterable[Proposal]) -> list[frozenset[str]]:
    return [frozenset(each.id for each in proposal.instances) for proposal in proposals]


def _standing(home: Home) -> dict[str, str | None]:
    """Return by lesson the standing rule that generalizes it."""
    found: dict[str, str | None] = {}
    for rule in home.storage.memories.scan(Filter(kinds=(Kind.RULE,))):
        if rule.status is Status.ARCHIVED:
            continue
        edges = home.storage.memories.relations(rule.id)
        found |= {
            edge.target: rule.id for edge in edges if edge.kind is RelationKind.GENERALIZES and edge.source == rule.id
        }
    return found


def _would_be_proposed(
    home: Home, lessons: Sequence[MemoryEntry], proposals: Sequence[Proposal]
) -> dict[str, str | None]:
    """Return by lesson the proposal that would be suggested for acceptance now."""
    rules = list(home.storage.memories.scan(Filter(kinds=(Kind.RULE,))))
    proposed = home.generalizer.propose(lessons, rules, proposals, home.storage.ledger.decisions())
    return {
        instance.id: proposal.id
        for proposal in proposed
        if proposal.suggested_action is Action.ACCEPT
        for instance in proposal.instances
    }
