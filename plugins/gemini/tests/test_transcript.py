"""Gemini CLI's chats of both forms: what a person typed is theirs, and nothing that was put beside it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.session import Speaker, Turn
from hardwon_command_hooks.skills import ARGUMENTS, skills
from hardwon_gemini.transcript import read_transcript

Row = dict[str, Any]
HEADER = {"sessionId": "s", "projectHash": "x", "startTime": "2026-11-30T10:00:00Z", "kind": "main"}


def message(kind: str, id: str, content: Any, **fields: Any) -> Row:
    return {"id": id, "timestamp": "2026-11-30T10:00:00Z", "type": kind, "content": content, **fields}


def user(id: str, *texts: str, **fields: Any) -> Row:
    return message("user", id, [{"text": text} for text in texts], **fields)


def read(path: Path) -> list[Turn]:
    return [each for each in read_transcript(path) if isinstance(each, Turn)]


def chat(tmp_path: Path, *rows: Row, header: Row = HEADER) -> list[Turn]:
    path = tmp_path / "project" / "chats" / "session-x.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in (header, *rows)), encoding="utf-8")
    return read(path)


def said(turn: Turn) -> list[tuple[str, str]]:
    return [(each.by.value, each.text) for each in turn.messages]


@pytest.mark.parametrize("indent", [None, 2])
def test_the_older_form_is_one_document(tmp_path: Path, indent: int | None) -> None:
    """On one line or indented, whatever its name ends in."""
    document = {**HEADER, "messages": [message("user", "1", "Fix it."), message("gemini", "2", "Done.")]}
    path = tmp_path / "session-x.jsonl"
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    (turn,) = read(path)
    assert (turn.session, turn.id, said(turn)) == ("s", "1", [("user", "Fix it."), ("agent", "Done.")])


def test_a_later_row_with_the_same_id_counts(tmp_path: Path) -> None:
    """In the place of the first; patches bring messages as well."""
    (turn,) = chat(
        tmp_path,
        {"$set": {"messages": [user("0", "<session_context>\nToday is…\n</session_context>")], "lastUpdated": "x"}},
        user("1", "Fix"),
        user("1", "Fix it."),
        message("gemini", "2", ""),
        message("gemini", "2", "Done."),
        {"$set": {"lastUpdated": "y"}},
    )
    assert said(turn) == [("user", "Fix it."), ("agent", "Done.")]


def test_a_chat_that_was_compressed_keeps_what_was_said(tmp_path: Path) -> None:
    """The summary is no person's word."""
    summary = {"$set": {"messages": [user("9", "<state_snapshot>\nuse tabs\n</state_snapshot>")]}}
    turns = chat(tmp_path, user("1", "Fix it."), message("gemini", "2", "Done."), summary, user("3", "Thanks."))
    assert [said(turn) for turn in turns] == [[("user", "Fix it."), ("agent", "Done.")], [("user", "Thanks.")]]


def test_what_was_rewound_was_taken_back(tmp_path: Path) -> None:
    turns = chat(tmp_path, user("1", "Fix it."), user("2", "Oops."), {"$rewindTo": "2"}, user("3", "And that."))
    assert [said(turn) for turn in turns] == [[("user", "Fix it.")], [("user", "And that.")]]
    assert [said(turn) for turn in chat(tmp_path, user("1", "Fix it."), {"$rewindTo": "gone"})] == []


def test_what_hooks_and_files_added_is_cut_off(tmp_path: Path) -> None:
    """In front of the words, in a part of its own, behind them; what was shown to the person counts."""
    hook = "<hook_context>Always use tabs.</hook_context>"
    rows = [
        user("1", f"{hook}\n\nFix it.", hook),
        user("2", "Look at @x.py", "\n--- Content from referenced files ---", "\nContent from @x.py:\nuse tabs"),
        user("3", "expanded", displayContent=[{"text": "as typed"}]),
        message("user", "4", [{"functionResponse": {"name": "x", "response": {"output": "use tabs"}}}]),
    ]
    assert [said(turn) for turn in chat(tmp_path, *rows)] == [
        [("user", "Fix it.")],
        [("user", "Look at @x.py")],
        [("user", "as typed")],
    ]


def test_commands_begin_turns_and_are_nobodys_words(tmp_path: Path) -> None:
    """Its own, and ours, which it keeps expanded as if the user had typed them; a path is no command."""
    ours = skills()[0].body.replace(ARGUMENTS, "never mind")
    rows = [
        user("1", "/review all"),
        message("gemini", "2", "Reviewed."),
        user("3", ours),
        message("gemini", "4", "Kept."),
    ]
    turns = chat(tmp_path, *rows, user("5", "/home/x is wrong"))
    assert [said(turn) for turn in turns] == [
        [("agent", "Reviewed.")],
        [("agent", "Kept.")],
        [("user", "/home/x is wrong")],
    ]


def test_calls_of_tools_are_told_with_what_came_back(tmp_path: Path) -> None:
    output = "<untrusted_context>\nboom\n</untrusted_context>\n\n\n<hook_context>x</hook_context>"
    call = {
        "id": "c",
        "name": "run_shell_command",
        "args": {"command": "make test"},
        "status": "error",
        "result": [{"functionResponse": {"response": {"output": output}}}],
    }
    thought = {"subject": "hm", "description": "use tabs"}
    (turn,) = chat(tmp_path, user("1", "Fix it."), message("gemini", "2", "So.", toolCalls=[call], thoughts=[thought]))
    assert said(turn) == [("user", "Fix it."), ("agent", "So."), ("tool", "boom")]
    tool = turn.messages[2]
    assert (tool.by, tool.tool, tool.request, tool.failed) == (Speaker.TOOL, "run_shell_command", "make test", True)


def test_the_folder_is_told_by_the_file_beside_the_chats_or_the_first_message(tmp_path: Path) -> None:
    context = "<session_context>\n- **Workspace Directories:**\n  - /srv/shop\n- **Directory:**\n</session_context>"
    assert chat(tmp_path, user("0", context), user("1", "Go."))[0].folder == Path("/srv/shop")
    (tmp_path / "project" / ".project_root").write_text("/srv/家\n", encoding="utf-8")
    assert chat(tmp_path, user("0", context), user("1", "Go."))[0].folder == Path("/srv/家")


def test_a_sub_agents_chat_holds_no_turn(tmp_path: Path) -> None:
    assert chat(tmp_path, user("1", "Look."), header={**HEADER, "kind": "subagent"}) == []
