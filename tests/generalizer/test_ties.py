"""What a person decided of lessons holds from then on: which belong together, and which do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.generalizer.clusters import clusters
from hardwon.generalizer.continuity import continue_proposals
from hardwon.generalizer.ties import Ties, rejected_as_mixed, ties_of
from hardwon.kernel.proposal import Decision, Proposal, ProposalKind, ProposalState
from hardwon.testing.examples import MOMENT, instance, memory

from .test_clusters import Told, blobs

IDS = [f"lesson-{number}" for number in range(12)]


def decision(*groups: Sequence[str], number: int = 1, **fields: Any) -> Decision:
    given: dict[str, Any] = {"action": "accept", "by": "tester", "at": MOMENT.replace(hour=number)} | fields
    return Decision(id=f"d{number}", proposal=f"p{number}", groups=tuple(map(tuple, groups)), **given)


def rejection(lessons: Sequence[str], why: str, **fields: Any) -> Decision:
    return decision(action="reject", why=why, revisions=dict.fromkeys(lessons, "r"), **fields)


def grouped(matrix: Any, ties: Ties) -> list[list[int]]:
    told: Any = Told(matrix)
    return clusters(told, lambda group: len(group) >= 2, 0.4, ties)


def test_lessons_of_one_group_belong_together_and_those_of_two_do_not() -> None:
    ties = ties_of(IDS, [], [decision(IDS[:3], IDS[3:5])])
    assert ties.together[0] == {1, 2}
    assert ties.apart[3] == {0, 1, 2}
    assert ties.allow([0, 1, 2])
    assert not ties.allow([2, 3])


def test_of_two_decisions_the_later_one_holds() -> None:
    first, second = decision(IDS[:2]), decision(IDS[:1], IDS[1:2], number=2)
    assert not ties_of(IDS, [], [first, second]).allow([0, 1])
    assert ties_of(IDS, [], [decision(IDS[:1], IDS[1:2]), decision(IDS[:2], number=2)]).allow([0, 1])


def test_what_was_undone_says_nothing() -> None:
    taken_back = decision(action="undo", undoes="d1", number=2)
    assert ties_of(IDS, [], [decision(IDS[:1], IDS[1:2]), taken_back]) == Ties()


def test_a_lesson_that_was_taken_out_of_a_waiting_proposal_is_not_joined_to_it_again() -> None:
    """The others may still come apart: nobody said that they belong together."""
    lessons = [memory(f"Lesson {number}.", f"p{number}", id=id) for number, id in enumerate(IDS[:4])]
    whole = Proposal(id="p", rule="", instances=tuple(map(instance, lessons)), created_at=MOMENT)
    ties = ties_of(IDS, [whole.leaving_out([IDS[3]])], [])
    assert not ties.allow([0, 3])
    assert ties.together == {}


@pytest.mark.parametrize(
    "why",
    [
        "mixed",
        "It mixes two things",
        "these are two different causes",
        "Split this up.",
        "混了两件事",
        "是两个原因",
        "问题不同，拆开",
    ],
)
def test_a_rejection_tells_that_lessons_are_mixed(why: str) -> None:
    assert rejected_as_mixed([rejection(IDS[:4], why)])


@pytest.mark.parametrize(
    "why",
    [
        *("", "too vague", "we know this already", "not worth a rule", "太笼统", "不重要"),
        *("Not mixed, just obvious.", "It isn't mixed.", "Do not split hairs.", "没混，只是太明显", "不混淆"),
    ],
)
def test_another_reason_says_nothing_of_the_lessons(why: str) -> None:
    assert ties_of(IDS, [], [rejection(IDS[:4], why)]) == Ties()


def test_what_was_rejected_as_mixed_never_comes_back_whole_but_a_part_of_it_may() -> None:
    ties = ties_of(IDS, [], [rejection(IDS[:6], "mixed")])
    assert not ties.allow(range(6))
    assert not ties.allow(range(7))
    assert ties.allow([0, 1, 2])


def test_the_clusters_keep_to_it() -> None:
    """Of six lessons that are all alike, three were said to be another matter."""
    apart = ties_of(IDS, [], [decision(IDS[:3], IDS[3:6])])
    matrix = blobs([6, 6])
    assert sorted(map(sorted, grouped(matrix, Ties()))) == [list(range(6)), list(range(6, 12))]
    found = grouped(matrix, apart)
    assert list(range(6, 12)) in found
    assert not any(set(group) & {0, 1, 2} and set(group) & {3, 4, 5} for group in found)
    mixed = ties_of(IDS, [], [rejection(IDS[:6], "mixed")])
    assert not any(set(range(6)) <= set(group) for group in grouped(matrix, mixed))


def test_what_belongs_together_is_joined_first_though_it_is_not_alike() -> None:
    matrix = blobs([4, 4])
    ties = ties_of(IDS, [], [decision([IDS[3], IDS[4], IDS[5]])])
    for group in grouped(matrix, ties):
        assert {3, 4, 5}.issubset(group) or {3, 4, 5}.isdisjoint(group)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12))
def test_no_cluster_ever_holds_what_a_person_kept_apart(seed: int, pairs: list[tuple[int, int]]) -> None:
    decisions = [
        decision([IDS[one]], [IDS[other]], number=number)
        for number, (one, other) in enumerate(pairs, 1)
        if one != other
    ]
    ties = ties_of(IDS, [], decisions)
    upper = np.triu(np.random.default_rng(seed).uniform(0.2, 1, (12, 12)), 1)
    for group in grouped(upper + upper.T, ties):
        assert not any({one, other} <= set(group) for one, other in pairs if one != other)


def test_a_part_of_what_was_mixed_is_a_proposal_of_its_own() -> None:
    """Rejected for another reason, it would stay away."""
    lessons = [memory(f"Lesson {number}.", f"p{number}", id=id) for number, id in enumerate(IDS[:6])]
    rejected = Proposal(
        id="p1", rule="", instances=tuple(map(instance, lessons)), state=ProposalState.REJECTED, created_at=MOMENT
    )
    told = [rejection(IDS[:6], why) for why in ("mixed", "too vague")]
    [part] = continue_proposals([lessons[:3]], [rejected], told[:1])
    assert part is not None
    assert part.id != "p1"
    assert continue_proposals([lessons[:3]], [rejected], told[1:]) == [None]


def test_a_change_of_a_rule_that_was_rejected_as_mixed_says_nothing_of_its_lessons() -> None:
    assert not rejected_as_mixed([rejection(IDS[:4], "mixed", kind=ProposalKind.MERGE)])
