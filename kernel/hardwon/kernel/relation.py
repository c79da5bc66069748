"""Relation: one directed, weighted edge between two memories, stored once and read from both ends."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hardwon.kernel.memory import Moment, Share
from hardwon.kernel.scope import Value


class RelationKind(StrEnum):
    """What the edge says, from its source to its target."""

    GENERALIZES = "generalizes"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    RELATES_TO = "relates_to"
    DERIVED_FROM = "derived_from"

    @property
    def inverse(self) -> str:
        """Return the name of the same edge read from its target."""
        return _INVERSES[self]


_INVERSES = {
    RelationKind.GENERALIZES: "applies_to",
    RelationKind.SUPERSEDES: "superseded_by",
    RelationKind.CONTRADICTS: "contradicts",
    RelationKind.RELATES_TO: "relates_to",
    RelationKind.DERIVED_FROM: "source_of",
}


class Relation(Value):
    """`source` --kind--> `target`. Asserted and retracted in time, like an entry."""

    source: str
    kind: RelationKind
    target: str
    weight: Share = 1.0
    note: str | None = None
    asserted_at: Moment
    retracted_at: Moment | None = Field(default=None)

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what makes it the same edge again."""
        return (self.source, self.kind.value, self.target)

    def named_from(self, end: str) -> str:
        """Return the edge's name as read from the memory `end`."""
        return self.kind.value if end == self.source else self.kind.inverse

    def other(self, end: str) -> str:
        """Return the memory at the other end."""
        return self.target if end == self.source else self.source
