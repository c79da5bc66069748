"""What sessions say again, in other words or to the contrary passes the write gate like anything that is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Source, Status
from hardwon.kernel.proposal import ProposalKind
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.reverting import revert
from hardwon.kernel.use_cases.superseding import chain_of
from hardwon.kernel.use_cases.usage import confidence_of
from hardwon.testing.examples import memory

from .conftest import Begin, everything

KNOWN, OTHER_WORDS = "Never log access tokens.", "Access tokens must not be logged."
PROJECT = "example.org/shop"


def hear(home: Home, session: Begin, name: str, words: str) -> int:
    """Capture a session in which the user says this; return how much of it was known."""
    teaching = session(name)
    teaching.says(f"user: Remember: {words}")
    teaching.stops()
    return capture(home).learned.known


def standing(home: Home) -> list[str]:
    return [entry.content for entry in everything(home) if entry.status is not Status.ARCHIVED]


@pytest.mark.parametrize("words", [KNOWN, OTHER_WORDS])
def test_another_session_that_says_the_same_is_evidence_until_it_is_taken_back(
    home: Home, session: Begin, words: str
) -> None:
    source = Source(said_by="agent", harness="fake", session="s-1")
    [known] = home.storage.memories.put([memory(KNOWN, PROJECT, source=source)])
    assert hear(home, session, "s-2", words) == 1
    assert standing(home) == [KNOWN]
    assert confidence_of(home, known) == pytest.approx(0.6)

    revert(home, "s-2")

    assert confidence_of(home, known) == 0.5
    assert home.storage.memories.relations(known.id) == []
    assert standing(home) == [KNOWN]


def test_a_doubtful_memory_is_adopted_by_what_another_session_says(home: Home, session: Begin) -> None:
    source = Source(said_by="agent", harness="fake", session="s-1")
    doubtful = memory(KNOWN, PROJECT, source=source, confidence=0.45, status=Status.OBSERVED)
    home.storage.memories.put([doubtful])
    hear(home, session, "s-2", OTHER_WORDS)
    assert home.storage.memories.get([doubtful.id])[doubtful.id].status is Status.ACTIVE


def test_what_the_user_says_that_changed_supersedes(home: Home, session: Begin) -> None:
    earlier = home.clock.now() - timedelta(days=1)
    [old] = home.storage.memories.put([memory("Use tabs for indentation.", PROJECT, earlier)])
    hear(home, session, "s-2", "From now on use spaces for indentation instead of tabs.")
    assert len(chain_of(home, old.id)) == 2


def test_what_cannot_hold_beside_it_is_asked_about(home: Home, session: Begin) -> None:
    home.storage.memories.put([memory("The upload limit is 10 MB.", PROJECT)])
    hear(home, session, "s-2", "The upload limit is 25 MB.")
    [question] = home.queue.pending()
    assert question.kind is ProposalKind.SETTLE

    revert(home, "s-2")

    assert home.queue.pending() == []
    assert {entry.status for entry in everything(home)} == {Status.ACTIVE, Status.ARCHIVED}
