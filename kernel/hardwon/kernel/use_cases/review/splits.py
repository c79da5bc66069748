"""Split: a rule whose lessons tell of two causes becomes a rule for each; both supersede it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.use_cases.review.change import Change, part_id
from hardwon.kernel.use_cases.review.rules import edges, evidence, missing, new_rule
from hardwon.kernel.use_cases.review.targets import current_targets, retired, successions
from hardwon.kernel.use_cases.rules.linking import unlinked_from

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Proposal


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return a rule a part. Raises Conflict, InvalidInput where one wording is given for several rules."""
    (target,) = current_targets(home, proposal)[:1]
    reworded = words != proposal.proposed_rule.strip()
    if reworded or len(proposal.parts) < 2 or not all(part.rule.strip() for part in proposal.parts):
        raise InvalidInput(
            f"{proposal.id} splits a rule into several, each with words of its own: write them under their headings in "
            f"its document, then `hardwon review accept {proposal.id}`."
        )
    unlinked = unlinked_from(home, [target.id])
    lessons = evidence(home, proposal, [each.id for each in proposal.instances if each.id not in unlinked])
    parts = [{id: lessons[id] for id in part.instances if id in lessons} for part in proposal.parts]
    if not all(parts):
        raise Conflict(
            f"A part of {proposal.id} has no lesson left; `hardwon review reject {proposal.id}`, or run "
            "`hardwon consolidate`."
        )
    made = [_rule(home, proposal, place, target, own) for place, own in enumerate(parts)]
    # At no moment do both the old rule and a new one stand, and at none neither.
    rules = tuple(rule.model_copy(update={"times": made[0].times}) for rule in made)
    to_lessons = [edge for rule, own in zip(rules, parts, strict=True) for edge in edges(home, rule.id, own)]
    return Change(
        made=rules,
        changed={target.id: retired(target, rules[0].times.asserted_at)},
        asserted=(*to_lessons, *successions(home, [rule.id for rule in rules], [target])),
        rule=rules[0].id,
        before=target.lesson.principle or target.content,
        after="\n".join(part.rule.strip() for part in proposal.parts),
        lessons=lessons,
        missing=missing(proposal, lessons),
        groups=(*(tuple(own) for own in parts if own), *((id,) for id in proposal.left_out)),
    )


def _rule(
    home: Home, proposal: Proposal, place: int, target: MemoryEntry, lessons: Mapping[str, MemoryEntry]
) -> MemoryEntry:
    part = proposal.parts[place]
    return new_rule(
        home,
        proposal,
        part_id(proposal, place),
        part.rule.strip(),
        lessons,
        translations=part.translations,
        scope=target.scope,
        topic=part.topic,
        own_words=False,
    )
