"""Extract: something in a session that may be worth remembering, with the words that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.memory import Kind, Lesson


@dataclass(frozen=True, slots=True)
class Extract:
    """A memory to be, and whether it passes the write gate: useful in another session, stable, reusable."""

    turn: str
    """The id of the turn that it comes from."""
    message: str
    """The id of the message that holds the evidence."""
    kind: Kind
    content: str
    """What a person will read, in the language it was said in."""
    lesson: Lesson
    said_by: str
    """user, agent or tool."""
    evidence: str
    """The quoted words, as they stand in the message."""
    confidence: float
    """0–1."""
    at: datetime | None = None
    refused: str | None = None
    """Why it does not pass the write gate, in a sentence; it then stays in the journal alone."""
