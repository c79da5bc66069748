"""Whether the rules can stand as they are worded: a reviewer should not have to mend them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from hardwon.generalizer.evaluation.clusters import Proposed
from hardwon.generalizer.evaluation.labelled import Causes
from hardwon.kernel.principle import is_normative, principle_problems


def rule_measures(proposals: Sequence[Proposed], causes: Causes, names: Iterable[str]) -> dict[str, float]:
    """Return the shares of proposals that have a rule, that say what to do, and that a reviewer could accept unread.

    The last are pure proposals whose rule has no problem that `principle_problems` knows, such as a project's name.
    """
    names = sorted(names)

    def share(wanted: Sequence[bool]) -> float:
        return fmean(wanted) if wanted else 0.0

    worded = [each for each in proposals if each.rule]
    return {
        "with a rule": share([bool(each.rule) for each in proposals]),
        "normative": share([is_normative(each.rule) for each in worded]),
        "worded without fault": share([not principle_problems(each.rule, names) for each in worded]),
        "acceptable as they stand": share(
            [
                bool(each.rule) and each.is_pure(causes) and not principle_problems(each.rule, names)
                for each in proposals
            ]
        ),
    }
