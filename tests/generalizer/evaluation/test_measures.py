"""The measures say what their names promise; each is checked against a case that was worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from hardwon.generalizer.evaluation.bootstrap import intervals
from hardwon.generalizer.evaluation.clusters import (
    Proposed,
    b_cubed,
    cluster_measures,
    gain,
    joined_across_languages,
)
from hardwon.generalizer.evaluation.labelled import Task
from hardwon.generalizer.evaluation.reliability import area_under_curve, calibration_error, reliability
from hardwon.generalizer.evaluation.retrieval import Answered, retrieval_measures
from hardwon.generalizer.evaluation.rules import rule_measures, soundness

CAUSES = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "n1": None, "n2": None}


def proposed(*members: str, projects: int = 2, confidence: float = 0.5, rule: str = "") -> Proposed:
    return Proposed(members, projects, confidence, rule)


def test_a_perfect_queue_has_every_point_and_an_empty_one_none() -> None:
    perfect = [proposed("a1", "a2", "a3"), proposed("b1", "b2")]
    assert gain(perfect, CAUSES) == approx(1.0)
    assert gain([], CAUSES) == approx(0.0)
    measures = cluster_measures(perfect, CAUSES)
    assert (measures["causes covered"], measures["noise rejection"], measures["over-generalized"]) == (1, 1, 0)


def test_b_cubed_counts_a_stranger_against_precision_and_a_lesson_left_out_against_recall() -> None:
    """Of a1, a2 and n1 in one cluster: precision 2/3, 2/3, 1/3; the others stand alone with precision 1."""
    precision, recall, _ = b_cubed([proposed("a1", "a2", "n1")], CAUSES)
    assert precision == approx((2 / 3 + 2 / 3 + 1 / 3 + 4) / 7)
    assert recall == approx((2 / 3 + 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2 + 1 + 1) / 7)


def test_two_lessons_of_no_cause_never_agree() -> None:
    measures = cluster_measures([proposed("n1", "n2")], CAUSES)
    assert (measures["pure"], measures["over-generalized"], measures["noise rejection"]) == (0, 0, 0)


def test_a_mixed_proposal_is_over_generalized_and_covers_nothing() -> None:
    measures = cluster_measures([proposed("a1", "a2", "b1", "b2")], CAUSES)
    assert (measures["over-generalized"], measures["pure"], measures["causes covered"]) == (1, 0, 0)


def test_the_head_of_the_queue_counts_only_what_a_reviewer_is_glad_of() -> None:
    """Pure, three lessons, two projects: a pair is too little, and one project's habit is no rule for all."""
    queue = [proposed("a1", "a2", "a3"), proposed("b1", "b2"), proposed("a1", "a2", "a3", projects=1)]
    assert cluster_measures(queue, CAUSES)["precision at 20"] == approx(1 / 3)


def test_languages_are_joined_pair_by_pair() -> None:
    languages = {"a1": "en", "a2": "zh", "a3": "zh", "b1": "en", "b2": "zh", "n1": "en", "n2": "zh"}
    assert joined_across_languages([proposed("a1", "a2")], CAUSES, languages) == {
        "joined across languages": approx(1 / 3)
    }


def test_what_a_set_has_nothing_to_measure_by_is_left_out() -> None:
    """A set without noise rejects none, and one without tasks answers none: neither 0 nor 1 would be true."""
    assert "noise rejection" not in cluster_measures([proposed("a1", "a2")], {"a1": "a", "a2": "a"})
    assert "causes covered" not in cluster_measures([proposed("n1", "n2")], {"n1": None, "n2": None})
    assert joined_across_languages([proposed("a1", "a2")], CAUSES, dict.fromkeys(CAUSES, "en")) == {}
    assert rule_measures([], CAUSES, bool) == {}
    assert set(rule_measures([proposed("a1", "a2")], CAUSES, bool)) == {"with a rule", "acceptable as they stand"}
    only_wanted = retrieval_measures([Answered(Task("write a test", "a"), ())])
    assert "false injection" not in only_wanted
    assert only_wanted["recall at 3"] == 0
    assert retrieval_measures([Answered(Task("draw a logo", None), ())]) == {"false injection": 0.0}


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_no_queue_gains_more_than_a_perfect_one(labels: list[str | None], chance: Random) -> None:
    causes = {f"l{number}": label for number, label in enumerate(labels)}
    ids = list(causes)
    chance.shuffle(ids)
    cut = chance.randrange(1, len(ids))
    assert gain([proposed(*ids[:cut]), proposed(*ids[cut:])], causes) <= 1 + 1e-9


def test_a_rule_with_a_projects_name_cannot_be_accepted_as_it_stands() -> None:
    good = proposed("a1", "a2", rule="Wait for a condition with a deadline, never sleep for a fixed time in a test.")
    named = proposed("b1", "b2", rule="Wait for the harbour queue with a deadline, never sleep in a test of it.")
    bare = proposed("b1", "b2")
    measures = rule_measures([good, named, bare], CAUSES, soundness(["harbour"]))
    assert measures["with a rule"] == approx(2 / 3)
    assert measures["worded without fault"] == approx(1 / 2)
    assert measures["acceptable as they stand"] == approx(1 / 3)


def test_recall_is_of_the_tasks_that_need_a_rule_and_false_injection_of_those_that_do_not() -> None:
    answers = [
        Answered(Task("write a test", "a"), ("a", "b")),
        Answered(Task("renew the key", "b"), ("a", None, "b")),
        Answered(Task("draw a logo", None), ()),
        Answered(Task("choose a font", None), ("a",)),
    ]
    measures = retrieval_measures(answers)
    assert (measures["recall at 1"], measures["recall at 3"]) == (0.5, 1.0)
    assert measures["mean reciprocal rank"] == approx((1 + 1 / 3) / 2)
    assert measures["false injection"] == 0.5


def test_calibrated_confidence_has_no_error_and_boasting_has() -> None:
    honest = reliability([0.5, 0.5, 0.9, 0.9], [True, False, True, True])
    assert calibration_error(honest) == approx(0.05)
    boasting = reliability([0.9] * 4, [True, False, False, False])
    assert calibration_error(boasting) == approx(0.65)
    assert [each.count for each in boasting] == [4]


def test_confidence_that_sorts_right_before_wrong_has_the_whole_area() -> None:
    assert area_under_curve([0.9, 0.8, 0.2], [True, True, False]) == 1.0
    assert area_under_curve([0.5, 0.5], [True, False]) == 0.5
    assert area_under_curve([0.5, 0.5], [True, True]) is None


def test_an_interval_holds_the_value_and_is_the_same_each_time() -> None:
    items = [True] * 30 + [False] * 10

    def share(some: Sequence[bool]) -> dict[str, float]:
        return {"share": sum(some) / len(some)}

    low, high = intervals(items, share)["share"]
    assert low < 0.75 < high
    assert intervals(items, share) == intervals(items, share)
