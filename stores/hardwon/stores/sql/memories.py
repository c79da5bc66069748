"""SqlMemories: the port MemoryStore over the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.candidate import Found
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Capability
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import TopicSummary
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.version import Version
from hardwon.stores.sql import edges
from hardwon.stores.sql.conditions import condition
from hardwon.stores.sql.history import History
from hardwon.stores.sql.rows import ENTRY, entry_of, prepared
from hardwon.stores.sql.writing import Writing

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.stores.sql.database import Database
    from hardwon.stores.sql.searching import Searching

_PAGE = 500


class SqlMemories:
    """Keeps memories and the relations between them."""

    def __init__(self, database: Database, searching: Searching, clock: Clock) -> None:
        self._database = database
        self._searching = searching
        self._history = History(database, clock)
        self._writing = Writing(database, searching, self._history)

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Return what this store can do beyond the port."""
        return frozenset({"history", "vectors", "concurrent-writers"})

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Keep new memories, all or none; return them as kept. Raises Conflict, InvalidInput, StoreError."""
        if not entries:
            return []
        ready = [prepared(entry) for entry in entries]
        more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
        with self._database.operation(f"Remember: {ready[0].entry.title}{more}"):
            return self._writing.put(ready)

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None = None) -> MemoryEntry:
        """Replace fields and return the new entry. Raises NotFound, InvalidInput, Conflict."""
        with self._database.operation(f"Change {', '.join(changes) or 'nothing'} of {id}"):
            return self._writing.update(id, changes, expected_revision)

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that exist, by id, in the order asked for."""
        ids = list(dict.fromkeys(ids))
        clause, values = self._database.among("id", ids)
        rows = self._database.rows(f"SELECT {ENTRY} FROM memories WHERE {clause}", values)  # noqa: S608
        found = {row[0]: entry_of(row) for row in rows}
        return {id: found[id] for id in ids if id in found}

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, unranked."""
        return self._searching.search(query)

    def scan(self, filter: Filter) -> Iterator[MemoryEntry]:
        """Walk the memories that the filter means, oldest id first; those that are forgotten meanwhile are left out."""
        clause, values = condition(self._database, filter)
        sql = f"SELECT number FROM memories WHERE {clause} ORDER BY id"  # noqa: S608
        numbers = [number for (number,) in self._database.rows(sql, values)]
        for start in range(0, len(numbers), _PAGE):
            some = numbers[start : start + _PAGE]
            sql = f"SELECT {ENTRY} FROM memories WHERE number IN ({', '.join('?' * len(some))}) ORDER BY id"  # noqa: S608
            yield from map(entry_of, self._database.rows(sql, some))

    def topics(self, prefix: str = "") -> list[TopicSummary]:
        """Summarise each topic at or below `prefix`, in alphabetical order."""
        # What lies below a topic is between its name with a dot and with the character after the dot.
        within = "AND (value = ? OR (value >= ? AND value < ?))" if prefix else ""
        rows = self._database.rows(
            f"SELECT value, count(*), min(at), max(at) FROM topics WHERE archived = 0 {within} "  # noqa: S608
            "GROUP BY value ORDER BY value",
            [prefix, f"{prefix}.", f"{prefix}/"] if prefix else [],
        )
        return [
            TopicSummary(topic=topic, count=count, first=_moment(first), last=_moment(last))
            for topic, count, first, last in rows
        ]

    def relate(self, relations: Sequence[Relation]) -> None:
        """Assert edges. Raises NotFound when an end does not exist, asserting none."""
        if relations:
            with self._database.operation(f"Link {len(relations)} memories"):
                edges.relate(self._database, relations)
                self._searching.settle()

    def unrelate(self, relations: Sequence[Relation], at: datetime) -> None:
        """Retract edges at that moment; what does not stand is passed over."""
        if relations:
            with self._database.operation(f"Unlink {len(relations)} memories"):
                edges.unrelate(self._database, relations, at)
                self._searching.settle()

    def relations(self, id: str) -> list[Relation]:
        """Return the standing edges that touch a memory, oldest first."""
        return edges.standing(self._database, id)

    def edges(self, *, retracted_after: datetime | None = None) -> Iterator[Relation]:
        """Walk every edge, or those that were retracted after a moment."""
        return edges.walk(self._database, retracted_after)

    def traverse(self, id: str, kind: RelationKind, depth: int = 8) -> list[str]:
        """Return the ids reached by following edges of one kind outwards, nearest first."""
        return edges.reached(self._database, id, kind, depth)

    def versions(self, ids: Sequence[str] | None = None, *, after: datetime | None = None) -> list[Version]:
        """Return the former states of these memories or of all, those that ended first before the others."""
        return self._history.of(ids, after)

    def keep_versions(self, versions: Sequence[Version]) -> None:
        """Keep former states as another store had them. Raises NotFound, keeping none."""
        if versions:
            with self._database.operation(f"Keep {len(versions)} former states"):
                self._history.keep(versions)

    def delete(self, ids: Sequence[str]) -> None:
        """Forget memories, their former states and their edges for good. Raises NotFound, deleting none."""
        if ids:
            with self._database.operation(f"Forget {', '.join(ids)}"):
                self._writing.delete(ids)

    def close(self) -> None:
        """Let go of nothing: the storage closes the database."""


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
