"""Rows as Claude Code writes them, and the turns that come of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Turn
from hardwon_claude_code.transcript import read_transcript

Row = dict[str, Any]


class Rows:
    """Makes rows, and reads them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @staticmethod
    def row(kind: str, content: Any, id: str, **fields: Any) -> Row:
        return {
            "type": kind,
            "uuid": id,
            "sessionId": "s",
            "cwd": "/srv/shop",
            "gitBranch": "main",
            "timestamp": f"2026-11-30T10:00:{len(id):02d}Z",
            "message": {"role": kind, "content": content},
            **fields,
        }

    def user(self, content: Any, id: str = "u1", **fields: Any) -> Row:
        return self.row("user", content, id, **fields)

    def agent(self, text: str, id: str = "a1", **fields: Any) -> Row:
        return self.row("assistant", [{"type": "text", "text": text}], id, **fields)

    def call(self, command: str, id: str = "c1", name: str = "Bash", **given: Any) -> Row:
        block = {"type": "tool_use", "id": f"tool-{id}", "name": name, "input": {"command": command, **given}}
        return self.row("assistant", [block], id)

    def result(self, text: Any, of: str = "c1", id: str = "r1", *, failed: bool = False, **fields: Any) -> Row:
        block = {"type": "tool_result", "tool_use_id": f"tool-{of}", "content": text, "is_error": failed}
        return self.user([block], id, **fields)

    @staticmethod
    def queued(text: str, operation: str = "enqueue", at: str = "2026-11-30T10:00:30Z") -> Row:
        return {"type": "queue-operation", "operation": operation, "timestamp": at, "sessionId": "s", "content": text}

    @staticmethod
    def said(turn: Turn) -> list[tuple[str, str]]:
        return [(message.by.value, message.text) for message in turn.messages]

    def read(self, *rows: Row) -> list[Turn]:
        """Write rows to a transcript and return its turns; there must be no problem with it."""
        path = self._folder / "s.jsonl"
        path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows), encoding="utf-8")
        found = list(read_transcript(path))
        assert [each for each in found if isinstance(each, Problem)] == []
        return [each for each in found if isinstance(each, Turn)]


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    return Rows(tmp_path)
