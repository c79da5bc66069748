"""`evaluate --calibrate` fits the thresholds of the embedder in use, and keeps them in the home."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.generalizer.evaluation.actions import evaluate
from hardwon.generalizer.evaluation.calibration import read_pairs
from hardwon.kernel.errors import InvalidInput, Unavailable, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.sameness.thresholds import PAIRS, load_thresholds
from hardwon.kernel.sameness.verdict import Sameness
from hardwon.testing.fakes import FakeEmbedder, open_fake_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_fake_home(tmp_path / "home")


def test_the_shipped_pairs_give_figures_in_both_languages(home: Home) -> None:
    report = evaluate(home, calibrate=True)
    name = FakeEmbedder().name
    assert load_thresholds(home.path)[name].keys() == {"en", "zh"}
    assert report.data["after"] == load_thresholds(home.path)[name]
    assert sum(each["pairs"] for each in report.data["found"]) == len(read_pairs(PAIRS))


def test_doing_it_twice_changes_nothing(home: Home) -> None:
    evaluate(home, calibrate=True)
    once = load_thresholds(home.path)
    evaluate(home, calibrate=True)
    assert load_thresholds(home.path) == once


def test_without_an_embedder_nothing_is_kept(tmp_path: Path) -> None:
    home = open_fake_home(tmp_path / "home", embedder=None)
    before = load_thresholds(home.path)
    with pytest.raises(Unavailable):
        evaluate(home, calibrate=True)
    assert load_thresholds(home.path) == before


def test_too_few_pairs_of_ones_own_are_refused(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"earlier": "a b", "later": "a c", "relation": "distinct"}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="more pairs"):
        evaluate(home, str(path), calibrate=True)


@pytest.mark.parametrize("line", ["{", '{"earlier": "a"}', '{"earlier": "a", "later": "b", "relation": "akin"}', "[]"])
def test_a_broken_pair_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"pairs\.jsonl:1"):
        read_pairs(path)


def test_nothing_to_score_is_a_usage_error(home: Home) -> None:
    with pytest.raises(UsageError):
        evaluate(home)


def test_the_shipped_pairs_are_of_all_four_sorts() -> None:
    assert {each.sameness for each in read_pairs(PAIRS)} == set(Sameness)
