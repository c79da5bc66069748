"""What shows that a group is about one cause is how much nearer it is to itself than what lies outside is to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.generalizer.evidence import VIEWS, Evidence, told_texts
from hardwon.generalizer.recognition import beliefs, profiles
from hardwon.generalizer.signs import WEIGHTS, Signs, signs_of
from hardwon.generalizer.words import word_vectors
from hardwon.kernel.memory import Lesson
from hardwon.testing.examples import memory

from .test_clusters import Told, blobs

TEXTS = ("A lock was never released.", "A lock was held too long.", "The lock file was lost.", "Retries had no pause.")


def embedded(count: int, seed: int = 0) -> Evidence:
    """Return evidence of random meanings and scores."""
    chance = np.random.default_rng(seed)
    meanings = chance.normal(size=(count, 8)).astype(np.float32)
    meanings /= np.linalg.norm(meanings, axis=1, keepdims=True)
    scores = chance.normal(size=(count, 30)).astype(np.float32) / 10
    return Evidence(meanings, beliefs(scores), scores, None)


def signs(matrix: Any, group: list[int]) -> Signs:
    told: Any = Told(matrix)
    return signs_of(told, group)


def test_nearness_counts_by_what_lies_outside() -> None:
    """Lessons that are as alike as these stand out where others are not, and do not where others are too."""
    apart, amid = blobs([4, 8], spread=0.0), np.full((12, 12), 0.9)
    assert signs(apart, [0, 1, 2, 3]).cohesion == pytest.approx(signs(amid, [0, 1, 2, 3]).cohesion)
    assert signs(apart, [0, 1, 2, 3]).likelihood > signs(amid, [0, 1, 2, 3]).likelihood


def test_an_intruder_makes_a_group_less_likely() -> None:
    matrix = blobs([5, 5], spread=0.0)
    assert signs(matrix, [0, 1, 2, 3, 4]).likelihood > signs(matrix, [0, 1, 2, 3, 4, 5]).likelihood


def test_a_group_that_lacks_some_of_its_own_is_less_likely_than_the_whole() -> None:
    matrix = blobs([9, 5], spread=0.0)
    assert signs(matrix, list(range(9))).likelihood > signs(matrix, list(range(4))).likelihood


def test_all_lessons_there_are_can_be_a_group() -> None:
    """Nothing lies outside, so it stands by how near its lessons are to each other."""
    assert signs(blobs([3]), [0, 1, 2]).separation["meaning"] == pytest.approx(0.9, abs=0.06)


@pytest.mark.parametrize("sign", [*VIEWS, "named"])
def test_every_sign_speaks_for_a_group(sign: str) -> None:
    """None is fitted the wrong way round, which no reviewer could be told."""
    assert WEIGHTS[sign] > 0
    low = {"separation": dict.fromkeys(VIEWS, 0.1), "named": 0.1}
    more: Any = {**low, "named": 0.5} if sign == "named" else {**low, "separation": {**low["separation"], sign: 0.5}}
    flat: Any = low
    assert Signs(cohesion=0.5, **more).likelihood > Signs(cohesion=0.5, **flat).likelihood


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 20), st.integers(0, 1000))
def test_sums_are_those_of_the_views(count: int, seed: int) -> None:
    evidence, group = embedded(count, seed), list(range(0, count, 2))
    expected = np.stack([view.sum(axis=0) for view in evidence.views(group, range(count))])
    assert np.allclose(evidence.sums(group, range(count)), expected, atol=1e-5)


def test_sums_of_words_are_those_of_the_views() -> None:
    """A lesson alone with its words, and one that believes in nothing, is like nothing: not even like itself."""
    scores = np.eye(4, 3, dtype=np.float32)
    evidence = Evidence(None, scores, None, word_vectors(TEXTS))
    expected = np.stack([view.sum(axis=0) for view in evidence.views([0, 1, 3], range(4))])
    assert np.allclose(evidence.sums([0, 1, 3], range(4)), expected, atol=1e-5)


def test_similarity_is_the_weighted_mean_of_the_views() -> None:
    evidence = embedded(6)
    views = evidence.views(range(6), range(6))
    expected = sum(weight * view for weight, view in zip(VIEWS.values(), views, strict=True))
    assert np.allclose(evidence.similar(range(6), range(6)), expected, atol=1e-6)
    assert sum(VIEWS.values()) == pytest.approx(1.0)


def test_a_profile_keeps_what_stands_out_and_nothing_else() -> None:
    scores = np.zeros((1, 40), dtype=np.float32)
    scores[0, :3] = 0.5, 0.3, 0.1
    [profile] = profiles(scores)
    assert np.flatnonzero(profile).tolist() == [0, 1, 2]
    assert np.linalg.norm(profile) == pytest.approx(1.0)
    assert profiles(np.zeros((2, 40), dtype=np.float32)).sum() == 0


def test_a_lesson_means_what_its_text_its_principle_and_its_account_mean() -> None:
    fields = Lesson(
        situation="The build hung.", cause="No deadline.", fix=None, principle="Set a deadline on every call."
    )
    told = told_texts(memory("It hung for a night.", "shop", lesson=fields))
    assert told == ["It hung for a night.", "Set a deadline on every call.", "The build hung. No deadline."]


def test_a_lesson_without_fields_means_what_its_text_means() -> None:
    assert told_texts(memory("It hung for a night.", "shop")) == ["It hung for a night."]
