"""Forgetting is for good: of what the user forgot nothing can be read any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.use_cases.remembering import forget
from hardwon.testing.examples import complete_proposal, instance, memory
from hardwon.testing.fakes import open_fake_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_fake_home(tmp_path)


@pytest.mark.parametrize("role", ["instances", "against"])
@pytest.mark.parametrize("state", [ProposalState.PENDING, ProposalState.REJECTED])
def test_what_was_forgotten_is_quoted_nowhere(home: Home, role: str, state: ProposalState) -> None:
    """Neither in a proposal that waits nor in one that was decided, which no later run brings up to date."""
    secret, other = home.storage.memories.put([memory("The password is swordfish.", "a"), memory("Fine.", "b")])
    proposal = complete_proposal(state=state, **{role: (instance(secret), instance(other))})
    home.queue.settle(proposal)

    forget(home, secret)

    (left,) = home.queue.all()
    assert "swordfish" not in left.model_dump_json()
    assert [each.id for each in getattr(left, role)] == [secret.id, other.id]
    assert getattr(left, role)[1] == instance(other)


def test_proposals_that_do_not_quote_it_stay_as_they_are(home: Home) -> None:
    (entry,) = home.storage.memories.put([memory("Alone.")])
    proposal = complete_proposal()
    home.queue.add([proposal])

    forget(home, entry)

    assert home.queue.all() == [proposal]
