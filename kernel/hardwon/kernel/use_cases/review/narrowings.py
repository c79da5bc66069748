"""Narrow: a rule that is spoken against only in some places holds in the others; its words stay, and so does its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.use_cases.review.change import Change
from hardwon.kernel.use_cases.review.refinements import superseding
from hardwon.kernel.use_cases.review.rules import evidence, missing
from hardwon.kernel.use_cases.review.targets import current_targets

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return the rule's new scope; in other words, a new version with that scope. Raises Conflict, InvalidInput."""
    (target,) = current_targets(home, proposal)[:1]
    if words != proposal.proposed_rule:
        return superseding(home, proposal, words, proposal.scope)
    if proposal.scope == target.scope:
        raise InvalidInput(f"{target.id} holds there already; reject {proposal.id}, or edit where it is to hold.")
    lessons = evidence(home, proposal)
    return Change(
        changed={target.id: {"scope": proposal.scope}},
        rule=target.id,
        before=target.lesson.principle or target.content,
        after=words,
        lessons=lessons,
        missing=missing(proposal, lessons),
    )
