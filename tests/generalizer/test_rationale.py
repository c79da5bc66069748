"""What a proposal says of itself adds up: its figures are those of the lessons that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from hardwon.generalizer.catalogue import Concept
from hardwon.generalizer.rationale import confidence_of, explain
from hardwon.generalizer.signs import Signs
from hardwon.generalizer.wording import Leading, Wording
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.testing.examples import MOMENT, memory

RULE = "Set a deadline on every remote call."
CONCEPT = Concept("net.timeouts", {"en": "No deadline"}, {"en": RULE}, (), ())
LEADING = Leading(CONCEPT, 0.8)
WORDING = Wording(RULE, {}, "catalogue")
SIGNS = Signs({"meaning": 0.2, "cause": 0.5, "profile": 0.2}, 0.5, 0.5)


def lessons(*projects: str | None) -> list[MemoryEntry]:
    return [
        memory(f"Lesson {day}.", project, times=Times(valid_at=MOMENT + timedelta(days=day), asserted_at=MOMENT))
        for day, project in enumerate(projects)
    ]


def confidence(members: Sequence[MemoryEntry], against: int = 0) -> dict[str, float]:
    return confidence_of(SIGNS, members, LEADING, against)


def test_the_rationale_counts_the_lessons_that_it_is_given() -> None:
    told = explain(lessons("a", "b", None), LEADING, WORDING, None)
    assert told.startswith("3 lessons of 2 projects tell of one cause: “No deadline”")
    assert "from 2026-03-01 to 2026-03-03" in told


def test_lessons_that_belong_to_no_project_are_no_project_of_their_own() -> None:
    assert confidence(lessons("a", "b", None))["breadth"] == confidence(lessons("a", "b", "b"))["breadth"]


@pytest.mark.parametrize(("against", "share"), [(0, 0.0), (1, 0.25), (3, 0.75)])
def test_what_speaks_against_it_is_told_as_a_share(against: int, share: float) -> None:
    """More of it is always seen as more, and always lowers the confidence."""
    parts = confidence(lessons("a", "b", "c", "d"), against)
    assert parts["against"] == share
    assert (parts["confidence"] < confidence(lessons("a", "b", "c", "d"))["confidence"]) is bool(against)
