"""Who took whose place around some memories: every edge is read once, and a chain may be as long as it likes.

Which edges of a circle count, `circles` says. What lies in the archive gave its place back, unless it was taken in
turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Status
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.circles import components

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import MemoryStore


class Edges:
    """The edges of succession that touch memories, each memory's read once."""

    def __init__(self, memories: MemoryStore) -> None:
        self.memories = memories
        self._read: dict[str, list[Relation]] = {}

    def to(self, id: str) -> list[Relation]:
        """Return the edges by which something took a memory's place, oldest first."""
        return [edge for edge in self._of(id) if edge.target == id]

    def sources(self, id: str) -> list[str]:
        """Return what took a memory's place by such an edge, whether it counts or not."""
        return [edge.source for edge in self.to(id)]

    def below(self, heads: Iterable[str]) -> list[str]:
        """Return these and everything whose place they took: head after head, the nearest of each first."""
        found: dict[str, None] = {}
        for head in heads:
            level = [head] if head not in found else []
            while level:
                found |= dict.fromkeys(level)
                ends = (edge.target for each in level for edge in self._of(each) if edge.source == each)
                level = [end for end in dict.fromkeys(ends) if end not in found]
        return list(found)

    def _of(self, id: str) -> list[Relation]:
        if id not in self._read:
            edges = self.memories.relations(id)
            self._read[id] = [edge for edge in edges if edge.kind is RelationKind.SUPERSEDES]
        return self._read[id]


class Succession:
    """What took the place of some memories, step by step up to the heads."""

    def __init__(self, edges: Edges, ids: Iterable[str]) -> None:
        circles = list(components(ids, edges.sources))
        place = {each: number for number, circle in enumerate(circles) for each in circle}
        self.entries = edges.memories.get(list(place))
        self.successors: dict[str, list[MemoryEntry]] = {}
        """By memory, what took its place in one step; each stands behind all that stands above it."""
        for circle in circles:
            for id in sorted(circle, reverse=True):
                counting = [each for each in edges.sources(id) if each > id or place[each] != place[id]]
                self.successors[id] = [self.entries[each] for each in counting if self._keeps_its_place(each)]

    def _keeps_its_place(self, id: str) -> bool:
        entry = self.entries.get(id)
        return entry is not None and (entry.status is not Status.ARCHIVED or bool(self.successors[id]))

    def above(self, id: str) -> list[MemoryEntry]:
        """Return everything that took a memory's place, step by step."""
        found: dict[str, MemoryEntry] = {}
        waiting = [id]
        while waiting:
            fresh = [each for each in self.successors[waiting.pop()] if each.id not in found]
            found |= {each.id: each for each in fresh}
            waiting += [each.id for each in fresh]
        return list(found.values())

    def heads(self, id: str) -> list[str]:
        """Return what took a memory's place in the end: itself where nothing did."""
        return [each.id for each in self.above(id) if not self.successors[each.id]] or [id]

    def below_any(self, chosen: Callable[[MemoryEntry], bool]) -> set[str]:
        """Return the memories above which one of those stands that are chosen."""
        found: set[str] = set()
        for id, successors in self.successors.items():
            if any(each.id in found or chosen(each) for each in successors):
                found.add(id)
        return found
