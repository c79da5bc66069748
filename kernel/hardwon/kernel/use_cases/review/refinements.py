"""Refine: a rule in better words. The new version is a rule of its own that supersedes the one that stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.use_cases.review.change import Change, rule_id
from hardwon.kernel.use_cases.review.rules import edges, evidence, missing, new_rule
from hardwon.kernel.use_cases.review.targets import current_targets, lessons_of, objections, retired, successions
from hardwon.kernel.use_cases.rules.linking import unlinked_from

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.scope import Scope


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return the new version, which takes over lessons and objections. Raises Conflict, InvalidInput."""
    (target,) = current_targets(home, proposal)[:1]
    if words == (target.lesson.principle or target.content).strip():
        raise InvalidInput(
            f"{target.id} says that already; `hardwon review rewrite {proposal.id}` with other words, or reject it."
        )
    return superseding(home, proposal, words, target.scope)


def superseding(home: Home, proposal: Proposal, words: str, scope: Scope) -> Change:
    """Return a new rule in these words and scope that supersedes every target and takes over what they stood on."""
    targets = current_targets(home, proposal)
    ids = list(dict.fromkeys([each for target in targets for each in lessons_of(home, target.id)]))
    ids += [each.id for each in proposal.instances if each.id not in ids]
    out = unlinked_from(home, [target.id for target in targets]).union(proposal.left_out)
    lessons = evidence(home, proposal, [id for id in ids if id not in out])
    first = targets[0]
    topic = proposal.topic or first.home_topic
    rule = new_rule(home, proposal, rule_id(proposal), words, lessons, scope=scope, topic=topic)
    kept = {name: getattr(first, name) for name in ("strength", "importance", "visibility", "channel")}
    situation = rule.lesson.situation or first.lesson.situation
    rule = rule.model_copy(update={**kept, "lesson": rule.lesson.model_copy(update={"situation": situation})})
    against = [edge for target in targets for edge in objections(home, rule.id, target.id)]
    return Change(
        made=(rule,),
        changed={target.id: retired(target, rule.times.asserted_at) for target in targets},
        asserted=(*edges(home, rule.id, lessons), *successions(home, [rule.id], targets), *against),
        rule=rule.id,
        before="\n".join(target.lesson.principle or target.content for target in targets),
        after=words,
        lessons=lessons,
        missing=missing(proposal, lessons),
        groups=(tuple(lessons), *((id,) for id in proposal.left_out)),
    )
