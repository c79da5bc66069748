"""A proposal is the same proposal the next night; what was rejected stays away until its evidence has grown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.generalizer.continuity import GROWTH, continue_proposals
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.testing.examples import MOMENT, instance, memory

LESSONS = [memory(f"Lesson {number}.", f"project-{number}") for number in range(12)]
DECIDED = [ProposalState.ACCEPTED, ProposalState.REJECTED]


def proposal(id: str, lessons: Sequence[MemoryEntry], state: ProposalState = ProposalState.PENDING) -> Proposal:
    return Proposal(id=id, rule="", instances=tuple(map(instance, lessons)), state=state, created_at=MOMENT)


def ids(clusters: Sequence[Sequence[MemoryEntry]], proposals: Sequence[Proposal] = ()) -> list[str | None]:
    return [each and each.id for each in continue_proposals(clusters, proposals)]


def test_the_id_of_a_new_proposal_hangs_on_its_lessons_alone() -> None:
    one, other = ids([LESSONS[:3], LESSONS[3:6]])
    assert ids([LESSONS[5:2:-1], LESSONS[2::-1]]) == [other, one]
    assert one != other


@pytest.mark.parametrize("members", [LESSONS[:4], LESSONS[:3], LESSONS[:8], LESSONS[1:6]])
def test_a_pending_proposal_goes_on_while_most_of_the_smaller_is_shared(members: list[MemoryEntry]) -> None:
    """Its cluster may gain lessons and lose some."""
    known = proposal("known", LESSONS[:4])
    [continued] = continue_proposals([members], [known])
    assert continued is not None
    assert (continued.id, continued.earlier) == ("known", known)


def test_a_cluster_with_half_of_the_lessons_or_less_is_another_proposal() -> None:
    assert ids([LESSONS[2:6]], [proposal("known", LESSONS[:4])]) != ["known"]


def test_a_reworded_lesson_is_the_same_evidence() -> None:
    reworded = [each.model_copy(update={"content": f"Now told otherwise: {each.content}"}) for each in LESSONS[:3]]
    assert ids([reworded], [proposal("known", LESSONS[:3])]) == ["known"]


@pytest.mark.parametrize("state", DECIDED)
def test_what_was_decided_is_not_asked_again(state: ProposalState) -> None:
    assert ids([LESSONS[:3]], [proposal("decided", LESSONS[:3], state)]) == [None]


def test_a_rejected_proposal_returns_when_its_evidence_has_grown() -> None:
    rejected = proposal("rejected", LESSONS[:3], ProposalState.REJECTED)
    assert ids([LESSONS[: 3 + GROWTH - 1]], [rejected]) == [None]
    [back] = continue_proposals([LESSONS[: 3 + GROWTH]], [rejected])
    assert back is not None
    assert (back.returns, back.earlier) == ("rejected", None)
    assert back.id != "rejected"


def test_lessons_that_were_only_replaced_are_no_growth() -> None:
    rejected = proposal("rejected", LESSONS[:6], ProposalState.REJECTED)
    assert ids([LESSONS[1 : 6 + GROWTH - 1]], [rejected]) == [None]


def test_a_returned_proposal_stays_the_same_while_it_awaits_its_decision() -> None:
    """It keeps its id as lessons are added, and goes on saying what it returns from."""
    rejected = proposal("rejected", LESSONS[:3], ProposalState.REJECTED)
    back = proposal("back", LESSONS[:5])
    [continued] = continue_proposals([LESSONS[:6]], [rejected, back])
    assert continued is not None
    assert (continued.id, continued.earlier, continued.returns) == ("back", back, "rejected")


def test_a_proposal_rejected_twice_is_measured_by_the_evidence_of_the_last_time() -> None:
    first = proposal("first", LESSONS[:3], ProposalState.REJECTED)
    second = proposal("second", LESSONS[:5], ProposalState.REJECTED)
    assert ids([LESSONS[:5]], [first, second]) == [None]
    assert ids([LESSONS[:6]], [second, first]) == [None]
    assert ids([LESSONS[:7]], [first, second]) != [None]


def test_an_undone_decision_is_open_again() -> None:
    """The review has put the proposal back to pending under its own id."""
    assert ids([LESSONS[:3]], [proposal("undone", LESSONS[:3])]) == ["undone"]


def test_a_withdrawn_proposal_may_come_again() -> None:
    """When its lessons do; nobody has decided on it."""
    [first] = ids([LESSONS[:3]])
    assert first is not None
    assert ids([LESSONS[:3]], [proposal(first, LESSONS[:3], ProposalState.WITHDRAWN)]) == [first]


def test_when_clusters_merge_one_proposal_goes_on() -> None:
    """The one with the greater share; the other is left to be withdrawn."""
    large, small = proposal("large", LESSONS[:5]), proposal("small", LESSONS[4:8])
    assert ids([LESSONS[:7]], [small, large]) == ["large"]


@pytest.mark.parametrize("parts", [[LESSONS[:3], LESSONS[3:6]], [LESSONS[3:6], LESSONS[:3]]])
def test_when_a_cluster_splits_one_part_goes_on_and_the_other_is_new(parts: list[list[MemoryEntry]]) -> None:
    """Even when the proposal began with one part alone, so that its id is that part's fingerprint."""
    [begun] = ids([LESSONS[:3]])
    assert begun is not None
    first, second = ids(parts, [proposal(begun, LESSONS[:6])])
    assert begun in (first, second)
    assert first != second


STATES = st.sampled_from(list(ProposalState))
SETS = st.lists(st.sets(st.integers(0, 11), min_size=3), max_size=4)


@given(SETS, st.lists(st.tuples(st.sets(st.integers(0, 11), min_size=2), STATES), max_size=5), st.randoms())
def test_no_two_clusters_are_one_proposal(
    clusters: list[set[int]], earlier: list[tuple[set[int], ProposalState]], chance: Any
) -> None:
    """Nor does the order of clusters or proposals decide anything; clusters share no lesson."""
    seen: set[int] = set()
    apart = []
    for cluster in clusters:
        apart.append([LESSONS[number] for number in sorted(cluster - seen)])
        seen |= cluster
    apart = [cluster for cluster in apart if len(cluster) > 1]
    known = [
        proposal(f"p{place}", [LESSONS[number] for number in sorted(numbers)], state)
        for place, (numbers, state) in enumerate(earlier)
    ]
    found = ids(apart, known)
    given_ids = [each for each in found if each]
    assert len(set(given_ids)) == len(given_ids)
    assert not {each.id for each in known if each.state in DECIDED} & set(given_ids)
    order = list(range(len(apart)))
    chance.shuffle(order)
    chance.shuffle(known)
    assert ids([apart[place] for place in order], known) == [found[place] for place in order]
