"""Claude Code's transcripts as they lie on a disk: damaged, doubled, interleaved, huge, and many."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.records import Problem, Skipped
from hardwon.kernel.session import Turn
from hardwon.kernel.text import clean
from hardwon_claude_code.adapter import ClaudeCode
from hardwon_claude_code.transcript import read_transcript


def test_interleaved_sessions_are_told_apart(tmp_path: Path, rows: Any) -> None:
    """And rows that come twice are told once."""
    other = {"sessionId": "t"}
    turns = rows.read(
        rows.user("One."),
        rows.user("Two.", "v1", **other),
        rows.agent("Done one."),
        rows.agent("Done two.", "b1", **other),
        rows.user("One."),
        rows.agent("Done one."),
    )
    assert {turn.session: rows.said(turn) for turn in turns} == {
        "s": [("user", "One."), ("agent", "Done one.")],
        "t": [("user", "Two."), ("agent", "Done two.")],
    }


def test_a_file_that_begins_in_the_middle_has_that_turn_too(tmp_path: Path, rows: Any) -> None:
    (turn,) = rows.read(rows.agent("Done."), rows.user([{"type": "tool_result", "content": "ok"}], "r1"))
    assert (turn.id, rows.said(turn)) == ("a1", [("agent", "Done."), ("tool", "ok")])


def test_detached_heads_and_relative_folders_are_none(tmp_path: Path, rows: Any) -> None:
    (turn,) = rows.read(rows.user("Go.", gitBranch="HEAD", cwd="shop", timestamp="yesterday"))
    assert (turn.branch, turn.folder, turn.at) == (None, None, None)


def test_every_kind_of_damage_is_read_around(tmp_path: Path, rows: Any) -> None:
    """Power loss, two objects on a line, separators in texts that are no line ends, half of a surrogate pair."""
    path = tmp_path / "s.jsonl"
    separators = rows.user("a\u2028b\u2029c\u0085d\x0be\x0cf\x1eg", "u3")
    path.write_bytes(
        b"\n".join(
            [
                b"\xef\xbb\xbf" + json.dumps(rows.user("first")).encode(),
                b'{"type":"user","message":{"content":"cut',
                b"",
                b"null",
                b"[]",
                b"42",
                b"\0" * 4096,
                json.dumps(rows.agent("glued")).encode() + b" " + json.dumps(rows.user("second", "u2")).encode(),
                json.dumps(separators, ensure_ascii=False).encode(),
                b'{"type":"user","uuid":"u4","sessionId":"s","message":{"content":"half \\ud83d pair \\u0000"}}',
                b'{"type":"user","uuid":"u5","message":null}',
                b'{"type":"user","uuid":"u6","message":{"content":{"odd":1}}}',
                b'{"type":"assistant","uuid":"u7","message":{"content":[{"type":"tool_use"},"x",3]}}',
                "\u007b\u0022type\u0022: \u0022\xff".encode("latin-1"),
                json.dumps(rows.user("last", "u8")).encode(),
                b'{"type":"user","uuid":"u9","message":{"content":"being writt',
            ]
        )
    )
    found = list(read_transcript(path))
    turns = [each for each in found if isinstance(each, Turn) and each.session == "s"]
    assert [turn.messages[0].text for turn in turns] == [
        "first",
        "second",
        clean(separators["message"]["content"]),
        clean("half \ud83d pair \u0000").strip(),
        "last",
    ]
    problems = [each for each in found if isinstance(each, Problem)]
    assert sorted(int(each.where.rpartition(":")[2]) for each in problems) == [2, 4, 5, 6, 14, 16]
    assert [type(each) for each in problems].count(Skipped) == 1
    assert all(message.text.encode("utf-8") for turn in turns for message in turn.messages)


def test_a_row_of_thirty_megabytes_hides_no_neighbour(tmp_path: Path, rows: Any) -> None:
    """Screenshots are pasted as text."""
    path = tmp_path / "s.jsonl"
    image = {"type": "image", "source": {"type": "base64", "data": "A" * 30_000_000}}
    given = [
        rows.user("before"),
        rows.user([image, {"type": "text", "text": "this"}], "u2"),
        rows.user("after", "u3"),
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in given), encoding="utf-8")
    turns = [each for each in read_transcript(path) if isinstance(each, Turn)]
    assert [rows.said(each) for each in turns] == [[("user", "before")], [("user", "this")], [("user", "after")]]


def test_transcripts_are_found_and_those_of_sub_agents_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Oldest first; `since` leaves out what was not written since."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    for place, name in enumerate(
        ["-b/two.jsonl", "-a/one.jsonl", "-a/agent-x.jsonl", "-a/one/subagents/agent-y.jsonl"]
    ):
        path = tmp_path / "projects" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (1000 - place, 1000 - place))
    assert [path.name for path in ClaudeCode().transcripts()] == ["one.jsonl", "two.jsonl"]
    assert [path.name for path in ClaudeCode().transcripts(datetime.fromtimestamp(1000, UTC))] == ["two.jsonl"]
