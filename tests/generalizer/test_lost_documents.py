"""A decision outlives its proposal's document: what was decided is not asked again because a file was lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hardwon.generalizer.continuity import GROWTH, continue_proposals
from hardwon.kernel.proposal import Decision
from hardwon.testing.examples import MOMENT, memory

LESSONS = [memory(f"Lesson {number}.", f"project-{number}") for number in range(8)]


def decision(action: str, day: int = 0) -> Decision:
    """Return a decision on a proposal of the first three lessons, of which no document is left."""
    revisions = {lesson.id: lesson.revision for lesson in LESSONS[:3]}
    at = MOMENT + timedelta(days=day)
    return Decision(id=f"d{day}", proposal="lost", action=action, by="ada", at=at, revisions=revisions)


@pytest.mark.parametrize("action", ["accept", "rewrite", "reject"])
def test_what_was_decided_is_not_asked_again_though_its_document_is_lost(action: str) -> None:
    assert continue_proposals([LESSONS[:3]], [], [decision(action)]) == [None]


def test_what_was_undone_is_asked_again() -> None:
    (continued,) = continue_proposals([LESSONS[:3]], [], [decision("reject"), decision("undo", 1)])
    assert continued is not None


def test_a_rejection_gives_way_to_grown_evidence_and_is_named() -> None:
    (continued,) = continue_proposals([LESSONS[: 3 + GROWTH]], [], [decision("reject")])
    assert continued is not None
    assert (continued.returns, continued.id != "lost") == ("lost", True)


def test_an_acceptance_never_gives_way() -> None:
    assert continue_proposals([LESSONS[: 3 + GROWTH]], [], [decision("accept")]) == [None]
