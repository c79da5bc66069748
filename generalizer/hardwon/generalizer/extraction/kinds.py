"""What sort of memory a typed sentence is: lesson, decision, preference or fact.

Fitted weights, and beside them signs that were set by hand: together they are right more often than either, on sessions
that the weights do not know.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardwon.generalizer.extraction.judgement import TAUGHT, kind_total
from hardwon.kernel.memory import Kind

SIGNS = 0.6
"""How much the signs count beside the weights."""


def kind_of(features: Mapping[str, float]) -> Kind:
    """Return the likeliest kind; whoever announces a lesson means one."""
    if features["lesson"] and not features["question"]:
        return Kind.LESSON
    return max(TAUGHT, key=lambda kind: kind_total(kind, features) + by_hand_signs(kind, features))


def by_hand_signs(kind: Kind, features: Mapping[str, float]) -> float:
    """Return what the signs that were set by hand add for a kind."""
    return SIGNS * _BY_HAND[kind](features)


def _preference(features: Mapping[str, float]) -> float:
    """Return the signs of a preference; it begins ahead, since most of what people teach is one."""
    return (
        0.5
        + features["prohibition"]
        + 0.5 * features["contrast"]
        + features["objection"]
        + 0.5 * features["correction"]
        + 0.5 * features["preference"]
        + 0.5 * features["quality"]
        + 0.3 * features["in_the_middle"]
    )


def _fact(features: Mapping[str, float]) -> float:
    return (
        2 * features["environment"]
        + 1.2 * features["declarative"]
        + 0.7 * features["habitual"]
        + 2.2 * features["place"]
        + 0.5 * features["general"]
        + 0.5 * features["reason"]
        - features["question"]
    )


def _decision(features: Mapping[str, float]) -> float:
    weighed = 0.5 * features["reason"] + 0.3 * features["hedge"]
    return 3 * features["decided"] + 2.2 * features["wants"] + weighed - 0.5 * features["prohibition"]


def _lesson(features: Mapping[str, float]) -> float:
    told = 0.5 * features["trouble"] + 2 * features["only_trouble"]
    complains = 0.5 * features["done_wrong"] + 2 * features["only_done_wrong"] + 1.5 * features["granted_objection"]
    learned = 3 * features["lesson"] + 3.5 * features["costly"]
    return learned + features["cause"] + told + complains - 0.5 * features["question"]


_BY_HAND = {
    Kind.LESSON: _lesson,
    Kind.DECISION: _decision,
    Kind.PREFERENCE: _preference,
    Kind.FACT: _fact,
}
