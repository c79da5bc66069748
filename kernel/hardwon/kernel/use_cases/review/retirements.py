"""Retire: a rule that does more harm than good is archived. Its text, its links and its history stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.use_cases.review.change import Change
from hardwon.kernel.use_cases.review.targets import current_targets, retired

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return the end of the rule. Raises Conflict, InvalidInput for words, which nothing would have."""
    (target,) = current_targets(home, proposal)[:1]
    if words != proposal.proposed_rule.strip():
        raise InvalidInput(
            f"{proposal.id} would retire a rule, so no words are needed: accept it, or reject it and change the rule "
            f"with `hardwon edit {target.id}`."
        )
    return Change(
        changed={target.id: retired(target, home.clock.now())},
        rule=target.id,
        before=target.lesson.principle or target.content,
        lessons=home.storage.memories.get([each.id for each in (*proposal.instances, *proposal.against)]),
    )
