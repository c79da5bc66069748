"""Reads Gemini CLI's chats: a header, messages of which a later one with the same id counts, and patches.

Older versions wrote one indented document, under the same name. A chat that was compressed keeps what was said before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon_command_hooks.json_rows import json_rows
from hardwon_command_hooks.row_fields import (
    folder_of,
    is_slash_command,
    moment_of,
    request_of,
    shortened,
    text_of,
    without_elements,
    word_of,
)
from hardwon_command_hooks.skills import is_our_text
from hardwon_command_hooks.turn_builder import TurnBuilder

HARNESS = "gemini"
Row = Mapping[str, Any]
_HOOK_CONTEXT = "hook_context"
_CONTEXT = ("<session_context>", "<state_snapshot>")
"""Beginnings of what the program wrote as a whole."""
_REFERENCED = re.compile(r"\s*--- Content from referenced files ---.*", re.DOTALL)
_WORKSPACE = re.compile(r"\*\*Workspace Directories:\*\*\s*\n\s*- (/[^\n]+)")


def read_transcript(path: Path) -> Iterator[Turn | Problem]:
    """Walk the turns of a chat; that of a sub-agent has none. Raises OSError when the file cannot be read."""
    header: dict[str, Any] = {}
    rows: dict[str, Row] = {}
    for row in json_rows(path):
        if isinstance(row, Problem):
            yield row
        else:
            _take(row, header, rows)
    if header.get("kind") != "subagent":
        yield from _turns(word_of(header.get("sessionId")) or path.stem, _folder(path, rows), rows)


def _take(row: Row, header: dict[str, Any], rows: dict[str, Row]) -> None:
    """Take a row into what is known of the chat."""
    patch = row.get("$set")
    if word_of(row.get("$rewindTo")):
        _rewind(rows, row["$rewindTo"])
    elif isinstance(patch, Mapping):
        _take_all(patch.get("messages"), rows)
    elif word_of(row.get("id")):
        rows[row["id"]] = row
    else:
        header.update({key: value for key, value in row.items() if key != "messages"})
        _take_all(row.get("messages"), rows)


def _take_all(messages: Any, rows: dict[str, Row]) -> None:
    for message in messages if isinstance(messages, list) else []:
        if isinstance(message, Mapping) and word_of(message.get("id")):
            rows[message["id"]] = message


def _rewind(rows: dict[str, Row], id: str) -> None:
    """Take back a message and all behind it: the person did."""
    ids = list(rows)
    for behind in ids[ids.index(id) if id in rows else 0 :]:
        del rows[behind]


def _folder(path: Path, rows: Mapping[str, Row]) -> Path | None:
    """Return the folder that the agent worked in: a file beside the chats names it, or the chat's first message."""
    try:
        return folder_of((path.parent.parent / ".project_root").read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        pass
    for row in rows.values():
        if found := _WORKSPACE.search(text_of(row.get("content"))):
            return folder_of(found[1].strip())
    return None


def _turns(session: str, folder: Path | None, rows: Mapping[str, Row]) -> Iterator[Turn]:
    turns = TurnBuilder(HARNESS)
    for id, row in rows.items():
        at = moment_of(row.get("timestamp"))
        if row.get("type") == "user":
            words = _asked(row)
            if words:
                yield from turns.begin(session, id, at=at, folder=folder)
            if not is_slash_command(words) and not is_our_text(words):
                turns.add(session, Message(id, Speaker.USER, words, at=at))
        elif row.get("type") == "gemini":
            turns.add(session, Message(id, Speaker.AGENT, text_of(row.get("content")).strip(), at=at), folder=folder)
            for message in _calls(id, row):
                turns.add(session, message, folder=folder)
    yield from turns.rest()


def _asked(row: Row) -> str:
    """Return what the agent was asked: what was shown to the person as theirs, where that is kept."""
    shown = without_elements(text_of(row.get("displayContent")), _HOOK_CONTEXT)
    words = _REFERENCED.sub("", shown or without_elements(text_of(row.get("content")), _HOOK_CONTEXT)).strip()
    return "" if words.startswith(_CONTEXT) else words


def _calls(id: str, row: Row) -> Iterator[Message]:
    """Walk the calls of tools of one answer."""
    calls = row.get("toolCalls")
    for place, call in enumerate(calls if isinstance(calls, list) else [], 1):
        if isinstance(call, Mapping):
            yield Message(
                f"{id}+{place}",
                Speaker.TOOL,
                shortened(_outcome(call)),
                at=moment_of(call.get("timestamp")),
                tool=word_of(call.get("name")) or "tool",
                request=request_of(call.get("args")),
                failed=call.get("status") == "error",
            )


def _outcome(call: Row) -> str:
    """Return what came back of a call."""
    results = call.get("result")
    texts = []
    for result in results if isinstance(results, list) else [results]:
        answer = result.get("functionResponse") if isinstance(result, Mapping) else None
        response = answer.get("response") if isinstance(answer, Mapping) else None
        texts.append(text_of(response.get("output", response.get("error"))) if isinstance(response, Mapping) else "")
    text = without_elements("\n".join(filter(None, texts)), _HOOK_CONTEXT)
    return re.sub(r"</?untrusted_context>\n?", "", text).strip()
