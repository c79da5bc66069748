"""No two proposals would change one rule: a user who accepts all of them meets no stale one."""

from __future__ import annotations

from itertools import permutations

import pytest

from hardwon.generalizer.life.proposing import one_each
from hardwon.kernel.proposal import Proposal, ProposalKind, instance_of
from hardwon.testing.examples import MOMENT, memory


def proposal(kind: ProposalKind, *rules: str, confidence: float = 0.5) -> Proposal:
    targets = tuple(instance_of(memory(f"Rule {rule}.", None)).model_copy(update={"id": rule}) for rule in rules)
    id = f"{kind}-{'-'.join(rules)}"
    return Proposal(id=id, kind=kind, rule="A rule.", targets=targets, confidence=confidence, created_at=MOMENT)


def merge(one: str, other: str, confidence: float) -> Proposal:
    return proposal(ProposalKind.MERGE, one, other, confidence=confidence)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_three_rules_that_are_alike_the_surest_two_are_merged_first(order: tuple[int, ...]) -> None:
    merges = [merge("a", "b", 0.7), merge("b", "c", 0.9), merge("a", "c", 0.6)]
    assert [each.id for each in one_each(merges[place] for place in order)] == ["merge-b-c"]


def test_two_pairs_are_worth_more_than_the_one_between_them() -> None:
    chain = [merge("b", "c", 0.8), merge("a", "b", 0.7), merge("c", "d", 0.7)]
    assert [each.id for each in one_each(chain)] == ["merge-a-b", "merge-c-d"]


def test_what_is_worse_comes_first_and_keeps_its_rule_from_a_merge() -> None:
    retire = proposal(ProposalKind.RETIRE, "b")
    refine = proposal(ProposalKind.REFINE, "a")
    kept = one_each([retire, merge("a", "b", 0.9), refine])
    assert kept == [retire, refine]


def test_nothing_asks_for_nothing() -> None:
    assert one_each([]) == []
