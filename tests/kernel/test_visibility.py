"""A memory that is for one agent is seen by that agent and the user, however somebody comes to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Context, Scope
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.drafting import waiting_for_words
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.recall_weaker import weaker_answers
from hardwon.kernel.use_cases.remembering import remember
from hardwon.kernel.visibility import may_see, reader
from hardwon.testing.examples import MOMENT, memory, related_lessons
from hardwon.testing.fakes import FixedClock, open_fake_home

NOW = MOMENT + timedelta(days=10)
QUESTION = "retry a payment after a timeout"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=FixedClock(NOW)) as home:
        yield home


@pytest.mark.parametrize("name", [None, "", " ", "\t\n", "\u3000", 7, b"codex"])
def test_who_is_not_named_is_nobody(name: object) -> None:
    """Also where a caller hands over something that is no name at all."""
    asked_by = reader(name)  # type: ignore[arg-type]
    assert may_see(None, asked_by)
    assert not may_see("codex", asked_by)
    assert not may_see("", asked_by)


def test_the_user_sees_all_and_an_agent_its_own() -> None:
    assert may_see("codex", None)
    assert may_see("codex", reader("codex"))
    assert not any(may_see("codex", reader(name)) for name in ("Codex", "code", "*", "%", ".*", "codex2"))


def keep(home: Home, content: str, agent: str | None = None, kind: Kind = Kind.LESSON) -> MemoryEntry:
    [entry] = home.storage.memories.put([memory(content, kind=kind, scope=Scope(agent=agent))])
    return entry


def link(home: Home, source: MemoryEntry, kind: RelationKind, target: MemoryEntry) -> None:
    home.storage.memories.relate([Relation(source=source.id, kind=kind, target=target.id, asserted_at=MOMENT)])


def told(home: Home, agent: str | None) -> set[str]:
    """Return everything that an answer holds: what is shown, what comes near, what is explained."""
    answer = recall(home, Query(text=QUESTION, context=Context(agent=agent)))
    entries = home.storage.memories.get([each.candidate.id for each in answer.ranked])
    near = [hit.entry.content for hit in weaker_answers(home, answer)]
    return {hit.entry.content for hit in answer.hits} | {entry.content for entry in entries.values()} | set(near)


@pytest.mark.parametrize("agent", ["", " ", "*", "%", "gemini"])
def test_recall_neither_shows_nor_explains_what_is_for_another_agent(home: Home, agent: str) -> None:
    keep(home, "payment timeout: retry, for any")
    keep(home, "payment timeout: retry, for codex", "codex")
    assert told(home, agent) == {"payment timeout: retry, for any"}
    assert "payment timeout: retry, for codex" in told(home, "codex")
    assert "payment timeout: retry, for codex" in told(home, None)


def test_two_agents_may_note_the_same_and_each_keeps_its_own(home: Home) -> None:
    """Neither is told that it was known already, and neither is given the other's."""
    for agent in ("codex", "gemini", "codex"):
        given = memory("payment timeout: retry", scope=Scope(project="shop", agent=agent))
        assert remember(home, given).entry.scope.agent == agent
    kept = home.storage.memories.scan(Filter(statuses=None))
    assert sorted(str(entry.scope.agent) for entry in kept) == ["codex", "gemini"]


@pytest.mark.parametrize("scope", [{"agent": "codex"}, {"agent": ""}, {"namespace": "other-team"}])
def test_what_not_every_agent_may_see_becomes_part_of_no_rule(
    home: Home, scope: dict[str, str], tmp_path: Path
) -> None:
    """Neither of a proposal, nor of what is given out to be worded."""
    lessons = related_lessons()
    empty = open_fake_home(tmp_path / "empty")
    home.storage.memories.put(
        [each.model_copy(update={"scope": each.scope.model_copy(update=scope)}) for each in lessons]
    )
    assert consolidate(home).lessons == 0
    assert home.queue.all() == []
    assert waiting_for_words(home, 9) == waiting_for_words(empty, 9)
    fresh = [each.model_copy(update={"id": f"{each.id[:10]}{n:08}"}) for n, each in enumerate(lessons)]
    home.storage.memories.put(fresh)
    assert consolidate(home).lessons == len(lessons)


@pytest.mark.parametrize(
    ("kind", "of_source", "of_target"),
    [
        (RelationKind.GENERALIZES, "codex", None),
        (RelationKind.GENERALIZES, None, "codex"),
        (RelationKind.CONTRADICTS, "codex", None),
        (RelationKind.CONTRADICTS, None, "codex"),
        (RelationKind.SUPERSEDES, "codex", None),
    ],
)
def test_no_link_brings_what_is_for_another_agent(
    home: Home, kind: RelationKind, of_source: str | None, of_target: str | None
) -> None:
    """A rule of a lesson, a lesson of a rule, what speaks against it, what took its place."""
    is_rule = kind is RelationKind.GENERALIZES
    source = keep(home, "a retry needs a key, source", of_source, Kind.RULE if is_rule else Kind.LESSON)
    target = keep(home, "payment timeout: retry with the key, target", of_target)
    link(home, source, kind, target)
    hidden = source if of_source else target
    for agent in ("gemini", "", " "):
        assert hidden.content not in told(home, agent)
