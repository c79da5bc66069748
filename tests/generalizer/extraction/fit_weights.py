"""Fits the weights of the extractor to our own labelled sessions and writes them: python fit_weights.py [--validate].

Two logistic regressions, over the features of every typed sentence and of every sentence of the agent's; a sentence is
a positive where it is part of a label's quote, or holds one. And one over the kinds of the typed positives. A thousand
sentences are few for a hundred features, so that they are held near to 0, and the first is told which of them can only
speak for a sentence and which only against it. scipy is needed here, and not where the weights are used. Run it after a
change of the features, of lexicon/ or of the sets; a test says when that was forgotten.

--validate writes nothing: it fits to seven eighths of the sessions at a time and prints how the rest is judged.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from own_set import PATHS, LabelledTurn, sessions

import hardwon.generalizer.extraction as extraction
from hardwon.generalizer.extraction.features import features
from hardwon.generalizer.extraction.judgement import TAUGHT
from hardwon.generalizer.extraction.kinds import by_hand_signs
from hardwon.generalizer.extraction.told import told_features, told_sentences
from hardwon.generalizer.extraction.typed import typed_sentences
from hardwon.kernel.session import Turn

STRENGTH = {"typed": 0.3, "told": 0.3, "kind": 0.1}
"""Inverse of the regularisation, chosen by --validate."""
AGAINST = frozenset(
    re.findall(
        r"\w+",
        """asking asks_for_fact bare_objection explained explained_question formal hedge message_pasted named no_rule
        now only_asking only_status only_task only_trouble overturns pasted plain_question question reproach_answered
        reviews several_sentences short specification status task textbook tiny trouble unsure very_short weighing
        delivered delivered_task states long curt""",
    )
)
"""Features that can only speak against a typed sentence; all others can only speak for it."""
LEAST = {
    "stated": 1.5, "takes_back": 1.2, "forbids": 0.8, "contrast": 0.8, "habitual": 0.6, "lesson": 0.5,
    "granted_objection": 0.5, "prohibition": 0.4,
    "obligation": 0.4, "rule_with_reason": 0.3, "correction": 0.2,
}  # fmt: skip
"""How much a feature speaks for a sentence at least: in the sets, the agent mostly grants these at once."""
MOST = {"short": 0.5, "very_short": 0.2, "overturns": 0.3}
"""How much a feature may speak against a sentence at most: what people teach is short, as what they ask for is."""
MEETING = frozenset({"absolute", "aside", "bare_rule", "bound", "others", "spliced"})
"""Features that say nothing by themselves, only where they meet others."""
FOLDS = 8
TARGET = Path(extraction.__path__[0]) / "weights.toml"
Array = numpy.ndarray


@dataclass
class Samples:
    """Sentences of the sets, a row each."""

    rows: list[dict[str, float]] = field(default_factory=list)
    taught: list[str] = field(default_factory=list)
    """The kind of what it teaches; empty where it teaches nothing."""
    sessions: list[int] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return sorted(self.rows[0])

    @property
    def matrix(self) -> Array:
        return numpy.array([[*(row[name] for name in self.names), 1.0] for row in self.rows])


def overlaps(sentence: str, quote: str) -> bool:
    """Tell whether one holds the other, whatever the signs between the words."""
    one, other = (re.sub(r"\W+", " ", text).strip().lower() for text in (sentence, quote))
    return bool(one) and (f" {one} " in f" {other} " or f" {other} " in f" {one} " or _in_chinese(one, other))


def _in_chinese(one: str, other: str) -> bool:
    tight = one.replace(" ", ""), other.replace(" ", "")
    return not one.isascii() and (tight[0] in tight[1] or tight[1] in tight[0])


def _typed(turns: list[Turn], number: int) -> Iterator[tuple[str, dict[str, float]]]:
    for typed in typed_sentences(turns, number):
        yield typed.passage.text, features(typed)


def _told(turns: list[Turn], number: int) -> Iterator[tuple[str, dict[str, float]]]:
    for told in told_sentences(turns, number):
        yield told.text, told_features(told)


def samples(of: Callable[[list[Turn], int], Iterator[tuple[str, dict[str, float]]]]) -> Samples:
    """Return the features of every sentence of a speaker, and what it teaches."""
    found = Samples()
    for session, labelled in enumerate(each for path in PATHS for each in sessions(path)):
        turns = [each.turn for each in labelled]
        for number, each in enumerate(labelled):
            for sentence, row in of(turns, number):
                found.rows.append(row)
                found.taught.append(_kind_taught(each, sentence))
                found.sessions.append(session)
                found.turns.append(each.turn.id)
    return found


def _kind_taught(labelled: LabelledTurn, sentence: str) -> str:
    return next((kind for kind, quote in labelled.labels if overlaps(sentence, quote)), "")


def _bounds(names: list[str]) -> list[tuple[float | None, float | None]]:
    return [
        (0, 0)
        if name in MEETING
        else (-MOST[name] if name in MOST else None, 0)
        if name in AGAINST
        else (LEAST.get(name, 0), None)
        for name in names
    ]


def fit_one(matrix: Array, taught: Array, strength: float, bounds: list[tuple[float | None, float | None]]) -> Array:
    """Return the weights of a logistic regression, the intercept last."""
    from scipy.optimize import minimize

    signs = numpy.where(taught, 1.0, -1.0)

    def loss(weights: Array) -> tuple[float, Array]:
        margins = numpy.clip(signs * (matrix @ weights), -500, 500)
        held = numpy.append(weights[:-1], 0.0)
        slopes = -signs / (1 + numpy.exp(margins))
        value = numpy.logaddexp(0, -margins).sum() + held @ held / 2 / strength
        return float(value), matrix.T @ slopes + held / strength

    start = numpy.zeros(matrix.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x


def fit_kinds(matrix: Array, kinds: Array) -> Array:
    """Return the weights of a multinomial regression, a column for each kind."""
    from scipy.optimize import minimize

    strength, chosen = STRENGTH["kind"], numpy.array([[kind == each.value for each in TAUGHT] for kind in kinds], float)
    shape = (matrix.shape[1], len(TAUGHT))

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(shape)
        held = weights.copy()
        held[-1] = 0
        totals = matrix @ weights
        logs = totals - numpy.logaddexp.reduce(totals, axis=1, keepdims=True)
        value = -(chosen * logs).sum() + (held**2).sum() / 2 / strength
        return float(value), (matrix.T @ (numpy.exp(logs) - chosen) + held / strength).ravel()

    return minimize(loss, numpy.zeros(shape).ravel(), jac=True, method="L-BFGS-B").x.reshape(shape)


def _bounds_of(speaker: str, names: list[str]) -> list[tuple[float | None, float | None]]:
    return _bounds(names) if speaker == "typed" else [(None, None)] * len(names)


def fit() -> dict[str, dict[str, float]]:
    """Return the weights by their tables, each feature's and the intercept."""
    found, tables = {"typed": samples(_typed), "told": samples(_told)}, {}
    for speaker, those in found.items():
        taught = numpy.array([bool(each) for each in those.taught])
        weights = fit_one(those.matrix, taught, STRENGTH[speaker], _bounds_of(speaker, those.names))
        tables[speaker] = _table(those.names, weights)
    typed = found["typed"]
    positive = numpy.array([bool(each) for each in typed.taught])
    kinds = fit_kinds(typed.matrix[positive], numpy.array(typed.taught)[positive])
    return tables | {kind.value: _table(typed.names, kinds[:, place]) for place, kind in enumerate(TAUGHT)}


def _table(names: list[str], weights: Array) -> dict[str, float]:
    return {name: round(float(weight), 2) for name, weight in zip([*names, "intercept"], weights, strict=True)}


def validate() -> Iterator[str]:
    """Walk lines that say how each session is judged by weights that do not know it."""
    for speaker, those in (("typed", samples(_typed)), ("told", samples(_told))):
        yield from _figures(speaker, those, _crossed(speaker, those))
        if speaker == "typed":
            yield f"kind right: {_kinds_right(those):.2f}"


def _crossed(speaker: str, those: Samples) -> Array:
    """Return how likely each sentence is held to teach, by weights fitted to the other folds."""
    taught, matrix, bounds = numpy.array(those.taught) != "", those.matrix, _bounds_of(speaker, those.names)
    likely = numpy.zeros(len(taught))
    for other in _folds(those):
        weights = fit_one(matrix[~other], taught[~other], STRENGTH[speaker], bounds)
        likely[other] = 1 / (1 + numpy.exp(-matrix[other] @ weights))
    return likely


def _kinds_right(those: Samples) -> float:
    """Return the share of what teaches whose kind is told right, by weights of the other folds and the signs."""
    taught, matrix = numpy.array(those.taught), those.matrix
    signs = numpy.array([[by_hand_signs(kind, row) for kind in TAUGHT] for row in those.rows])
    right = 0
    for fold in _folds(those):
        known, other = ~fold & (taught != ""), fold & (taught != "")
        totals = matrix[other] @ fit_kinds(matrix[known], taught[known]) + signs[other]
        right += sum(
            TAUGHT[place].value == kind for place, kind in zip(totals.argmax(axis=1), taught[other], strict=True)
        )
    return right / int((taught != "").sum())


def _folds(those: Samples) -> Iterator[Array]:
    for one in range(FOLDS):
        yield numpy.array(those.sessions) % FOLDS == one


def _figures(speaker: str, those: Samples, likely: Array) -> Iterator[str]:
    """Walk lines of precision and recall where the best sentence of each turn is taken."""
    best: dict[str, int] = {}
    for row, turn in enumerate(those.turns):
        if turn not in best or likely[row] > likely[best[turn]]:
            best[turn] = row
    rows = numpy.array([*best.values()])
    right = numpy.array([bool(those.taught[row]) for row in rows])
    turns = len({turn for turn, taught in zip(those.turns, those.taught, strict=True) if taught})
    for threshold in (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6):
        taken = likely[rows] >= threshold
        precision, recall = right[taken].mean(), right[taken].sum() / turns
        yield f"{speaker} at {threshold}: precision {precision:.2f}, recall {recall:.2f} of {turns} turns"


def main() -> None:
    """Write weights.toml, or validate."""
    if "--validate" in sys.argv:
        sys.stdout.writelines(f"{line}\n" for line in validate())
        return
    parts = ["# Made by tests/generalizer/extraction/fit_weights.py from tests/data/capture/; not to be edited.\n"]
    for table, weights in fit().items():
        parts.append("\n".join([f"\n[{table}]", *(f"{name} = {weight}" for name, weight in weights.items()), ""]))
    TARGET.write_text("".join(parts), encoding="utf-8")
    sys.stdout.write(f"{TARGET}: {len(parts) - 1} tables\n")


if __name__ == "__main__":
    main()
