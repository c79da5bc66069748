"""A store's memories as recall follows their edges, for one reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import MemoryStore
    from hardwon.kernel.query import Filter


class StoreShelf:
    """The memories that a filter lets in, and the edges that are believed when it asks."""

    def __init__(self, memories: MemoryStore, filter: Filter) -> None:
        self._memories = memories
        self._filter = filter

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that exist, by id."""
        return self._memories.get(ids)

    def visible(self, ids: Sequence[str]) -> list[MemoryEntry]:
        """Return those that the filter lets in, oldest id first."""
        return list(self._memories.scan(self._filter.model_copy(update={"ids": tuple(ids)}))) if ids else []

    def standing(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that stand and hold when the filter asks, by id, of whatever project, kind and topic."""
        changes = {"ids": tuple(ids), "projects": None, "kinds": None, "topic_prefix": None, "tags": None}
        return {entry.id: entry for entry in self._memories.scan(self._filter.model_copy(update=changes))}

    def has_begun(self, ids: Sequence[str]) -> bool:
        """Tell whether one of these would be visible if nothing ever ended."""
        moment = self._filter.as_of
        found = self._memories.scan(self._filter.model_copy(update={"ids": tuple(ids), "as_of": None}))
        return any(moment is None or entry.times.valid_at is None or entry.times.valid_at <= moment for entry in found)

    def edges(self, id: str) -> list[tuple[str, str, str]]:
        """Return the edges that touch a memory and are believed: source, kind, target."""
        known_at = self._filter.known_at
        return [
            (edge.source, edge.kind, edge.target)
            for edge in self._memories.relations(id)
            if known_at is None or edge.asserted_at <= known_at
        ]
