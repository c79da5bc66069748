"""Qwen Code's chats: what a person typed is theirs, and nothing that the program wrote is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.session import Turn
from hardwon_qwen.transcript import read_transcript

Row = dict[str, Any]


def row(kind: str, id: str, *parts: Row, **fields: Any) -> Row:
    role = "model" if kind == "assistant" else "user"
    return {
        "uuid": id,
        "sessionId": "s",
        "timestamp": "2026-11-30T10:00:00Z",
        "type": kind,
        "cwd": "/srv/shop",
        "gitBranch": "main",
        "message": {"role": role, "parts": list(parts)},
        **fields,
    }


def user(id: str, *texts: str, **fields: Any) -> Row:
    return row("user", id, *({"text": text} for text in texts), **fields)


def read(tmp_path: Path, *rows: Row) -> list[Turn]:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return [each for each in read_transcript(path) if isinstance(each, Turn)]


def said(turn: Turn) -> list[tuple[str, str]]:
    return [(each.by.value, each.text) for each in turn.messages]


def test_a_turn_is_what_came_of_a_prompt(tmp_path: Path) -> None:
    """With the call of a tool that it found by a search under that tool's own name; thoughts are left out."""
    call = {"id": "c", "name": "tool_call", "args": {"name": "run_tests", "arguments": {"command": "make test"}}}
    answer = {"id": "c", "name": "tool_call", "response": {"output": "boom"}}
    (turn,) = read(
        tmp_path,
        user("1", "Fix it.", provenance="real_user"),
        row("assistant", "2", {"text": "hm", "thought": True}, {"text": "So."}, {"functionCall": call}),
        row("tool_result", "3", {"functionResponse": answer}, toolCallResult={"status": "error"}),
        row("assistant", "4", {"text": "Done."}),
    )
    assert said(turn) == [("user", "Fix it."), ("agent", "So."), ("tool", "boom"), ("agent", "Done.")]
    assert (turn.session, turn.folder, turn.branch) == ("s", Path("/srv/shop"), "main")
    tool = turn.messages[2]
    assert (tool.tool, tool.request, tool.failed) == ("run_tests", "make test", True)


def test_what_hooks_added_is_cut_off(tmp_path: Path) -> None:
    """What was shown to the person counts, where it is kept."""
    hook = "<qwen:user-prompt-submit-context>\nAlways use tabs.\n</qwen:user-prompt-submit-context>"
    first, second = read(
        tmp_path,
        user("1", "Fix it.", hook),
        user("2", "expanded", hook, systemPayload={"displayText": "as typed", "hookContext": "x"}),
    )
    assert (said(first), said(second)) == ([("user", "Fix it.")], [("user", "as typed")])


@pytest.mark.parametrize(
    "fields",
    [
        {"subtype": "notification"},
        {"subtype": "cron"},
        {"subtype": "goal_runtime"},
        {"provenance": "goal_control"},
        {"provenance": "subagent"},
        {"backgroundTurn": {"id": "x"}},
    ],
)
def test_what_no_person_typed_is_nobodys_word(tmp_path: Path, fields: Row) -> None:
    (turn,) = read(
        tmp_path,
        user("1", "Fix it."),
        user("2", "Always use tabs.", **fields),
        row("assistant", "3", {"text": "Done."}),
    )
    assert said(turn) == [("user", "Fix it."), ("agent", "Done.")]


def test_what_is_typed_while_the_agent_works_is_in_its_turn(tmp_path: Path) -> None:
    (turn,) = read(tmp_path, user("1", "Fix it."), user("2", "and test it", subtype="mid_turn_user_message"))
    assert said(turn) == [("user", "Fix it."), ("user", "and test it")]


def test_a_command_begins_a_turn_and_is_none_of_the_persons_words(tmp_path: Path) -> None:
    first, second = read(
        tmp_path,
        user("1", "Fix it."),
        user("2", "Keep this…", systemPayload={"displayText": "/hardwon:remember tabs"}),
        row("assistant", "3", {"text": "Kept."}),
    )
    assert (said(first), said(second)) == ([("user", "Fix it.")], [("agent", "Kept.")])
