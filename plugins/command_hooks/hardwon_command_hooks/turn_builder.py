"""Puts the messages of a transcript together into turns, session by session, each message once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from hardwon.kernel.injection import without_ours
from hardwon.kernel.session import Message, Speaker, Turn

_OUR_TOOL = re.compile(r"(?:^|[_.:/-])hardwon(?:[_.:/-]|$)")
_OUR_COMMAND = re.compile(r"(?:^|[\s;&|(/])hardwon\s+[a-z]")


@dataclass
class _Open:
    """A turn that may go on."""

    turn: Turn
    messages: list[Message] = field(default_factory=list)


class TurnBuilder:
    """Takes what a transcript says in order; sessions may be interleaved, and rows may come twice."""

    def __init__(self, harness: str) -> None:
        self._harness = harness
        self._open: dict[str, _Open] = {}
        self._seen: set[tuple[str, str]] = set()

    def begin(
        self,
        session: str,
        id: str,
        *,
        at: datetime | None = None,
        folder: Path | None = None,
        branch: str | None = None,
    ) -> list[Turn]:
        """Begin a turn; return the session's last one, which is over. A row that began a turn before begins none."""
        if ("turn " + session, id) in self._seen:
            return []
        self._seen.add(("turn " + session, id))
        over = self._finished(self._open.pop(session, None))
        self._open[session] = _Open(Turn(self._harness, session, id, (), at=at, folder=folder, branch=branch))
        return over

    def add(self, session: str, message: Message, *, folder: Path | None = None, branch: str | None = None) -> None:
        """Add what was said to the session's turn; a transcript that begins in mid-conversation begins one by it.

        What hardwon itself said is left out: nothing is learned from it again.
        """
        message = _without_memories(message)
        if (session, message.id) in self._seen or not (message.text or message.tool):
            return
        self._seen.add((session, message.id))
        if session not in self._open:
            self.begin(session, message.id, at=message.at, folder=folder, branch=branch)
        self._open[session].messages.append(message)

    def retract(self, session: str, id: str) -> None:
        """Take a message back from the session's turn: it stands again elsewhere."""
        if opened := self._open.get(session):
            opened.messages = [message for message in opened.messages if message.id != id]

    def rest(self) -> list[Turn]:
        """Return the turns that the transcript ended in, in the order in which they began."""
        return [turn for opened in self._open.values() for turn in self._finished(opened)]

    @staticmethod
    def _finished(opened: _Open | None) -> list[Turn]:
        """Return the turn with its messages; none where nothing was said."""
        if opened is None or not opened.messages:
            return []
        return [replace(opened.turn, messages=tuple(opened.messages))]


def _without_memories(message: Message) -> Message:
    """Return a message without the memories that were shown in it."""
    is_answer_of_ours = message.by is Speaker.TOOL and (
        _OUR_TOOL.search(message.tool) or _OUR_COMMAND.search(message.request)
    )
    return replace(message, text="" if is_answer_of_ours else without_ours(message.text))
