"""Merge: two rules that say one thing become one, which supersedes both and has the lessons of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.review.refinements import superseding
from hardwon.kernel.use_cases.review.targets import current_targets

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.use_cases.review.change import Change


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return the one rule, where the first of the two holds. Raises Conflict."""
    return superseding(home, proposal, words, current_targets(home, proposal)[0].scope)
