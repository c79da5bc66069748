"""The kinds of proposals, each with what plans its acceptance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.proposal import ProposalKind
from hardwon.kernel.use_cases.review import merges, narrowings, new_rules, refinements, retirements, settlements, splits
from hardwon.kernel.use_cases.review.change import Change

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal

    Plan = Callable[[Home, Proposal, str], Change]
    """Return what accepting the proposal in these words would write. Raises Conflict, InvalidInput."""

PLANS: Mapping[ProposalKind, Plan] = {
    ProposalKind.NEW_RULE: new_rules.plan,
    ProposalKind.REFINE: refinements.plan,
    ProposalKind.MERGE: merges.plan,
    ProposalKind.SPLIT: splits.plan,
    ProposalKind.NARROW: narrowings.plan,
    ProposalKind.RETIRE: retirements.plan,
    ProposalKind.SETTLE: settlements.plan,
}
REJECTIONS: Mapping[ProposalKind, Callable[[Home, Proposal], Change]] = {
    ProposalKind.SETTLE: settlements.plan_rejection,
}
"""Where turning a proposal down changes something too."""
QUOTING = (ProposalKind.SETTLE,)
"""Proposals that quote memories: a decision, which is kept for ever, names these by id, since they may be forgotten."""


def plan_of(home: Home, proposal: Proposal, words: str) -> Change:
    """Return what accepting the proposal in these words would write. Raises Conflict, InvalidInput."""
    plan = PLANS.get(proposal.kind)
    if plan is None:
        raise InvalidInput(
            f"This hardwon cannot carry out a proposal of the kind {proposal.kind}; reject {proposal.id}."
        )
    return plan(home, proposal, words)


def rejection_of(home: Home, proposal: Proposal) -> Change:
    """Return what turning the proposal down would write; mostly nothing."""
    plan = REJECTIONS.get(proposal.kind)
    return Change() if plan is None else plan(home, proposal)
