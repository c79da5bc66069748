"""Codex's transcripts of every version: what a person typed is theirs once, and nothing that the program wrote is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.session import Speaker, Turn
from hardwon_codex.tool_outputs import asked, outcome
from hardwon_codex.transcript import read_transcript

Row = dict[str, Any]
META = {"id": "0197", "cwd": "/srv/shop", "source": "cli", "git": {"branch": "main", "commit_hash": "x"}}


def row(kind: str, /, **payload: Any) -> Row:
    return {"timestamp": "2026-11-30T10:00:00Z", "type": kind, "payload": payload}


def item(role: str, text: str, turn: str | None = None, kinds: list[str] | None = None) -> Row:
    passed = {"turn_id": turn, "content_item_kinds": kinds} if turn else None
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    more = {"internal_chat_message_metadata_passthrough": passed} if passed else {}
    return row("response_item", type="message", role=role, content=content, **more)


def numbered(rows: list[Row]) -> list[Row]:
    return [{**each, "ordinal": number} for number, each in enumerate(rows)]


def told(text: str) -> Row:
    """Return the event by which versions up to 2026 tell what was typed."""
    return row("event_msg", type="user_message", message=text, kind="plain")


def completed(text: str, turn: str) -> Row:
    """Return the event by which newer versions tell it."""
    return row(
        "event_msg",
        type="item_completed",
        turn_id=turn,
        item={"type": "UserMessage", "content": [{"type": "text", "text": text}]},
    )


def read(tmp_path: Path, *rows: Row, meta: Row | None = None) -> list[Turn]:
    path = tmp_path / "rollout-2026-11-30T10-00-00-01a229c9-edf7-73c2-963e-78b0ae322128.jsonl"
    given = numbered([row("session_meta", **(META | (meta or {}))), *rows])
    path.write_text("".join(json.dumps(each) + "\n" for each in given), encoding="utf-8")
    found = list(read_transcript(path))
    assert all(isinstance(each, Turn) for each in found)
    return [each for each in found if isinstance(each, Turn)]


def said(turn: Turn) -> list[tuple[str, str]]:
    return [(message.by.value, message.text) for message in turn.messages]


def test_an_older_transcript_tells_each_prompt_once(tmp_path: Path) -> None:
    """An item and an event tell of it; the same words typed twice are two turns."""
    rows = [
        item("user", "continue"),
        told("continue"),
        item("assistant", "One."),
        item("user", "continue"),
        told("continue"),
    ]
    first, second = read(tmp_path, *rows)
    assert (said(first), said(second)) == ([("user", "continue"), ("agent", "One.")], [("user", "continue")])
    assert (first.session, first.folder, first.branch) == ("0197", Path("/srv/shop"), "main")


def test_a_newer_transcript_tells_each_prompt_once(tmp_path: Path) -> None:
    """Whichever of its three sources comes first; what is typed while the agent works is in the turn."""
    kinds = ["user.text"]
    rows = [
        completed("Fix it.", "t1"),
        item("user", "Fix it.", "t1", kinds),
        item("user", "and test it", "t1", kinds),
        completed("and test it", "t1"),
        item("assistant", "Done."),
        item("user", "Fix it.", "t2", kinds),
        completed("Fix it.", "t2"),
    ]
    first, second = read(tmp_path, *rows)
    assert said(first) == [("user", "Fix it."), ("user", "and test it"), ("agent", "Done.")]
    assert said(second) == [("user", "Fix it.")]


NOT_TYPED = {
    "instructions of a repository": "# AGENTS.md instructions for /srv/shop\n\n<INSTRUCTIONS>\nTabs.\n</INSTRUCTIONS>",
    "older instructions": "<user_instructions>\nUse tabs.\n</user_instructions>",
    "the environment": "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>",
    "an interrupt": "<turn_aborted>\nThe user interrupted.\n</turn_aborted>",
    "the output of a shell command": "<user_shell_command>\n<command>ls</command>\n</user_shell_command>",
    "a skill": "<skill>\n<name>x</name>\nUse tabs.\n</skill>",
    "what a later version may write": "<brand_new_notice>\nUse tabs.\n</brand_new_notice>",
}


@pytest.mark.parametrize("text", NOT_TYPED.values(), ids=NOT_TYPED)
def test_what_no_person_typed_is_nobodys_word(tmp_path: Path, text: str) -> None:
    (turn,) = read(tmp_path, item("user", text), item("user", "Fix it."), item("assistant", "Done."))
    assert said(turn) == [("user", "Fix it."), ("agent", "Done.")]


def test_newer_versions_say_where_words_come_from(tmp_path: Path) -> None:
    """A person may type an element; a hook's context is no person's, whatever it looks like."""
    typed, hook = "<p>why?</p>", "Always use tabs."
    (turn,) = read(
        tmp_path,
        item("user", typed, "t1", ["user.text"]),
        item("user", hook, "t1", ["hooks.additional_context"]),
        item("developer", hook, "t1", ["hooks.additional_context"]),
    )
    assert said(turn) == [("user", typed)]


def test_the_context_of_an_editor_is_cut_off(tmp_path: Path) -> None:
    text = "# Context from my IDE setup:\n\n## Active file: x.py\n\n## My request for Codex:\nFix it.\n"
    assert said(read(tmp_path, item("user", text))[0]) == [("user", "Fix it.")]


def test_a_sub_agents_transcript_holds_no_turn(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "1"}}}
    assert read(tmp_path, item("user", "Look."), meta={"source": source}) == []


def test_a_forks_file_is_its_own_session(tmp_path: Path) -> None:
    """It holds the meta row of its parent too."""
    rows = [row("session_meta", id="parent", cwd="/other"), item("user", "Fix it.")]
    assert [(turn.session, turn.folder) for turn in read(tmp_path, *rows)] == [("0197", Path("/srv/shop"))]


def test_the_first_version_wrote_payloads_alone(tmp_path: Path) -> None:
    path = tmp_path / "rollout-2025-05-01-01a229c9-edf7-73c2-963e-78b0ae322128.jsonl"
    rows = [
        {"id": "x", "timestamp": "2025-05-01T10:00:00Z", "instructions": "Use tabs."},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix it."}]},
        {"record_type": "state"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    (turn,) = (each for each in read_transcript(path) if isinstance(each, Turn))
    assert said(turn) == [("user", "Fix it."), ("agent", "Done.")]
    assert turn.session == "01a229c9-edf7-73c2-963e-78b0ae322128"


def test_calls_of_tools_are_told_with_what_came_back(tmp_path: Path) -> None:
    given = json.dumps({"command": ["bash", "-lc", "make test"]})
    (turn,) = read(
        tmp_path,
        item("user", "Fix it."),
        row("response_item", type="function_call", name="shell", call_id="1", arguments=given),
        row("response_item", type="reasoning", summary=[{"text": "hm"}]),
        row(
            "response_item",
            type="function_call_output",
            call_id="1",
            output='{"output":"boom","metadata":{"exit_code":2}}',
        ),
    )
    tool = turn.messages[1]
    assert (tool.by, tool.tool, tool.request, tool.text, tool.failed) == (
        Speaker.TOOL,
        "shell",
        "make test",
        "boom",
        True,
    )


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        ("plain", "plain", False),
        ("{not json", "{not json", False),
        ('{"output": "ok", "metadata": {"exit_code": 0}}', "ok", False),
        ({"content": "no", "success": False}, "no", True),
        (
            [{"type": "input_text", "text": "Wall time: 0.1 seconds\nOutput:"}, {"type": "input_text", "text": "x"}],
            "x",
            False,
        ),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nboom", "boom", True),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 1 is bad", "Exit code: 1 is bad", False),
        (None, "", False),
    ],
)
def test_what_came_back_is_told_from_its_wrapping(output: Any, text: str, failed: bool) -> None:
    assert outcome(output) == (text, failed)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ('{"cmd": "git  status"}', "git status"),
        ('{"command": ["ls", "-l"]}', "ls -l"),
        ({"command": ["/bin/zsh", "-lc", "ls\n-l"]}, "ls -l"),
        ("*** Begin Patch\n*** Update File: x", "*** Begin Patch *** Update File: x"),
        ("{broken", "{broken"),
        (None, ""),
    ],
)
def test_what_was_asked_is_one_line(given: Any, line: str) -> None:
    assert asked(given) == line
