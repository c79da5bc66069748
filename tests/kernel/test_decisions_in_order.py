"""Decisions have an order of their own: clocks of devices are set back, and differ."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.decision_order import in_order
from hardwon.kernel.proposal import Decision
from hardwon.testing.examples import MOMENT


def decision(id: str, hours: int = 0, follows: str | None = None, undoes: str | None = None) -> Decision:
    at = MOMENT + timedelta(hours=hours)
    return Decision(id=id, proposal="p", action="accept", by="ada", at=at, follows=follows, undoes=undoes)


@given(st.permutations(range(6)), st.lists(st.integers(-9, 9), min_size=6, max_size=6))
def test_a_chain_of_decisions_keeps_its_order_whatever_the_clocks_say(order: list[int], hours: list[int]) -> None:
    chain = [decision(str(place), hours[place], str(place - 1) if place else None) for place in range(6)]
    assert in_order(chain[place] for place in order) == chain


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9), st.integers(0, 9)), max_size=8))
def test_every_decision_is_there_once_whatever_they_say_of_each_other(told: list[tuple[int, int, int]]) -> None:
    """Written by hand, one may follow itself, another that follows it, or nothing that is there."""
    given = [decision(str(id), hours, str(one), str(two)) for id, (hours, one, two) in enumerate(told)]
    assert sorted(each.id for each in in_order(given)) == [each.id for each in given]


def test_decisions_of_before_follows_was_written_go_by_their_time() -> None:
    """And an undo comes after what it undoes."""
    late, early, undo = decision("a", 2), decision("b", 1), decision("c", 0, undoes="b")
    assert in_order([late, undo, early]) == [early, undo, late]
