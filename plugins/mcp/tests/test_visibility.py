"""What is for one agent, or kept apart in another namespace, no other agent comes to by any tool or resource."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Scope
from hardwon.testing.examples import MOMENT, memory

SECRET = "The payment gateway retry is for codex alone."
APART = "The payment gateway retry is of another team."
PRIVATE_RULE = "Retry the payment gateway with care, codex."


@pytest.fixture
def hidden(home: Path) -> Iterator[list[MemoryEntry]]:
    """Return memories that only codex, or nobody here, may see; a rule for all has one of them as its lesson."""
    with Home(home) as opened:
        opened.create()
        (home / "config.toml").write_text('embedder = "none"\n[plugins.mcp]\ndraft = true\n', encoding="utf-8")
        kept = opened.storage.memories.put(
            [
                memory(SECRET, scope=Scope(agent="codex")),
                memory(APART, scope=Scope(namespace="other-team")),
                memory(PRIVATE_RULE, kind=Kind.RULE, scope=Scope(agent="codex")),
                memory("Retry the payment gateway with a key.", kind=Kind.RULE),
            ]
        )
        edge = Relation(source=kept[3].id, kind=RelationKind.GENERALIZES, target=kept[0].id, asserted_at=MOMENT)
        opened.storage.memories.relate([edge])
    yield kept[:3]


def everything(client: Any, ids: list[str]) -> str:
    """Return all that a client is told by every way to memories."""
    said = [
        client.call("memory_search", query="payment gateway retry", include=["observed", "archived", "journal"]),
        client.request("resources/read", {"uri": "hardwon://rules"}),
        client.call("memory_review_list"),
        client.call("memory_draft_next"),
    ]
    for id in ids:
        said += [
            client.call("memory_feedback", id=id, verdict="useful"),
            client.call("memory_save", content=f"Something new about {id[:4]}, entirely.", replaces=id),
            client.call("memory_rule_propose", rule="Send a key with every retry.", lessons=[id]),
            client.call("memory_draft_save", id=id, principle="Send a key with every retry."),
        ]
        client.begin("resources/read", {"uri": f"hardwon://memory/{id}"})
        said.append(client.receive())
    return json.dumps(said, ensure_ascii=False)


@pytest.mark.parametrize("name", ["gemini-cli", "nobody we know", " ", "*"])
def test_no_tool_and_no_resource_shows_what_is_for_another(
    start: Callable[..., Any], hidden: list[MemoryEntry], name: str
) -> None:
    client = start()
    client.introduce(name=name)
    told = everything(client, [entry.id for entry in hidden])
    assert "Retry the payment gateway with a key." in told
    for text in (SECRET, APART, PRIVATE_RULE):
        assert text not in told


def test_the_agent_that_it_is_for_sees_it(start: Callable[..., Any], hidden: list[MemoryEntry]) -> None:
    client = start()
    client.introduce(name="codex-mcp-client")
    told = json.dumps(client.call("memory_search", query="payment gateway retry"))
    assert SECRET in told
    assert APART not in told
