"""A report says one lesson and two lessons."""

from __future__ import annotations

import pytest

from hardwon.kernel.counting import counted


@pytest.mark.parametrize(("number", "told"), [(0, "0 lessons"), (1, "1 lesson"), (1234, "1,234 lessons")])
def test_a_noun_follows_its_number(number: int, told: str) -> None:
    assert counted(number, "lesson") == told


def test_a_plural_of_its_own_is_given() -> None:
    assert (counted(1, "memory", "memories"), counted(2, "memory", "memories")) == ("1 memory", "2 memories")
