"""What `opencode export` wrote becomes turns: a person's words, what tools did, the agent's words, and nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon_opencode.transcript import read_transcript, typed_words

EXPORT = Path(__file__).parent / "fixtures" / "transcript.export.json"
SESSION = "ses_dd6353622ffeFjCohCr11l1vR3"


def read(path: Path) -> list[Turn | Problem]:
    return list(read_transcript(path))


def altered(tmp_path: Path, **info: Any) -> Path:
    """Return the recorded export with other facts in its head."""
    export = json.loads(EXPORT.read_bytes())
    export["info"].update(info)
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export), encoding="utf-8")
    return path


def test_a_recorded_session_is_one_turn() -> None:
    """Without what a plugin showed; the quotes that `opencode run` put around the words are not the person's."""
    asked = datetime.fromtimestamp(1795997485.730, UTC)
    tool = datetime.fromtimestamp(1795997490.068, UTC)
    answered = datetime.fromtimestamp(1795997490.271, UTC)
    user = "msg_229cacaa1001lndxDgn4A66diX"
    note = "MCP-NOTE for deploy: the deploy key lives in vault 7"

    [turn] = read(EXPORT)

    assert turn == Turn(
        "opencode",
        SESSION,
        user,
        (
            Message(user, Speaker.USER, "what is the deploy key?", asked),
            Message("prt_229cadb70001049jEhFIatJqCm", Speaker.TOOL, note, tool, "memo_recall_note", "deploy"),
            Message("prt_229cadd140015ML7vjE6g4rFIM", Speaker.AGENT, "FAKE-MODEL-REPLY: all done.", answered),
        ),
        at=asked,
        folder=Path("/home/you/project"),
    )


def test_a_sub_agents_session_is_left_out(tmp_path: Path) -> None:
    assert read(altered(tmp_path, parentID="ses_parent")) == []


def test_a_session_whose_head_says_little_is_read(tmp_path: Path) -> None:
    """It has the file's name, and no folder."""
    [turn] = read(altered(tmp_path, id=None, directory="not/absolute"))
    assert isinstance(turn, Turn)
    assert (turn.session, turn.folder) == ("export", None)


@pytest.mark.parametrize("text", ["{}", '{"info": {}, "messages": 7}', "[]", "not JSON\n", '{"info": 1'])
def test_what_is_no_session_is_a_problem(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    [problem] = read(path)
    assert isinstance(problem, Problem)


def test_rows_of_no_known_form_are_passed_over(tmp_path: Path) -> None:
    """Also a summary that the harness had made, and a tool that did not come to its end."""
    head = {"id": "m", "role": "assistant", "time": {"created": "yesterday"}}
    parts: list[Any] = [
        7,
        {"type": "tool", "id": "t", "state": {"status": "running"}},
        {"type": "text", "text": "words"},
    ]
    messages: list[Any] = [
        7,
        {"info": None},
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "x"}]},
        {"info": head, "parts": parts},
        {"info": {**head, "summary": True}, "parts": [{"type": "text", "id": "p", "text": "the summary"}]},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"info": {"id": "s"}, "messages": messages}), encoding="utf-8")
    assert read(path) == []


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ('"two words"', "two words"),
        ('"say \\"hi\\" twice"', 'say "hi" twice'),
        ('hello "there is" more', 'hello "there is" more'),
        ('"a" and "b"', '"a" and "b"'),
        (' 时区\n', "时区"),
        ('"open', '"open'),
    ],
)  # fmt: skip
def test_only_the_quotes_around_the_whole_are_not_the_persons(text: str, typed: str) -> None:
    assert typed_words(text) == typed
