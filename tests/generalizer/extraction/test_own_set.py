"""The extractor on our own labelled sessions: it must not get much worse, and its weights must be those of the sets.

The floors lie well below what is measured (tests/benchmarks/bench_extract.py says how to measure on other sessions), so
that they fail when something breaks and not when a cue changes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from fit_weights import TARGET, fit, overlaps
from own_set import HELD_BACK, PATHS, LabelledTurn, sessions
from saying import extracts, passed

from hardwon.kernel.extraction import Extract


@dataclass
class Score:
    labels: int = 0
    found: int = 0
    hits: int = 0
    said: int = 0
    """Labels that some memory quotes or tells."""
    of_its_kind: int = 0
    hard_negatives: int = 0
    leaks: int = 0


def _score(*paths: Path, languages: Sequence[str]) -> Score:
    score = Score()
    for session in (each for path in paths for each in sessions(path)):
        if session[0].language in languages:
            found = passed(extracts([each.turn for each in session]))
            for each in session:
                _add(score, each, [extract for extract in found if extract.turn == each.turn.id])
    return score


def _add(score: Score, labelled: LabelledTurn, found: list[Extract]) -> None:
    score.labels += len(labelled.labels)
    score.found += len(found)
    score.hits += len(found) if labelled.labels else 0
    score.hard_negatives += labelled.hard_negative is not None
    score.leaks += bool(found) and labelled.hard_negative is not None
    for kind, quote in labelled.labels:
        telling = [each for each in found if overlaps(each.evidence, quote) or quote in each.content]
        score.said += bool(telling)
        score.of_its_kind += any(each.kind == kind for each in telling)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_set_is_large_enough_to_mean_something(language: str) -> None:
    """In both languages, with hard negatives."""
    score = _score(*PATHS, languages=[language])

    assert score.labels >= 40
    assert score.hard_negatives >= 30


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_our_own_set_teaches_is_found_and_what_it_does_not_is_refused(language: str) -> None:
    """Precision above all: junk is what people notice."""
    score = _score(*PATHS, languages=[language])

    assert score.hits / score.found >= 0.8
    assert score.said / score.labels >= 0.6
    assert score.of_its_kind / score.said >= 0.6
    assert score.leaks / score.hard_negatives <= 0.15


def test_what_it_knows_reaches_to_sessions_that_it_does_not_know() -> None:
    """Neither a weight nor a cue was chosen by this set."""
    score = _score(HELD_BACK, languages=["en", "zh"])

    assert score.hits / score.found >= 0.8
    assert score.said / score.labels >= 0.4
    assert score.of_its_kind / score.said >= 0.6
    assert score.leaks / score.hard_negatives <= 0.15


def test_the_weights_are_those_that_the_set_gives() -> None:
    """Whoever changes a feature, a cue or the set runs fit_weights.py."""
    kept = tomllib.loads(TARGET.read_text(encoding="utf-8"))
    fitted = fit()

    assert kept.keys() == fitted.keys()
    for table, weights in fitted.items():
        assert kept[table].keys() == weights.keys()
        for name, weight in weights.items():
            assert kept[table][name] == pytest.approx(weight, abs=0.05), (table, name)
