"""FakeMemoryStore: memories and relations in dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from hardwon.kernel.candidate import Found
from hardwon.kernel.cleaning import cleaned_entry, cleaned_values, cleaned_version
from hardwon.kernel.errors import Conflict, InvalidInput, NotFound
from hardwon.kernel.filtering import means, summaries
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Capability, Clock
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import TopicSummary
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.version import Version
from hardwon.testing.fakes.kept import Kept
from hardwon.testing.fakes.searching import candidates


class FakeMemoryStore:
    """Keeps memories and the relations between them."""

    def __init__(self, kept: Kept, clock: Clock) -> None:
        self._kept = kept
        self._clock = clock

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Return what this store can do beyond the port."""
        return frozenset({"history", "concurrent-writers"})

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Keep new memories, all or none. Raises Conflict."""
        with self._kept.lock:
            fresh: dict[str, MemoryEntry] = {}
            result = [self._known_or_fresh(entry, fresh) for entry in map(cleaned_entry, entries)]
            self._kept.entries.update(fresh)
            if self._kept.fresh is not None:
                self._kept.fresh |= dict.fromkeys(fresh)
            return result

    def _known_or_fresh(self, entry: MemoryEntry, fresh: dict[str, MemoryEntry]) -> MemoryEntry:
        for known in (*self._kept.entries.values(), *fresh.values()):
            same_key = entry.idempotency_key is not None and entry.idempotency_key == known.idempotency_key
            if same_key and entry.scope.namespace == known.scope.namespace:
                return known
        if entry.id in self._kept.entries or entry.id in fresh:
            raise Conflict(f"The id {entry.id} is taken by another memory; give this one an id of its own.")
        fresh[entry.id] = entry
        return entry

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None = None) -> MemoryEntry:
        """Replace fields and return the new entry. Raises NotFound, InvalidInput, Conflict."""
        with self._kept.lock:
            self._require([id])
            old = self._kept.entries[id]
            if expected_revision is not None and expected_revision != old.revision:
                raise Conflict(f"The memory {id} changed since it was read; read it again and repeat the change.")
            if changes.get("id", id) != id:
                raise InvalidInput("A memory keeps its id for life; leave it out of the changes.")
            try:
                new = cleaned_entry(MemoryEntry.model_validate({**old.model_dump(), **cleaned_values(dict(changes))}))
            except ValidationError as error:
                field = ".".join(str(part) for part in error.errors()[0]["loc"])
                raise InvalidInput(f"The field {field} cannot be changed so ({error.errors()[0]['msg']}).") from None
            if new.idempotency_key is not None and self._holder_of_key(new) not in (None, id):
                raise Conflict("The idempotency key is that of another memory; leave it out of the changes.")
            self._replaced(old, new, f"Change {', '.join(changes) or 'nothing'} of {id}")
            self._kept.entries[id] = new
            return new

    def _holder_of_key(self, entry: MemoryEntry) -> str | None:
        key = (entry.scope.namespace, entry.idempotency_key)
        others = (each for each in self._kept.entries.values() if each.id != entry.id)
        return next((each.id for each in others if (each.scope.namespace, each.idempotency_key) == key), None)

    def _replaced(self, old: MemoryEntry, new: MemoryEntry, why: str) -> None:
        """Keep the old state, unless the operation under way made it; it is none once the operation brings it back."""
        kept, made = self._kept.versions, self._kept.fresh
        if made is not None and old.id in made:
            before = made[old.id]
            if before is not None and before in kept and before.entry == new:
                kept.remove(before)
            elif before is not None and before not in kept and before.entry != new:
                kept.append(before)
        elif old != new:
            version = Version(memory=old.id, entry=old, until=self._clock.now(), why=self._kept.why or why)
            kept.append(version)
            if made is not None:
                made[old.id] = version

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that exist, by id."""
        with self._kept.lock:
            return {id: self._kept.entries[id] for id in ids if id in self._kept.entries}

    def search(self, query: Query) -> Found:
        """Return every memory of the filter that shares a word with the query."""
        return candidates(query, list(self.scan(query.filter)))

    def scan(self, filter: Filter) -> Iterator[MemoryEntry]:
        """Walk the memories that the filter means, oldest id first."""
        with self._kept.lock:
            found = [entry for _, entry in sorted(self._kept.entries.items()) if means(filter, entry)]
        return iter(found)

    def topics(self, prefix: str = "") -> list[TopicSummary]:
        """Summarise each topic that a memory carries, at or below `prefix`."""
        return summaries(self.scan(Filter()), prefix)

    def relate(self, relations: Sequence[Relation]) -> None:
        """Assert edges. Raises NotFound when an end does not exist, asserting none."""
        with self._kept.lock:
            self._require([end for relation in relations for end in (relation.source, relation.target)])
            for relation in relations:
                if not self._is_known(relation):
                    self._kept.edges.append(relation)

    def _is_known(self, relation: Relation) -> bool:
        same = [each for each in self._kept.edges if each.key == relation.key]
        if relation.retracted_at is None:
            return any(each.retracted_at is None for each in same)
        return any(each.retracted_at and each.asserted_at == relation.asserted_at for each in same)

    def unrelate(self, relations: Sequence[Relation], at: datetime) -> None:
        """Retract edges at that moment."""
        keys = {relation.key for relation in relations}
        with self._kept.lock:
            self._kept.edges[:] = [
                edge.model_copy(update={"retracted_at": at}) if edge.key in keys and edge.retracted_at is None else edge
                for edge in self._kept.edges
            ]

    def relations(self, id: str) -> list[Relation]:
        """Return the standing edges that touch a memory."""
        with self._kept.lock:
            found = [edge for edge in self._standing() if id in (edge.source, edge.target)]
        return sorted(found, key=lambda edge: (edge.asserted_at, edge.key))

    def traverse(self, id: str, kind: RelationKind, depth: int = 8) -> list[str]:
        """Return the ids reached outwards, nearest first."""
        with self._kept.lock:
            edges = [edge for edge in self._standing() if edge.kind is kind]
        reached = {id: None}
        frontier = [id]
        for _ in range(depth):
            frontier = [edge.target for end in frontier for edge in edges if edge.source == end]
            frontier = [end for end in dict.fromkeys(frontier) if end not in reached]
            reached.update(dict.fromkeys(frontier))
        return list(reached)[1:]

    def edges(self, *, retracted_after: datetime | None = None) -> Iterator[Relation]:
        """Walk every edge, or those that were retracted after a moment."""
        with self._kept.lock:
            found = sorted(self._kept.edges, key=lambda each: (*each.key, each.asserted_at))
        after = retracted_after
        return (each for each in found if after is None or (each.retracted_at and each.retracted_at > after))

    def versions(self, ids: Sequence[str] | None = None, *, after: datetime | None = None) -> list[Version]:
        """Return the former states of these memories or of all, those that ended first before the others."""
        with self._kept.lock:
            found = [each for each in self._kept.versions if ids is None or each.memory in ids]
        return sorted((each for each in found if after is None or each.until > after), key=lambda each: each.until)

    def keep_versions(self, versions: Sequence[Version]) -> None:
        """Keep former states as another store had them. Raises NotFound, keeping none."""
        with self._kept.lock:
            self._require([each.memory for each in versions])
            for version in map(cleaned_version, versions):
                if version.key not in {each.key for each in self._kept.versions}:
                    self._kept.versions.append(version)

    def delete(self, ids: Sequence[str]) -> None:
        """Forget memories, their former states and their edges. Raises NotFound, deleting none."""
        with self._kept.lock:
            self._require(ids)
            for id in ids:
                self._kept.entries.pop(id, None)
            self._kept.edges[:] = [edge for edge in self._kept.edges if {edge.source, edge.target}.isdisjoint(ids)]
            self._kept.versions[:] = [each for each in self._kept.versions if each.memory not in set(ids)]

    def close(self) -> None:
        """Let go of nothing."""

    def _standing(self) -> list[Relation]:
        return [edge for edge in self._kept.edges if edge.retracted_at is None]

    def _require(self, ids: Sequence[str]) -> None:
        for id in ids:
            if id not in self._kept.entries:
                raise NotFound(f"There is no memory {id}; look for it with `hardwon recall`.")
