"""A new rule: its words, a link to every lesson, and what the user took out of its document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.review.change import Change, rule_id
from hardwon.kernel.use_cases.review.rules import edges, evidence, missing, new_rule
from hardwon.kernel.use_cases.rules.linking import unlinked_from

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return the rule and its edges. Raises Conflict when none of its lessons is left."""
    id = rule_id(proposal)
    unlinked = unlinked_from(home, [id])
    lessons = evidence(home, proposal, [each.id for each in proposal.instances if each.id not in unlinked])
    rule = new_rule(home, proposal, id, words, lessons)
    return Change(
        made=(rule,),
        asserted=edges(home, rule.id, lessons),
        rule=rule.id,
        before=proposal.proposed_rule,
        after=words,
        lessons=lessons,
        missing=tuple(id for id in missing(proposal, lessons) if id not in unlinked),
        groups=(tuple(lessons), *((id,) for id in proposal.left_out)),
    )
