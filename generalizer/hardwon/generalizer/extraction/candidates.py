"""What the finders of this package hand to each other: something said that may be worth remembering."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hardwon.kernel.extraction import Extract
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Message, Turn


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something said, not yet weighed against the rest of its session."""

    turn: int
    """Which turn of the session, from 0."""
    message: Message
    kind: Kind
    content: str
    evidence: str
    confidence: float
    lesson: Lesson = field(default_factory=Lesson)
    refused: str | None = None
    about: str = ""
    """What two candidates are compared by, where the evidence does not say it: “B” is not always the same."""

    def refuse(self, reason: str) -> Candidate:
        """Return the same, refused; the first reason stands."""
        return self if self.refused else replace(self, refused=reason)

    def extract(self, turns: tuple[Turn, ...]) -> Extract:
        """Return it in the kernel's terms."""
        return Extract(
            turn=turns[self.turn].id,
            message=self.message.id,
            kind=self.kind,
            content=self.content,
            lesson=self.lesson,
            said_by=self.message.by.value,
            evidence=self.evidence,
            confidence=round(self.confidence, 2),
            at=self.message.at,
            refused=self.refused,
        )
