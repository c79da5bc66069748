"""Whether the rules can stand as they are worded: a reviewer should not have to mend them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from statistics import fmean

from hardwon.generalizer.evaluation.clusters import Proposed
from hardwon.generalizer.evaluation.labelled import Causes
from hardwon.kernel.principle import is_normative, principle_problems


def rule_measures(proposals: Sequence[Proposed], causes: Causes, is_sound: Callable[[str], bool]) -> dict[str, float]:
    """Return the shares of proposals that have a rule, that say what to do, and that a reviewer could accept unread.

    The last are pure proposals whose rule `is_sound`. Of the wording nothing is said where no proposal has a rule.
    """
    if not proposals:
        return {}
    worded = [each for each in proposals if each.rule]
    measures = {
        "with a rule": fmean(bool(each.rule) for each in proposals),
        "acceptable as they stand": fmean(
            bool(each.rule) and each.is_pure(causes) and is_sound(each.rule) for each in proposals
        ),
    }
    if worded:
        measures["normative"] = fmean(is_normative(each.rule) for each in worded)
        measures["worded without fault"] = fmean(is_sound(each.rule) for each in worded)
    return measures


def soundness(names: Iterable[str]) -> Callable[[str], bool]:
    """Return what tells whether a rule has no problem that `principle_problems` knows, such as one of these names.

    It remembers what it told: an interval asks hundreds of times.
    """
    known = sorted(names)

    @cache
    def is_sound(rule: str) -> bool:
        return not principle_problems(rule, known)

    return is_sound
