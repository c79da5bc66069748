"""PastMemories: the memories of a store as they were known at a moment, to be read.

A memory that had not been asserted by then is not there; one that changed since says what it said then; an edge that
was retracted since stands, one that was asserted since does not. What was forgotten is forgotten in the past as well.
Where a store keeps no history, what changed is shown in the words of now.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from hardwon.kernel.errors import Conflict
from hardwon.kernel.filtering import means, summaries
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.past.search import found_then

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Found
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Capability, MemoryStore
    from hardwon.kernel.query import Query
    from hardwon.kernel.records import TopicSummary
    from hardwon.kernel.relation import Relation
    from hardwon.kernel.version import Version


class PastMemories:
    """What a store said of its memories at a moment."""

    def __init__(self, memories: MemoryStore, known_at: datetime) -> None:
        self._memories = memories
        self._known_at = known_at

    @cached_property
    def _changed(self) -> dict[str, MemoryEntry]:
        """What the memories that changed since said then."""
        former: dict[str, MemoryEntry] = {}
        for version in self._memories.versions(after=self._known_at):
            former.setdefault(version.memory, version.entry)
        return former

    @cached_property
    def _stood(self) -> dict[str, list[Relation]]:
        """The edges that stood then and were retracted since, by either end."""
        stood: dict[str, list[Relation]] = {}
        for edge in self._memories.edges(retracted_after=self._known_at):
            if edge.asserted_at <= self._known_at:
                for end in {edge.source, edge.target}:
                    stood.setdefault(end, []).append(edge.model_copy(update={"retracted_at": None}))
        return stood

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Return what the store can do."""
        return self._memories.capabilities

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that were known, by id, as they were."""
        now = self._memories.get(ids)
        then = {id: self._changed.get(id, entry) for id, entry in now.items()}
        return {id: entry for id, entry in then.items() if self._was_known(entry)}

    def scan(self, filter: Filter) -> Iterator[MemoryEntry]:
        """Walk the memories that the filter meant, oldest id first."""
        changed = (entry for _, entry in sorted(self._changed.items()) if means(filter, entry))
        others = (entry for entry in self._memories.scan(filter) if entry.id not in self._changed)
        every = heapq.merge(changed, others, key=lambda entry: entry.id)
        return (entry for entry in every if self._was_known(entry))

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, found by the words of then; for a rule speak its lessons of then."""
        found = found_then(self._memories, query, self._changed)
        for rule in (each for each in found.candidates if each.members):
            edges = self.relations(rule.id)
            lessons = {edge.target for edge in edges if _leaves(edge, rule.id, RelationKind.GENERALIZES)}
            rule.members = [each for each in rule.members if each.id in lessons]
        return found

    def topics(self, prefix: str = "") -> list[TopicSummary]:
        """Summarise each topic of then at or below `prefix`."""
        return summaries(self.scan(Filter(topic_prefix=prefix or None)), prefix)

    def relations(self, id: str) -> list[Relation]:
        """Return the edges that touched a memory, oldest first."""
        now = (edge for edge in self._memories.relations(id) if edge.asserted_at <= self._known_at)
        return sorted((*now, *self._stood.get(id, ())), key=lambda edge: (edge.asserted_at, edge.key))

    def edges(self, *, retracted_after: datetime | None = None) -> Iterator[Relation]:
        """Walk the edges that were known, as the store has them now."""
        edges = self._memories.edges(retracted_after=retracted_after)
        return (edge for edge in edges if edge.asserted_at <= self._known_at)

    def traverse(self, id: str, kind: RelationKind, depth: int = 8) -> list[str]:
        """Return the ids reached by following the edges of then, nearest first."""
        seen, frontier = {id: None}, [id]
        for _ in range(depth):
            ends = [edge.target for each in frontier for edge in self.relations(each) if _leaves(edge, each, kind)]
            frontier = [end for end in dict.fromkeys(ends) if end not in seen]
            if not frontier:
                break
            seen |= dict.fromkeys(frontier)
        return list(seen)[1:]

    def versions(self, ids: Sequence[str] | None = None, *, after: datetime | None = None) -> list[Version]:
        """Return the states that were former ones already."""
        return [each for each in self._memories.versions(ids, after=after) if each.until <= self._known_at]

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Refuse to."""
        self._refuse()

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None = None) -> MemoryEntry:
        """Refuse to."""
        self._refuse()

    def relate(self, relations: Sequence[Relation]) -> None:
        """Refuse to."""
        self._refuse()

    def unrelate(self, relations: Sequence[Relation], at: datetime) -> None:
        """Refuse to."""
        self._refuse()

    def keep_versions(self, versions: Sequence[Version]) -> None:
        """Refuse to."""
        self._refuse()

    def delete(self, ids: Sequence[str]) -> None:
        """Refuse to."""
        self._refuse()

    def close(self) -> None:
        """Let go of files and connections."""
        self._memories.close()

    def _was_known(self, entry: MemoryEntry) -> bool:
        return entry.times.asserted_at <= self._known_at

    def _refuse(self) -> NoReturn:
        raise Conflict(f"What was known at {self._known_at.isoformat()} cannot be changed; leave --known-at out.")


def _leaves(edge: Relation, id: str, kind: RelationKind) -> bool:
    return edge.source == id and edge.kind is kind
