"""Reads a session that `opencode export` wrote: one JSON object of its head and its messages with their parts.

The plugin captures the same sessions live (javascript/hardwon/session.mjs); ids and texts come out the same, so that a
turn captured and imported is one. Only what a slash command's template added is not told apart here: the export holds
no sign of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon_command_hooks.json_rows import json_rows
from hardwon_command_hooks.row_fields import folder_of, moment_of, request_of, shortened, word_of
from hardwon_command_hooks.turn_builder import TurnBuilder

HARNESS = "opencode"
Row = Mapping[str, Any]
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
"""`opencode run "two words"` puts what its shell took the quotes from into quotes again."""


def read_transcript(path: Path) -> Iterator[Turn | Problem]:
    """Walk the turns of an exported session. Raises OSError when the file cannot be read."""
    for export in json_rows(path):
        if isinstance(export, Problem):
            yield export
        elif not isinstance(export.get("info"), Mapping) or not isinstance(export.get("messages"), list):
            yield Problem(where=str(path), what="This is no session of OpenCode; give a file of `opencode export ID`.")
        elif not export["info"].get("parentID"):
            yield from _turns(export["info"], export["messages"], path)


def _turns(info: Row, messages: list[Any], path: Path) -> Iterator[Turn]:
    session, folder = word_of(info.get("id")) or path.stem, folder_of(info.get("directory"))
    builder = TurnBuilder(HARNESS)
    for message in messages:
        head = message.get("info") if isinstance(message, Mapping) else None
        if not isinstance(head, Mapping) or not isinstance(id := head.get("id"), str) or head.get("summary") is True:
            continue
        at = moment_of(_field(head, "time", "created"))
        parts = [part for part in message.get("parts") or [] if isinstance(part, Mapping)]
        said = [part["text"] for part in parts if _is_said(part)]
        if head.get("role") != "user":
            for part in parts:
                if row := _agent_message(part, at):
                    builder.add(session, row, folder=folder)
        elif said:
            yield from builder.begin(session, id, at=at, folder=folder)
            builder.add(session, Message(id, Speaker.USER, typed_words("\n".join(said)), at=at), folder=folder)
    yield from builder.rest()


def typed_words(text: str) -> str:
    """Return what a person typed."""
    text = text.strip()
    quoted = _QUOTED.fullmatch(text)
    return quoted[1].replace('\\"', '"') if quoted else text


def _is_said(part: Row) -> bool:
    """Tell whether a part holds words of the one whose message it is; what OpenCode or a plugin put there is marked."""
    text = part.get("text")
    is_added = part.get("synthetic") or part.get("ignored")
    return part.get("type") == "text" and not is_added and isinstance(text, str) and bool(text.strip())


def _agent_message(part: Row, at: Any) -> Message | None:
    id, state = part.get("id"), part.get("state")
    if not isinstance(id, str):
        return None
    if _is_said(part):
        return Message(id, Speaker.AGENT, part["text"], at=at)
    if (
        part.get("type") != "tool"
        or not isinstance(state, Mapping)
        or state.get("status") not in ("completed", "error")
    ):
        return None
    failed = state["status"] == "error"
    given = state.get("error" if failed else "output")
    return Message(
        id,
        Speaker.TOOL,
        shortened(given) if isinstance(given, str) else "",
        at=moment_of(_field(state, "time", "end")) or at,
        tool=str(part.get("tool")),
        request=request_of(state.get("input")),
        failed=failed,
    )


def _field(row: Row, *names: str) -> Any:
    value: Any = row
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
