"""What sort of memory a typed sentence is: lesson, decision, preference or fact."""

from __future__ import annotations

from collections.abc import Mapping

from hardwon.kernel.memory import Kind


def kind_of(features: Mapping[str, float]) -> Kind:
    """Return the kind with the most signs; of equal ones a preference, since most of what people teach is one."""
    signs = {
        Kind.PREFERENCE: _preference(features),
        Kind.FACT: _fact(features),
        Kind.DECISION: _decision(features),
        Kind.LESSON: _lesson(features),
    }
    return max(signs, key=lambda kind: signs[kind])


def _preference(features: Mapping[str, float]) -> float:
    return (
        1.0
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
