"""Rules that fail: proposed for retirement, for better words or for fewer places, by what their failing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.generalizer.life.drafts import Draft
from hardwon.generalizer.life.places import separating_place, told_place
from hardwon.kernel.counting import counted
from hardwon.kernel.proposal import Action, ProposalKind
from hardwon.kernel.use_cases.rules.health import Condition

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.rules.backing import Backing
    from hardwon.kernel.use_cases.rules.health import Health

OBJECTIONS = 2
"""Lessons against a rule from which on it is asked where it holds: one may be an accident."""


def narrowing(backing: Backing) -> Draft | None:
    """Return that a rule holds in fewer places: what speaks against it comes from where none of its lessons does."""
    place = separating_place(backing.lessons, backing.against) if len(backing.against) >= OBJECTIONS else None
    if place is None or place == backing.rule.scope.applies_when:
        return None
    rule = backing.rule
    share = len(backing.against) / (len(backing.against) + len(backing.lessons))
    return Draft(
        kind=ProposalKind.NARROW,
        targets=(rule,),
        rule=(rule.lesson.principle or rule.content).strip(),
        rationale=(
            f"{counted(len(backing.against), 'lesson')} speak against it, none of them {told_place(place)}, where all "
            f"{len(backing.lessons)} of its own come from. It would hold there alone; its words stay."
        ),
        evidence=frozenset(each.id for each in backing.against),
        confidence=round(1 - share, 3),
        confidence_parts={"for": round(1 - share, 3), "against": round(share, 3)},
        suggested=Action.ACCEPT,
        instances=backing.lessons,
        against=backing.against,
        scope=rule.scope.model_copy(update={"applies_when": place}),
    )


def mending(backing: Backing, health: Health) -> Draft | None:
    """Return what a failing rule needs: other words where it was shown and did not help, else an end."""
    if health.condition is not Condition.FAILING:
        return None
    harm = len(health.against) + len(health.not_prevented) + health.wrong
    ineffective = 2 * len(health.not_prevented) > harm
    rule = backing.rule
    share = harm / (harm + len(backing.lessons) + health.useful + health.followed)
    missed = [each for each in backing.lessons if each.id in health.not_prevented]
    return Draft(
        kind=ProposalKind.REFINE if ineffective else ProposalKind.RETIRE,
        targets=(rule,),
        rule="" if ineffective else (rule.lesson.principle or rule.content).strip(),
        rationale=_told(health, ineffective=ineffective),
        evidence=frozenset(
            [*health.against, *health.not_prevented, *(f"wrong {place}" for place in range(health.wrong))]
        ),
        confidence=round(share, 3),
        confidence_parts={"harm": round(share, 3)},
        suggested=Action.REWRITE if ineffective else Action.ACCEPT,
        instances=tuple(missed) if ineffective else backing.lessons,
        against=backing.against,
        situation=rule.lesson.situation or "",
    )


def _told(health: Health, *, ineffective: bool) -> str:
    """Return what speaks for the change; how often the rule was shown is left out, since it changes every day."""
    parts = []
    if health.not_prevented:
        parts.append(f"it happened {counted(len(health.not_prevented), 'time')} where it had been shown")
    if health.against:
        parts.append(f"{counted(len(health.against), 'lesson')} speak against it")
    if health.wrong:
        parts.append(f"it was called wrong in {counted(health.wrong, 'session')}")
    if health.useful or health.followed:
        parts.append(f"it was found useful or followed in {counted(health.useful + health.followed, 'session')}")
    advice = (
        "It is true and does not help: say it so that it is acted upon, and for which tasks."
        if ineffective
        else "Retired, it is shown no more and stays in the archive with its lessons."
    )
    return f"Of this rule, {', '.join(parts)}. {advice}"
