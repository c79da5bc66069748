"""What recall follows from one memory to others: heads of superseded ones, rules of lessons, lessons of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import MemoryStore


class Links:
    """Edges as one reader sees them: those that were believed when the filter asks, to memories that it lets in."""

    def __init__(self, memories: MemoryStore, filter: Filter) -> None:
        self._memories = memories
        self._filter = filter
        self._read: dict[str, list[Relation]] = {}

    def head_of(self, id: str) -> MemoryEntry | None:
        """Return the newest memory that supersedes this one, step by step; None where none does or none is visible."""
        head: MemoryEntry | None = None
        seen = {id}
        while newer := [end for end in self._ends(id, RelationKind.SUPERSEDES, inwards=True) if end not in seen]:
            found = self.visible(newer)
            if not found:
                break
            head = found[-1]
            id = head.id
            seen.update(newer)
        return head

    def rules_of(self, lesson: str) -> list[str]:
        """Return the ids of the rules that generalize a lesson."""
        return self._ends(lesson, RelationKind.GENERALIZES, inwards=True)

    def lessons_of(self, rule: str) -> list[str]:
        """Return the ids of the lessons that a rule generalizes, of whatever project."""
        return self._ends(rule, RelationKind.GENERALIZES, inwards=False)

    def visible(self, ids: list[str]) -> list[MemoryEntry]:
        """Return those that the filter lets in, oldest id first."""
        return list(self._memories.scan(self._filter.model_copy(update={"ids": tuple(ids)}))) if ids else []

    def standing(self, ids: list[str]) -> dict[str, MemoryEntry]:
        """Return those that stand and hold when the filter asks, by id, of whatever project, kind and topic."""
        changes = {"ids": tuple(ids), "projects": None, "kinds": None, "topic_prefix": None, "tags": None}
        return {entry.id: entry for entry in self._memories.scan(self._filter.model_copy(update=changes))}

    def _ends(self, id: str, kind: RelationKind, *, inwards: bool) -> list[str]:
        if id not in self._read:
            self._read[id] = self._memories.relations(id)
        here, there = ("target", "source") if inwards else ("source", "target")
        known_at = self._filter.known_at
        return [
            getattr(edge, there)
            for edge in self._read[id]
            if edge.kind is kind and getattr(edge, here) == id and (known_at is None or edge.asserted_at <= known_at)
        ]
