"""Fits the weights of the extractor to our own labelled sessions and writes them: python fit_weights.py.

A logistic regression over the features of every typed sentence; a sentence is a positive where it is part of a label's
quote, or holds one. scikit-learn is needed here, and not where the weights are used. Run it after a change of the
features, of lexicon.toml or of own.txt; a test says when that was forgotten.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy
from own_set import sessions

import hardwon.generalizer.extraction as extraction
from hardwon.generalizer.extraction.features import features, typed_sentences

STRENGTH = 1.0
"""Inverse of the regularisation: 0.3 to 3 make no difference in ten-fold cross-validation."""
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
    from sklearn.linear_model import LogisticRegression

    rows, taught = samples()
    names = sorted(rows[0])
    matrix = numpy.array([[row[name] for name in names] for row in rows])
    model = LogisticRegression(C=STRENGTH, max_iter=5_000).fit(matrix, taught)
    weights = {name: round(float(weight), 2) for name, weight in zip(names, model.coef_[0], strict=True)}
    return {"intercept": round(float(model.intercept_[0]), 2)} | weights


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
