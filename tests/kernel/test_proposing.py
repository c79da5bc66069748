"""Somebody else than the generalizer proposes a rule: it waits for the user, and no consolidation takes it away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.proposing import propose_rule
from hardwon.kernel.use_cases.review import accept, reject
from hardwon.testing.examples import memory, related_lessons
from hardwon.testing.fakes import open_fake_home

RULE = "Measure durations with the monotonic clock."


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path) as home:
        home.storage.memories.put(related_lessons())
        yield home


def lessons(home: Home) -> list[MemoryEntry]:
    return list(home.storage.memories.scan(Filter()))[:2]


def propose(home: Home, rule: str = RULE) -> tuple[Proposal, bool]:
    return propose_rule(home, rule, lessons(home), why="It happened twice.", by="an agent")


def test_it_waits_with_its_lessons_and_who_proposed_it(home: Home) -> None:
    proposal, new = propose(home)
    assert new
    assert proposal in home.queue.pending()
    assert [each.id for each in proposal.instances] == [each.id for each in lessons(home)]
    assert proposal.rationale == "It happened twice. (Proposed by an agent.)"


def test_the_same_said_again_is_the_same_proposal(home: Home) -> None:
    first, _ = propose(home)
    assert propose(home, f"  {RULE} ") == (first, False)
    assert propose(home, "Never measure durations with the wall clock.")[1]


def test_no_consolidation_refreshes_or_withdraws_it(home: Home) -> None:
    """Whatever the generalizer itself finds in the same lessons."""
    proposal, _ = propose(home)
    for _ in range(2):
        assert proposal.id not in {each.id for each in consolidate(home).proposals}
    assert proposal in home.queue.pending()


def test_the_user_decides_on_it_as_on_any_other(home: Home) -> None:
    proposal, _ = propose(home)
    accepted = accept(home, proposal, by="Ada")
    assert (accepted.rule.content, len(accepted.lessons)) == (RULE, 2)


def test_what_was_decided_is_not_proposed_again(home: Home) -> None:
    proposal, _ = propose(home)
    reject(home, proposal, by="Ada")
    with pytest.raises(Conflict, match="decided on this already"):
        propose(home)
    assert home.queue.find(proposal.id).state is ProposalState.REJECTED


def test_a_rule_is_no_evidence(home: Home) -> None:
    [rule] = home.storage.memories.put([memory("Measure well.", kind=Kind.RULE)])
    with pytest.raises(InvalidInput, match="is a rule itself"):
        propose_rule(home, RULE, [rule], why="", by="an agent")
    assert home.queue.pending() == []


def test_without_lessons_nothing_is_proposed(home: Home) -> None:
    with pytest.raises(InvalidInput, match="no lesson"):
        propose_rule(home, RULE, [], why="", by="an agent")


def test_lessons_that_may_not_be_generalized_prove_nothing(tmp_path: Path) -> None:
    """By whatever name of the project the user said so."""
    (tmp_path / "config.toml").write_text("[projects.customer]\ngeneralize = false\n", encoding="utf-8")
    with open_fake_home(tmp_path) as home:
        [lesson] = home.storage.memories.put([memory("A customer's secret.", "acme/customer")])
        save_projects(home, ProjectBook({"customer": "acme/customer"}))
        with pytest.raises(InvalidInput, match="are not generalized"):
            propose_rule(home, RULE, [lesson], why="", by="an agent")
        assert home.queue.pending() == []
