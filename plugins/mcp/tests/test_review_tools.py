"""An agent proposes and shows; the user decides, or says that agents may pass it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import Proposal, ProposalKind, instance_of
from hardwon.testing.examples import memory

Start = Callable[..., Any]
LESSON = {
    "content": "The payment API charges twice when a call that timed out is repeated.",
    "principle": "Send the same idempotency key with every repeat of a request that may have taken effect.",
}


def proposed(client: Any) -> Any:
    lesson = client.told("memory_save", **LESSON)["memory"]["id"]
    return client.told("memory_rule_propose", rule=LESSON["principle"], lessons=[lesson], why="It costs money.")


def test_a_proposed_rule_waits_for_the_user(client: Any, hardwon: Callable[..., Any]) -> None:
    """It is in the queue and nowhere else."""
    proposal = proposed(client)
    assert (proposal["new"], proposal["state"]) == (True, "pending")
    [listed] = client.told("memory_review_list")["proposals"]
    assert listed["id"] == proposal["id"]
    shown = client.told("memory_review_show", id=proposal["id"][:6])
    assert "It costs money. (Proposed by test-client.)" in shown["rationale"]
    assert shown["instances"][0]["text"] == LESSON["content"]
    assert [each["id"] for each in hardwon("review", "list")] == [proposal["id"]]
    assert hardwon("rules") == []
    assert proposed(client)["new"] is False


def test_a_proposed_rule_is_held_to_the_same_words(client: Any) -> None:
    lesson = client.told("memory_save", **LESSON)["memory"]["id"]
    assert "holds a call (send_again())" in client.refused(
        "memory_rule_propose", rule="Always call send_again().", lessons=[lesson]
    )
    assert "There is no memory" in client.refused(
        "memory_rule_propose", rule=LESSON["principle"], lessons=[lesson, "nosuchmemory"]
    )
    assert client.told("memory_review_list")["waiting"] == 0


def test_deciding_is_the_users(client: Any, home: Path, hardwon: Callable[..., Any]) -> None:
    """Until they allow it; then it is done in their name, and who was told is kept."""
    id = proposed(client)["id"]
    assert "deciding is the user's" in client.refused("memory_review_decide", id=id, decision="accept")
    (home / "config.toml").write_text("[plugins.mcp]\ndecide = true\n", encoding="utf-8")
    told = client.told("memory_review_decide", id=id, decision="accept", why="yes, always")
    assert [rule["id"] for rule in hardwon("rules")] == [told["rule_id"]]
    [decision] = hardwon("audit")
    assert decision["why"] == "yes, always (told to test-client)"
    client.told("memory_review_decide", id=id, decision="undo")
    assert hardwon("rules") == []
    assert "“text” is missing" in client.refused("memory_review_decide", id=id, decision="rewrite")
    client.told("memory_review_decide", id=id, decision="rewrite", text="Repeat a request with its first key.")
    client.told("memory_review_decide", id=id, decision="undo")
    client.told("memory_review_decide", id=id, decision="reject")
    (home / "config.toml").write_text("", encoding="utf-8")
    assert "deciding is the user's" in client.refused("memory_review_decide", id=id, decision="undo")


def test_who_asks_for_a_tool_that_there_is_not_hears_of_those_that_are_offered(client: Any, home: Path) -> None:
    """Deciding is none of them until the user allows it."""
    client.told("memory_save", **LESSON)
    call = {"name": "memory_delete", "arguments": {}}
    assert "memory_review_decide" not in client.request("tools/call", call)["error"]["message"]
    (home / "config.toml").write_text("[plugins.mcp]\ndecide = true\n", encoding="utf-8")
    assert "memory_review_decide" in client.request("tools/call", call)["error"]["message"]


def test_lessons_of_other_projects_are_named_and_not_quoted_before_the_user_decides(
    client: Any, start: Start, repository: Callable[..., Path], tmp_path: Path, home: Path
) -> None:
    id = proposed(client)["id"]
    other = start(repository(tmp_path / "bank"))
    other.introduce()
    result = other.call("memory_review_show", id=id)
    [instance] = result["structuredContent"]["instances"]
    assert "of another project" in instance["text"]
    assert LESSON["content"] not in json.dumps(result)
    assert "It costs money." not in json.dumps(result)
    (home / "config.toml").write_text("[plugins.mcp]\ndecide = true\n", encoding="utf-8")
    allowed = other.told("memory_review_show", id=id)
    assert allowed["instances"][0]["text"] == LESSON["content"]
    assert "It costs money." in allowed["rationale"]


def test_a_conflict_of_another_project_is_named_and_not_quoted(
    client: Any, start: Start, repository: Callable[..., Path], tmp_path: Path, home: Path
) -> None:
    """Its question holds both memories, word for word."""
    for port in (5432, 5433):
        client.told("memory_save", kind="fact", content=f"The staging database runs on port {port}.")
    [question] = client.told("memory_review_list")["proposals"]
    assert (question["kind"], question["rule"]) == ("settle-conflict", "The staging database runs on port 5433.")
    own = client.told("memory_review_show", id=question["id"])
    assert {each["text"] for each in own["targets"]} >= {"The staging database runs on port 5432."}
    other = start(repository(tmp_path / "bank"))
    other.introduce()
    asked = [other.call("memory_review_list"), other.call("memory_review_show", id=question["id"])]
    assert "staging database" not in json.dumps(asked)
    assert question["id"] in json.dumps(asked[0])
    (home / "config.toml").write_text("[plugins.mcp]\ndecide = true\n", encoding="utf-8")
    assert "5432" in other.told("memory_review_show", id=question["id"])["rationale"]


def test_what_would_be_retired_is_not_told_as_a_rule_to_adopt(client: Any, home: Path) -> None:
    """Accepting it takes the rule away."""
    with Home(home) as opened:
        opened.create()
        [rule] = opened.storage.memories.put([memory("Sleep in tests.", kind=Kind.RULE)])
        retire = Proposal(
            id="retire1",
            kind=ProposalKind.RETIRE,
            rule=rule.content,
            targets=(instance_of(rule),),
            created_at=opened.clock.now(),
        )
        opened.queue.add([retire])
    for name, arguments in (("memory_review_list", {}), ("memory_review_show", {"id": "retire1"})):
        result = client.call(name, **arguments)
        assert "retire" in result["content"][0]["text"].replace("retire1", "")
    assert client.told("memory_review_show", id="retire1")["targets"] == [{"id": rule.id, "text": "Sleep in tests."}]


def test_an_accepted_rule_reaches_every_project(
    client: Any, start: Start, repository: Callable[..., Path], tmp_path: Path, hardwon: Callable[..., Any]
) -> None:
    """By search and as a resource."""
    rule = hardwon("review", "accept", proposed(client)["id"])["rule_id"]
    other = start(repository(tmp_path / "bank"))
    other.introduce()
    found = other.told("memory_search", query="repeat a request that may have taken effect")["memories"]
    assert found[0]["id"] == rule
    [content] = other.request("resources/read", {"uri": "hardwon://rules"})["contents"]
    assert LESSON["principle"] in content["text"]
    assert content["mimeType"] == "text/markdown"


def test_the_evidence_of_an_accepted_rule_may_be_read_and_judged_wherever_it_holds(
    client: Any, start: Start, repository: Callable[..., Path], tmp_path: Path, hardwon: Callable[..., Any]
) -> None:
    """And not a moment before, nor when the decision was taken back."""
    lesson = client.told("memory_save", **LESSON)["memory"]["id"]
    id = proposed(client)["id"]
    other = start(repository(tmp_path / "bank"))
    other.introduce()
    address = {"uri": f"hardwon://memory/{lesson}"}
    assert "error" in other.request("resources/read", address)
    hardwon("review", "accept", id)
    assert LESSON["content"] in other.request("resources/read", address)["contents"][0]["text"]
    assert other.told("memory_feedback", id=lesson[-8:], verdict="useful")["id"] == lesson
    hardwon("review", "undo", id)
    assert "error" in other.request("resources/read", address)
    assert "There is no memory" in other.refused("memory_feedback", id=lesson[-8:], verdict="stop")
