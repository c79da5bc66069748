"""Reads Codex's transcripts (rollouts): rows of `{timestamp, type, payload}`, in older versions the payload alone.

The conversation stands in the `response_item` rows of every version. Newer ones tell what a person typed once more, as
an event; that counts where the item was not recognised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.kernel.records import Problem
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon_codex.tool_outputs import asked, outcome
from hardwon_codex.typed_words import typed_words
from hardwon_command_hooks.json_rows import json_rows
from hardwon_command_hooks.row_fields import branch_of, folder_of, made_id, moment_of, shortened, text_of, word_of
from hardwon_command_hooks.turn_builder import TurnBuilder

HARNESS = "codex"
Row = Mapping[str, Any]
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


def read_transcript(path: Path) -> Iterator[Turn | Problem]:
    """Walk the turns of a transcript; that of a sub-agent has none. Raises OSError when it cannot be read."""
    reading = _Reading(path)
    for row in json_rows(path):
        if isinstance(row, Problem):
            yield row
        else:
            yield from reading.take(row)
    yield from reading.turns.rest()


class _Reading:
    """What is known while a transcript is read."""

    def __init__(self, path: Path) -> None:
        self.turns = TurnBuilder(HARNESS)
        self._session = path.stem[-36:]
        self._is_named = False
        self._is_subagent = False
        self._folder: Path | None = None
        self._branch: str | None = None
        self._turn: str | None = None
        """The program's own id of the turn that is open."""
        self._taken: Counter[str] = Counter()
        """How often words were taken as typed."""
        self._told: Counter[tuple[str, str]] = Counter()
        """How often a source told of words; each source tells of all that it knows."""
        self._calls: dict[str, Row] = {}

    def take(self, row: Row) -> Iterator[Turn]:
        """Take a row; give back the turn that it ended."""
        payload = row.get("payload")
        kind = row.get("type") if isinstance(payload, Mapping) else "response_item"
        item: Row = payload if isinstance(payload, Mapping) else row
        if kind == "session_meta":
            self._meta(item)
        elif kind == "turn_context":
            self._folder = folder_of(item.get("cwd")) or self._folder
        elif self._is_subagent:
            return
        elif kind == "response_item":
            yield from self._item(row, item)
        elif kind == "event_msg":
            yield from self._event(row, item)

    def _meta(self, meta: Row) -> None:
        """Take what the file says of itself; a fork's file holds the rows of its parent, meta row and all."""
        if self._is_named:
            return
        self._is_named = True
        self._session = word_of(meta.get("id")) or self._session
        self._folder = folder_of(meta.get("cwd"))
        git, source = meta.get("git"), meta.get("source")
        self._branch = branch_of(git.get("branch")) if isinstance(git, Mapping) else None
        self._is_subagent = isinstance(source, Mapping) and any("subagent" in str(key).lower() for key in source)

    def _item(self, row: Row, item: Row) -> Iterator[Turn]:
        kind, at = item.get("type"), moment_of(row.get("timestamp"))
        if kind == "message" and item.get("role") == "user":
            words = typed_words(text_of(item.get("content")), item)
            yield from self._type(row, item, words, "item")
        elif kind == "message" and item.get("role") == "assistant":
            words = "\n".join(filter(None, map(_said, _blocks(item.get("content")))))
            self._add(Message(self._id(row, item), Speaker.AGENT, words.strip(), at=at))
        elif kind in _CALLS:
            self._calls[str(item.get("call_id"))] = item
        elif kind in _OUTPUTS:
            self._add(self._result(row, item))

    def _event(self, row: Row, event: Row) -> Iterator[Turn]:
        """Take what a person typed, where the item did not show it."""
        item = event.get("item")
        if event.get("type") == "user_message":
            yield from self._type(row, event, typed_words(text_of(event.get("message")), {}), "message")
        elif isinstance(item, Mapping) and item.get("type") == "UserMessage":
            yield from self._type(row, event, typed_words(text_of(item.get("content")), {}), "completed")

    def _type(self, row: Row, item: Row, words: str, source: str) -> Iterator[Turn]:
        """Take what a person typed, once, whichever sources tell of it.

        While the program's own turn goes on it stands in the middle of that turn.
        """
        self._told[words, source] += 1
        if not words or self._told[words, source] <= self._taken[words]:
            return
        self._taken[words] += 1
        id, turn = self._id(row, item), self._turn_of(item)
        if turn is None or turn != self._turn:
            self._turn = turn
            yield from self.turns.begin(
                self._session, id, at=moment_of(row.get("timestamp")), folder=self._folder, branch=self._branch
            )
        self._add(Message(id, Speaker.USER, words, at=moment_of(row.get("timestamp"))))

    def _result(self, row: Row, item: Row) -> Message:
        call = self._calls.pop(str(item.get("call_id")), {})
        text, failed = outcome(item.get("output"))
        given = call.get("arguments", call.get("input", call.get("action")))
        return Message(
            self._id(row, item),
            Speaker.TOOL,
            shortened(text),
            at=moment_of(row.get("timestamp")),
            tool="__".join(filter(None, (word_of(call.get("namespace")), word_of(call.get("name"))))) or "tool",
            request=asked(given),
            failed=failed,
        )

    def _add(self, message: Message) -> None:
        self.turns.add(self._session, message, folder=self._folder, branch=self._branch)

    def _turn_of(self, item: Row) -> str | None:
        """Return the program's id of the turn that an item belongs to; older versions give none."""
        passed = item.get("internal_chat_message_metadata_passthrough")
        return word_of(item.get("turn_id")) or (word_of(passed.get("turn_id")) if isinstance(passed, Mapping) else None)

    def _id(self, row: Row, item: Row) -> str:
        return word_of(item.get("id")) or made_id(self._session, row)


def _blocks(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _said(block: Any) -> str:
    """Return the words of a block of the agent's."""
    is_output = isinstance(block, Mapping) and block.get("type") == "output_text"
    return text_of(block.get("text") if is_output else block)
