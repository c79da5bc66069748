"""A new rule: its words, a link to every lesson, and what the user took out of its document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.review.change import Change, rule_id
from hardwon.kernel.use_cases.review.rules import edges, evidence, missing, new_rule

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return the rule and its edges. Raises Conflict when none of its lessons is left."""
    lessons = evidence(home, proposal)
    rule = new_rule(home, proposal, rule_id(proposal), words, lessons)
    return Change(
        made=(rule,),
        asserted=edges(home, rule.id, lessons),
        rule=rule.id,
        before=proposal.proposed_rule,
        after=words,
        lessons=lessons,
        missing=missing(proposal, lessons),
        groups=(tuple(lessons), *((id,) for id in proposal.left_out)),
    )
