"""Fits the weights of the extractor to our own labelled sessions and writes them: python fit_weights.py.

A logistic regression over the features of every typed sentence; a sentence is a positive where it is part of a label's
quote, or holds one. Some 300 sentences are few for 60 features, so that it is told which of them can only speak for a
sentence and which only against it. scipy is needed here, and not where the weights are used. Run it after a change of
the features, of lexicon/ or of own.txt; a test says when that was forgotten.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy
from own_set import sessions

import hardwon.generalizer.extraction as extraction
from hardwon.generalizer.extraction.features import features
from hardwon.generalizer.extraction.typed import typed_sentences

STRENGTH = 1.0
"""Inverse of the regularisation."""
FOR = frozenset(
    re.findall(
        r"\w+",
        """remember lesson stated takes_back cause reason prohibition forbids contrast obligation preference use
        correction critique done_wrong only_done_wrong granted_objection quality workflow general decided place
        wants harm habit habitual costly environment declarative conceded in_the_middle refuses objection
        quality_objection rule_with_reason general_rule granted_question granted_rule refusal_rule
        quality_in_short quality_granted""",
    )
)
"""Features that can only speak for a sentence."""
LEAST = {
    "stated": 1.5, "takes_back": 1.2, "forbids": 0.8, "contrast": 0.8, "habitual": 0.6, "lesson": 0.5,
    "granted_objection": 0.5, "prohibition": 0.4,
    "obligation": 0.4, "rule_with_reason": 0.3, "correction": 0.2,
}  # fmt: skip
"""How much a feature speaks for a sentence at least: in the set, the agent mostly grants these at once."""
MOST = {"short": 0.5, "very_short": 0.2, "overturns": 0.3}
"""How much a feature may speak against a sentence at most: what people teach is short, as what they ask for is."""
TARGET = Path(extraction.__path__[0]) / "weights.toml"


def overlaps(sentence: str, quote: str) -> bool:
    """Tell whether one holds the other, whatever the signs between the words."""
    one, other = (re.sub(r"\W+", " ", text).strip().lower() for text in (sentence, quote))
    return bool(one) and (f" {one} " in f" {other} " or f" {other} " in f" {one} " or _in_chinese(one, other))


def _in_chinese(one: str, other: str) -> bool:
    tight = one.replace(" ", ""), other.replace(" ", "")
    return not one.isascii() and (tight[0] in tight[1] or tight[1] in tight[0])


def samples() -> tuple[list[dict[str, float]], list[bool]]:
    """Return the features of every typed sentence, and whether it teaches something."""
    rows, taught = [], []
    for labelled in sessions():
        turns = [each.turn for each in labelled]
        for number, each in enumerate(labelled):
            for typed in typed_sentences(turns, number):
                rows.append(features(typed))
                taught.append(any(overlaps(typed.passage.text, quote) for _, quote in each.labels))
    return rows, taught


def fit() -> dict[str, float]:
    """Return the weights, each feature's and the intercept."""
    from scipy.optimize import minimize

    rows, taught = samples()
    names = sorted(rows[0])
    matrix = numpy.array([[*(row[name] for name in names), 1.0] for row in rows])
    signs = numpy.where(taught, 1.0, -1.0)

    def loss(weights: numpy.ndarray) -> tuple[float, numpy.ndarray]:
        margins = signs * (matrix @ weights)
        held = numpy.append(weights[:-1], 0.0)
        slopes = -signs / (1 + numpy.exp(margins))
        return float(
            numpy.logaddexp(0, -margins).sum() + held @ held / 2 / STRENGTH
        ), matrix.T @ slopes + held / STRENGTH

    bounds = [
        (LEAST.get(name, 0), None) if name in FOR else (-MOST[name] if name in MOST else None, 0) for name in names
    ]
    found = minimize(loss, numpy.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    return {name: round(float(weight), 2) for name, weight in zip([*names, "intercept"], found.x, strict=True)}


def main() -> None:
    """Write weights.toml."""
    lines = [f"{name} = {weight}" for name, weight in fit().items()]
    heading = (
        "# Made by tests/generalizer/extraction/fit_weights.py from tests/data/capture/own.txt; not to be edited.\n\n"
    )
    TARGET.write_text(heading + "[weights]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{TARGET}: {len(lines)} weights\n")


if __name__ == "__main__":
    main()
