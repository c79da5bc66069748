"""What is listed is what every provider takes: plain schemas, honest annotations, names of letters (mcp-02, mcp-03)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon_mcp.definitions import TOOLS, offered_tools
from hardwon_mcp.schemas import problem_with

READING = {"memory_search", "memory_review_list", "memory_review_show", "memory_draft_next"}
PLAIN = {"type", "properties", "required", "additionalProperties", "description", "enum", "items", "minLength",
         "maxLength", "minItems", "maxItems", "minimum", "maximum"}  # fmt: skip


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Walk a schema and all those in it."""
    yield value
    for each in value.get("properties", {}).values():
        yield from schemas(each)
    if "items" in value:
        yield from schemas(value["items"])


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool["name"])
def test_a_tool_is_listed_as_every_provider_takes_it(tool: dict[str, Any]) -> None:
    assert re.fullmatch(r"[a-z_]{1,40}", tool["name"])
    assert tool["inputSchema"]["type"] == "object"
    for schema in schemas(tool["inputSchema"]):
        assert set(schema) <= PLAIN
        assert isinstance(schema["type"], str)
    for name, property in tool["inputSchema"]["properties"].items():
        assert property.get("description"), name
    assert 60 < len(tool["description"]) < 1_000
    assert set(tool["annotations"]) == {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


def test_annotations_say_what_a_tool_does() -> None:
    """Codex runs without asking what only reads; nothing here reaches beyond the memory or destroys anything."""
    assert {name for name, tool in TOOLS.items() if tool["annotations"]["readOnlyHint"]} == READING
    assert not any(tool["annotations"]["openWorldHint"] for tool in TOOLS.values())
    assert not any(tool["annotations"]["destructiveHint"] for tool in TOOLS.values())


def test_the_whole_list_costs_a_session_little() -> None:
    """Some 2,000 tokens that every request of a client carries which does not defer tools."""
    assert len(json.dumps(offered_tools("/nowhere"))) < 9_000


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [
        ("[plugins.mcp]\ndecide = true\n", True),
        ("\ufeff[plugins.mcp]\ndecide = true\n", True),
        ("[plugins.mcp]\ndecide = false\n", False),
        ('[plugins.mcp]\ndecide = "true"\n', False),
        ("[plugins.other]\ndecide = true\n", False),
        ("decide = true\n", False),
        ("plugins = 3 # decide\n", False),
        ("[plugins.mcp\ndecide = true\n", False),
        ("", False),
    ],
)
def test_deciding_is_offered_only_where_the_user_allows_it(tmp_path: Path, settings: str, allowed: bool) -> None:
    (tmp_path / "config.toml").write_text(settings, encoding="utf-8")
    names = {tool["name"] for tool in offered_tools(str(tmp_path))}
    assert ("memory_review_decide" in names) is allowed
    assert names | {"memory_review_decide"} == set(TOOLS)


def test_settings_that_are_a_pipe_allow_nothing_and_keep_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.toml")
    assert "memory_review_decide" not in {tool["name"] for tool in offered_tools(str(tmp_path))}


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("memory_search", {}, "“query” is missing; give it."),
        ("memory_search", {"query": None}, "“query” is missing; give it."),
        ("memory_search", {"query": "  "}, "“query” is empty; give a text."),
        ("memory_search", {"query": 3}, "“query” has to be a text; give one."),
        ("memory_search", {"query": "x", "limit": "3"}, "“limit” has to be a whole number; give one."),
        ("memory_search", {"query": "x", "limit": True}, "“limit” has to be a whole number; give one."),
        ("memory_search", {"query": "x", "limit": 0}, "“limit” lies between 1 and 20; give such a number."),
        (
            "memory_search",
            {"query": "x", "include": ["all"]},
            "“include” is one of observed, archived, journal;",
        ),
        ("memory_search", {"query": "x", "project": "y"}, "There is no argument “project”; there are query, limit, "),
        ("memory_rule_propose", {"rule": "x", "lessons": []}, "“lessons” holds 1 to 50 items, not 0; give as many."),
        (
            "memory_feedback",
            {"id": "x", "verdict": "great"},
            "“verdict” is one of useful, wrong, stop, followed, ignored; choose one.",
        ),
        ("memory_save", [], "“arguments” has to be an object; give one."),
        ("memory_save", {"content": "x" * 4001}, "“content” has 4001 characters where at most 4000 are taken; "),
    ],
)
def test_wrong_arguments_are_answered_with_what_to_give(tool: str, arguments: Any, told: str) -> None:
    problem = problem_with(TOOLS[tool]["inputSchema"], arguments)
    assert problem is not None
    assert problem.startswith(told)


def test_what_is_null_counts_as_not_given() -> None:
    """Some clients send every optional argument so."""
    assert problem_with(TOOLS["memory_search"]["inputSchema"], {"query": "x", "limit": None, "include": None}) is None


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(tool=st.sampled_from(sorted(TOOLS)), value=ANYTHING)
def test_whatever_is_given_is_taken_or_gets_a_sentence(tool: str, value: Any) -> None:
    _is_sentence(problem_with(TOOLS[tool]["inputSchema"], value))


@given(tool=st.sampled_from(sorted(TOOLS)), data=st.data())
def test_whatever_an_argument_is_it_is_taken_or_gets_a_sentence(tool: str, data: st.DataObject) -> None:
    names = st.sampled_from(sorted(TOOLS[tool]["inputSchema"]["properties"]))
    _is_sentence(problem_with(TOOLS[tool]["inputSchema"], data.draw(st.dictionaries(names, ANYTHING))))


def _is_sentence(problem: str | None) -> None:
    assert problem is None or problem.endswith(".")


@pytest.mark.parametrize("name", ["remember", "recall", "review", "draft"])
def test_prompts_name_only_tools_that_there_are(client: Any, name: str) -> None:
    arguments = {"question": "why?", "what": "{braces} and %s"}
    prompt = client.request("prompts/get", {"name": name, "arguments": arguments})
    [message] = prompt["messages"]
    text = message["content"]["text"]
    assert set(re.findall(r"memory_\w+", text)) <= set(TOOLS)
    assert name != "remember" or "{braces} and %s" in text


def test_a_prompt_says_what_it_needs(client: Any) -> None:
    assert "“question”" in client.request("prompts/get", {"name": "recall"})["error"]["message"]
    assert client.request("prompts/get", {"name": "remember"})["messages"]


def test_the_instructions_and_descriptions_name_only_tools_that_there_are(start: Callable[..., Any]) -> None:
    client = start()
    told = client.introduce()["instructions"] + json.dumps(offered_tools("/nowhere"))
    assert set(re.findall(r"memory_\w+", told)) <= set(TOOLS)
