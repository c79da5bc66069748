"""Brings the review queue up to date: proposals come, are refreshed and go; what a person decided or worded stays.

The queue takes them as changes to its present state, so what people did while the generalizer thought wins.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hardwon.kernel.proposal import DECIDED, STOOD, Proposal, ProposalState
from hardwon.kernel.use_cases.consolidating.material import generalized

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.material import Material

DRIFT = 0.02
"""By how much a confidence and its parts may move before a pending proposal is brought up to date for it alone."""


@dataclass(frozen=True)
class QueueChanges:
    """What is to be done to the queue as it stands."""

    added: tuple[Proposal, ...]
    refreshed: tuple[Proposal, ...]
    withdrawn: tuple[Proposal, ...]

    def __bool__(self) -> bool:
        """Tell whether there is anything to do."""
        return bool(self.added or self.refreshed or self.withdrawn)

    def __str__(self) -> str:
        """Say how many of each there are."""
        counts = {"new": self.added, "refreshed": self.refreshed, "withdrawn": self.withdrawn}
        return ", ".join(f"{len(some)} {word}" for word, some in counts.items() if some)


def changes_between(
    proposals: Sequence[Proposal], standing: Sequence[Proposal], looked_at: Collection[str]
) -> QueueChanges:
    """Return what makes the queue hold these proposals; what a person decided or worded stays.

    Only what the generalizer looked at can be withdrawn: of others nobody knows yet whether they have evidence.
    """
    pending = {each.id: each for each in standing if each.state is ProposalState.PENDING}
    decided = {each.id for each in standing if each.state in DECIDED}
    gone = set(looked_at).difference(each.id for each in proposals)
    return QueueChanges(
        added=tuple(each for each in proposals if each.id not in pending and each.id not in decided),
        refreshed=tuple(each for each in proposals if each.id in pending and _differs(each, pending[each.id])),
        withdrawn=tuple(each for id, each in pending.items() if id in gone and not _is_kept(each)),
    )


def _is_kept(proposal: Proposal) -> bool:
    """Tell whether only the user may end it: they worded it, or were accepting it when that was cut off.

    What a cut off acceptance changed is put back when they decide anew.
    """
    return proposal.edited or STOOD in proposal.metadata


@dataclass(frozen=True)
class Applied:
    """What was changed in the queue."""

    changes: QueueChanges
    standing: tuple[Proposal, ...] | None
    """The generalizer's proposals as they stand now; None where people changed some since they were read."""


def apply_to_queue(home: Home, proposals: Sequence[Proposal], material: Material) -> Applied:
    """Change the queue as it stands now, since people decide and edit meanwhile."""
    looked_at = {each.id for each in material.proposals}
    foreseen = changes_between(proposals, material.proposals, looked_at)
    if not foreseen:
        return Applied(foreseen, material.proposals)
    with home.storage.operation(f"Consolidate {len(material.lessons)} lessons: {foreseen} proposals"):
        before = tuple(generalized(home))
        changes = changes_between(proposals, before, looked_at)
        home.queue.add([*changes.added, *changes.refreshed])
        for proposal in changes.withdrawn:
            home.queue.settle(proposal.model_copy(update={"state": ProposalState.WITHDRAWN}))
        after = generalized(home)
    now = {each.id for each in after}
    changes = replace(changes, added=tuple(each for each in changes.added if each.id in now))
    return Applied(changes, tuple(after) if before == material.proposals else None)


def _differs(fresh: Proposal, known: Proposal) -> bool:
    """Tell whether the generalizer would say something new; what others made of its words, and a drift, is nothing new.

    Each lesson that comes or goes shifts every confidence a little, which is no reason to write every document again.
    """
    before, fresh = known.generalized, fresh.leaving_out(known.left_out)
    parts, parts_before = fresh.confidence_parts, before.confidence_parts
    moves = [abs(fresh.confidence - before.confidence)]
    moves += [abs(value - parts_before[name]) for name, value in parts.items() if name in parts_before]
    if parts.keys() == parts_before.keys() and max(moves) < DRIFT:
        before = before.model_copy(update={"confidence": fresh.confidence, "confidence_parts": fresh.confidence_parts})
    return fresh != before
