"""Reads Qwen Code's chats: rows as Claude Code's, with messages in the parts of Gemini's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon_command_hooks.json_rows import json_rows
from hardwon_command_hooks.row_fields import (
    branch_of,
    folder_of,
    is_slash_command,
    made_id,
    moment_of,
    request_of,
    shortened,
    text_of,
    without_elements,
    word_of,
)
from hardwon_command_hooks.skills import is_our_text
from hardwon_command_hooks.turn_builder import TurnBuilder

HARNESS = "qwen"
Row = Mapping[str, Any]
_MID_TURN = "mid_turn_user_message"
_ADDED = ("qwen:user-prompt-submit-context", "qwen:session-start-context", "system-reminder")
_THROUGH_ANOTHER = "tool_call"
"""The tool by which it calls tools that it found by a search."""


def read_transcript(path: Path) -> Iterator[Turn | Problem]:
    """Walk the turns of a chat. Raises OSError when the file cannot be read."""
    turns = TurnBuilder(HARNESS)
    calls: dict[str, Row] = {}
    for row in json_rows(path):
        if isinstance(row, Problem):
            yield row
        elif not row.get("backgroundTurn") and isinstance(row.get("message"), Mapping):
            yield from _take(row, turns, calls, word_of(row.get("sessionId")) or path.stem)
    yield from turns.rest()


def _take(row: Row, turns: TurnBuilder, calls: dict[str, Row], session: str) -> Iterator[Turn]:
    """Take a row; give back the turn that it ended."""
    kind, subtype = row.get("type"), row.get("subtype")
    id = word_of(row.get("uuid")) or made_id(session, row)
    folder, branch = folder_of(row.get("cwd")), branch_of(row.get("gitBranch"))
    messages: list[Message] = []
    if kind == "user" and subtype in (None, _MID_TURN) and row.get("provenance") in (None, "real_user"):
        if subtype is None:
            yield from turns.begin(session, id, at=moment_of(row.get("timestamp")), folder=folder, branch=branch)
        messages = [Message(id, Speaker.USER, _typed(row), at=moment_of(row.get("timestamp")))]
    elif kind == "assistant" and subtype is None:
        messages = _said(row, id, calls)
    elif kind == "tool_result" and subtype is None:
        messages = _results(row, id, calls)
    for message in messages:
        turns.add(session, message, folder=folder, branch=branch)


def _parts(row: Row) -> list[Row]:
    parts = row["message"].get("parts")
    return [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []


def _typed(row: Row) -> str:
    """Return what a person typed; a command of theirs is none of their words."""
    payload = row.get("systemPayload")
    shown = text_of(payload.get("displayText")) if isinstance(payload, Mapping) else ""
    words = without_elements(shown or text_of(_parts(row)), *_ADDED)
    return "" if is_slash_command(words) or is_our_text(words) else words


def _said(row: Row, id: str, calls: dict[str, Row]) -> list[Message]:
    """Return the agent's words; the calls of tools in them are kept until they are answered. Thoughts are left out."""
    words = []
    for part in _parts(row):
        call = part.get("functionCall")
        if isinstance(call, Mapping):
            calls[str(call.get("id"))] = call
        elif not part.get("thought"):
            words.append(text_of(part))
    return [Message(id, Speaker.AGENT, "\n".join(words).strip(), at=moment_of(row.get("timestamp")))]


def _results(row: Row, id: str, calls: dict[str, Row]) -> list[Message]:
    answers = [answer for part in _parts(row) if isinstance(answer := part.get("functionResponse"), Mapping)]
    outcome = row.get("toolCallResult")
    failed = isinstance(outcome, Mapping) and outcome.get("status") == "error"
    return [
        _result(f"{id}+{place}" if place else id, answer, calls.pop(str(answer.get("id")), {}), row, failed=failed)
        for place, answer in enumerate(answers)
    ]


def _result(id: str, answer: Row, call: Row, row: Row, *, failed: bool) -> Message:
    name, given = word_of(answer.get("name")) or "tool", call.get("args")
    if name == _THROUGH_ANOTHER and isinstance(given, Mapping):
        name, given = word_of(given.get("name")) or name, given.get("arguments")
    response = answer.get("response")
    text = text_of(response.get("output", response.get("error"))) if isinstance(response, Mapping) else ""
    at = moment_of(row.get("timestamp"))
    return Message(id, Speaker.TOOL, shortened(text), at=at, tool=name, request=request_of(given), failed=failed)
