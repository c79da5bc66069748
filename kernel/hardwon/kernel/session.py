"""What was said and done in a session with a coding agent, whichever it was: turns, and the messages in them.

An adapter reads a harness's transcript into these; the journal, the extractor and every test use them. No pydantic:
thousands of turns are read at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class Speaker(StrEnum):
    """In whose words something stands."""

    USER = "user"
    """A person typed it, at the start of a turn or in the middle of it: nothing else is a user's word."""
    AGENT = "agent"
    TOOL = "tool"
    """A call of a tool: what was asked of it and what came back."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said, or one call of a tool."""

    id: str
    """The transcript row's own id; where it has none, made from the turn's id and the place in it."""
    by: Speaker
    text: str
    """What was said; of a tool, what came back. Adapters shorten what a tool gave to LONGEST_RESULT."""
    at: datetime | None = None
    tool: str = ""
    """The tool's name as the harness calls it; empty for words."""
    request: str = ""
    """What was asked of the tool in one line: the command, the path, the question; at most LONGEST_REQUEST."""
    failed: bool = False
    """The tool reported a failure."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person asked, and all that came of it until they asked again."""

    harness: str
    session: str
    id: str
    """The id of the row that began it: the same in every copy of the transcript."""
    messages: tuple[Message, ...]
    at: datetime | None = None
    folder: Path | None = None
    """The folder that the agent worked in."""
    branch: str | None = None
    """The branch of the code."""

    @property
    def typed(self) -> tuple[Message, ...]:
        """Return what a person typed."""
        return tuple(message for message in self.messages if message.by is Speaker.USER)


LONGEST_RESULT = 4_000
"""Characters of what a tool gave: its first and last ones; errors stand at either end."""
LONGEST_REQUEST = 500
