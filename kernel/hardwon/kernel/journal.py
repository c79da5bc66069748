"""The journal's values: turns as they are kept, and how what was said is told in Markdown.

The journal is the evidence: who said what, in the order of time. It is never recalled by itself; a person who asks for
it searches it. No pydantic: thousands of turns are read and written at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.kernel.text import clean, fold

LONGEST_SAID = 20_000
"""Characters of one message that are kept: its first and last ones."""
LONGEST_OUTCOME = 300
"""Characters of what a failed tool gave that are told: the last ones, where the error stands."""
TELLING = 120
"""Characters of prompt and first answer together from which on two turns with the same ones are one turn."""
OWN_EVERYWHERE = 16
"""Characters from which on a turn's id is one in the world, and not a number within its session."""


@dataclass(frozen=True, slots=True)
class JournalTurn:
    """A turn to be kept, and what it belongs to."""

    turn: Turn
    at: datetime
    """When it began, or when it was captured where nobody says."""
    project: str | None = None
    """The project's key."""
    taken_by: str = ""
    """The id of the import that took it; empty where the session itself told of it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a turn as the journal keeps it: the turn, or what came to it later."""

    harness: str
    session: str
    turn: str
    at: datetime
    project: str | None
    branch: str | None
    taken_by: str
    retracted_at: datetime | None
    """When the turn was taken back; its words are gone from the journal, that it was known is not."""
    said: str
    """Markdown."""
    place: str
    """Where it stands, as a person finds it."""


@dataclass(frozen=True, slots=True)
class JournalSession:
    """What the journal has of one session."""

    harness: str
    session: str
    project: str | None
    first: datetime
    last: datetime
    turns: int
    retracted: int
    """Turns that were taken back."""
    taken_by: tuple[str, ...]
    """The imports that took turns of it."""


class Standing(StrEnum):
    """What the journal knows of a turn."""

    NEW = "new"
    GREW = "grew"
    """Known, and there are messages that are not."""
    KNOWN = "known"
    ELSEWHERE = "elsewhere"
    """Another session has it: this one is a copy."""
    RETRACTED = "retracted"
    """It was taken back."""


@dataclass(frozen=True, slots=True)
class Known:
    """A block with the keys by which its messages, and copies of its turn, are known again."""

    block: Block
    messages: frozenset[str]
    copy: str = ""


def order(known: Known) -> tuple[datetime, str, str, str, list[str]]:
    """Return the place of a block among others: by time, then by what it is of."""
    block = known.block
    return block.at, block.harness, block.session, block.turn, sorted(known.messages)


def identity(known: Known) -> tuple[str, str, str, frozenset[str]]:
    """Return by what a block is the same in another journal."""
    return known.block.harness, known.block.session, known.block.turn, known.messages


class Acquaintance:
    """Tells what is known of turns, from the blocks of their sessions and of their copies."""

    def __init__(self, known: Iterable[Known] = ()) -> None:
        self._parts: dict[tuple[str, str, str], list[Known]] = {}
        self._ids: dict[tuple[str, str], tuple[str, str, str]] = {}
        self._copies: dict[str, tuple[str, str, str]] = {}
        for each in known:
            self.learn(each)

    def learn(self, known: Known) -> None:
        """Take in one more block."""
        block = known.block
        key = (block.harness, block.session, block.turn)
        self._parts.setdefault(key, []).append(known)
        self._ids.setdefault((block.harness, block.turn), key)
        if known.copy:
            self._copies.setdefault(known.copy, key)

    def standing(self, turn: Turn) -> Standing:
        """Return what is known of a turn."""
        key = (turn.harness, turn.session, turn.id)
        parts = self._parts.get(key)
        if parts is None:
            return Standing.ELSEWHERE if self._original(turn) else Standing.NEW
        if any(part.block.retracted_at for part in parts):
            return Standing.RETRACTED
        return Standing.GREW if self.unknown(turn) else Standing.KNOWN

    def unknown(self, turn: Turn) -> tuple[Message, ...]:
        """Return the messages of a turn that no block of it holds."""
        parts = self._parts.get((turn.harness, turn.session, turn.id), ())
        held = frozenset[str]().union(*(part.messages for part in parts))
        return tuple(message for message in turn.messages if said_key(message) not in held and told(message))

    def _original(self, turn: Turn) -> bool:
        return (len(turn.id) >= OWN_EVERYWHERE and (turn.harness, turn.id) in self._ids) or (
            copy_key(turn) in self._copies
        )


def known_as(entry: JournalTurn, messages: Sequence[Message], place: str, *, at: datetime) -> Known:
    """Return the block that is kept of some messages of a turn."""
    turn = entry.turn
    block = Block(
        harness=turn.harness,
        session=turn.session,
        turn=turn.id,
        at=at,
        project=entry.project,
        branch=turn.branch,
        taken_by=entry.taken_by,
        retracted_at=None,
        said=told_all(messages),
        place=place,
    )
    return Known(block, frozenset(map(said_key, messages)), copy_key(turn))


def said_key(message: Message) -> str:
    """Return by what a message of a turn is known again."""
    return fingerprint(message.id, length=6)


def copy_key(turn: Turn) -> str:
    """Return by what a copy of a turn under another id is known: its prompt and first answer; empty if they are short.

    The answer is part of it, since people ask the same twice.
    """
    prompt = next((message.text for message in turn.messages if message.by is Speaker.USER), "")
    answer = next((message.text for message in turn.messages if message.by is Speaker.AGENT), "")
    if not prompt or not answer or len(prompt) + len(answer) < TELLING:
        return ""
    return fingerprint(turn.harness, fold(prompt), fold(answer))


def told(message: Message) -> str:
    """Return a message in Markdown: words as a quotation, a tool in one line.

    No line begins with anything but `**`, `>` or `-`, whatever was said, so that a block has clear ends.
    """
    if message.by is Speaker.TOOL:
        return _told_tool(message)
    text = clean(message.text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        return ""
    quoted = "\n".join(f"> {line}".rstrip(" ") for line in _shortened(text).split("\n"))
    return f"**{message.by}**\n\n{quoted}"


def _told_tool(message: Message) -> str:
    request = _in_line(message.request)
    line = f"- {_in_line(message.tool) or 'tool'}{f': {request}' if request else ''}"
    if not message.failed:
        return line
    outcome = _in_line(message.text)[-LONGEST_OUTCOME:]
    return f"{line} (failed{f': {outcome}' if outcome else ''})"


def _in_line(text: str) -> str:
    return " ".join(clean(text).split())


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_SAID:
        return text
    half = LONGEST_SAID // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out …]\n{text[-half:]}"


def told_all(messages: Iterable[Message]) -> str:
    """Return messages in Markdown, tools that follow each other as one list."""
    result = ""
    before = None
    for message in messages:
        text = told(message)
        if text:
            together = before is Speaker.TOOL and message.by is Speaker.TOOL
            result += ("\n" if together else "\n\n" if result else "") + text
            before = message.by
    return result


def sessions_of(blocks: Sequence[Block]) -> list[JournalSession]:
    """Return what blocks hold of each session, the newest session first."""
    by_session: dict[tuple[str, str], list[Block]] = {}
    for block in blocks:
        by_session.setdefault((block.harness, block.session), []).append(block)
    found = [_session(each) for each in by_session.values()]
    return sorted(found, key=lambda each: each.last, reverse=True)


def _session(blocks: Sequence[Block]) -> JournalSession:
    times = [block.at for block in blocks]
    return JournalSession(
        harness=blocks[0].harness,
        session=blocks[0].session,
        project=next((block.project for block in blocks if block.project), None),
        first=min(times),
        last=max(times),
        turns=len({block.turn for block in blocks}),
        retracted=len({block.turn for block in blocks if block.retracted_at}),
        taken_by=tuple(dict.fromkeys(block.taken_by for block in blocks if block.taken_by)),
    )
