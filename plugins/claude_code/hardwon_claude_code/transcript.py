"""Reads Claude Code's transcripts: one JSON object a row, of a user, an assistant, or the program's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon_claude_code.tool_results import is_refusal, words_of_person
from hardwon_claude_code.typed_words import hand_over, is_by_program, runs_command, typed_words, without_reminders
from hardwon_command_hooks.json_rows import json_rows
from hardwon_command_hooks.row_fields import (
    branch_of,
    folder_of,
    made_id,
    moment_of,
    request_of,
    shortened,
    text_of,
    word_of,
)
from hardwon_command_hooks.turn_builder import TurnBuilder

HARNESS = "claude-code"
Row = Mapping[str, Any]


def read_transcript(path: Path) -> Iterator[Turn | Problem]:
    """Walk the turns of a transcript. Raises OSError when the file cannot be read."""
    reading = _Reading(path.stem)
    for row in json_rows(path):
        if isinstance(row, Problem):
            yield row
        elif row.get("type") == "queue-operation":
            reading.queued(row)
        elif not _is_beside(row):
            yield from reading.take(row)
    yield from reading.turns.rest()


def _is_beside(row: Row) -> bool:
    """Tell whether a row is no part of the conversation of the person and the agent."""
    return any(row.get(flag) for flag in ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage"))


class _Reading:
    """What is known while a transcript is read."""

    def __init__(self, name: str) -> None:
        self.turns = TurnBuilder(HARNESS)
        self._name = name
        self._calls: dict[str, Row] = {}
        self._waiting: dict[tuple[str, str], str] = {}
        """The ids of messages that were typed while the agent worked, by session and text."""

    def queued(self, row: Row) -> None:
        """Take what was typed in the middle of a turn; such rows have no id of their own."""
        session, words = self._session(row), typed_words(text_of(row.get("content")))
        if row.get("operation") == "popAll":
            for place in [each for each in self._waiting if each[0] == session]:
                self.turns.retract(session, self._waiting.pop(place))
        elif row.get("operation") == "enqueue" and words:
            id = made_id(session, row)
            self._waiting[session, words] = id
            self.turns.add(session, Message(id, Speaker.USER, words, at=moment_of(row.get("timestamp"))))

    def take(self, row: Row) -> Iterator[Turn]:
        """Take a row of the conversation; give back the turn that it ended."""
        kind, message = row.get("type"), row.get("message")
        content = message.get("content") if isinstance(message, Mapping) else None
        if kind == "user" and content is not None:
            yield from self._user(row, content)
        elif kind == "assistant" and isinstance(content, list | str):
            self._assistant(row, content)
        elif kind == "attachment" and isinstance(attachment := row.get("attachment"), Mapping):
            self._attachment(row, attachment)

    def _user(self, row: Row, content: Any) -> Iterator[Turn]:
        blocks = [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
        results = [block for block in blocks if block.get("type") == "tool_result"]
        text = text_of(content)
        words = typed_words(text)
        planned = hand_over(words)
        if is_by_program(row) and not planned:
            words = ""
        if not results and (words or runs_command(text)):
            yield from self._begin(row, words)
        said = [message for block in results for message in self._result(row, block)]
        plan, typed = planned or ("", words)
        at = moment_of(row.get("timestamp"))
        self._add(row, [*said, Message("", Speaker.AGENT, plan, at=at), Message("", Speaker.USER, typed, at=at)])

    def _begin(self, row: Row, words: str) -> list[Turn]:
        """Begin a turn; what waited to be sent and begins it now stood in the middle of none."""
        session = self._session(row)
        if waited := self._waiting.pop((session, words), None):
            self.turns.retract(session, waited)
        return self.turns.begin(
            session,
            self._id(row),
            at=moment_of(row.get("timestamp")),
            folder=folder_of(row.get("cwd")),
            branch=branch_of(row.get("gitBranch")),
        )

    def _assistant(self, row: Row, content: Any) -> None:
        if isinstance(row["message"], Mapping) and row["message"].get("model") == "<synthetic>":
            return
        said = []
        for block in [content] if isinstance(content, str) else content:
            if isinstance(block, Mapping) and block.get("type") == "tool_use":
                self._calls[str(block.get("id"))] = block
            elif words := text_of(block).strip():
                said.append(Message("", Speaker.AGENT, words, at=moment_of(row.get("timestamp"))))
        self._add(row, said)

    def _result(self, row: Row, block: Row) -> Iterator[Message]:
        """Walk what one result of a tool says: the call with what came back, and a person's words in it."""
        call = self._calls.pop(str(block.get("tool_use_id")), {})
        result = without_reminders(text_of(block.get("content")))
        failed, at = bool(block.get("is_error")), moment_of(row.get("timestamp"))
        tool = word_of(call.get("name")) or "tool"
        spoken = words_of_person(tool, result, row.get("toolUseResult"), failed=failed)
        for words in spoken:
            yield Message("", Speaker.USER, words, at=at)
        did_run = not spoken and not (failed and is_refusal(result))
        yield Message(
            "",
            Speaker.TOOL,
            shortened(result) if did_run else "",
            at=at,
            tool=tool,
            request=request_of(call.get("input")),
            failed=failed and did_run,
        )

    def _attachment(self, row: Row, attachment: Row) -> None:
        """Take a message that was typed while the agent worked and reached it in the middle of the turn."""
        words = "" if is_by_program(attachment) else typed_words(text_of(attachment.get("prompt")))
        session = self._session(row)
        if attachment.get("type") == "queued_command" and words and (session, words) not in self._waiting:
            self._add(row, [Message("", Speaker.USER, words, at=moment_of(row.get("timestamp")))])

    def _add(self, row: Row, messages: list[Message]) -> None:
        """Add the messages of one row: the first has the row's id, each further one its place behind it."""
        id = self._id(row)
        for place, message in enumerate(message for message in messages if message.text or message.tool):
            self.turns.add(
                self._session(row),
                replace(message, id=f"{id}+{place}" if place else id),
                folder=folder_of(row.get("cwd")),
                branch=branch_of(row.get("gitBranch")),
            )

    def _session(self, row: Row) -> str:
        return word_of(row.get("sessionId")) or self._name

    def _id(self, row: Row) -> str:
        return word_of(row.get("uuid")) or made_id(self._session(row), row)
