"""FilesMemoryStore: the port MemoryStore over Markdown files and their index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from hardwon.kernel.candidate import Found
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Capability
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import TopicSummary
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.version import Version
from hardwon.stores.files import edges, history, writing
from hardwon.stores.files.forgetting import delete
from hardwon.stores.files.indexing.rows import entry_of, in_list
from hardwon.stores.files.kept_versions import keep_versions
from hardwon.stores.files.problems import known_only
from hardwon.stores.files.taking_in.freshness import all_have_files, in_doubt
from hardwon.stores.search.filters import condition

if TYPE_CHECKING:
    from hardwon.stores.files.opened import Opened

_PAGE = 500
_VERIFIED = 200
"""Up to how many memories `get` checks, one by one, that their files are as the index knows them."""
Result = TypeVar("Result")


class FilesMemoryStore:
    """Keeps memories, one a file, and the relations between them."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._workspace = opened.workspace

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Return what this store can do beyond the port."""
        return frozenset({"history", "vectors", "concurrent-writers"})

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Keep new memories, all or none; return them as kept. Raises Conflict, StoreError."""
        if not entries:
            return []
        more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
        with self._opened.operation(f"Remember: {entries[0].title}{more}"):
            return writing.put(self._workspace, entries)

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None = None) -> MemoryEntry:
        """Replace fields and return the new entry. Raises NotFound, InvalidInput, Conflict."""
        with self._opened.operation(f"Change {', '.join(changes) or 'nothing'} of {id}"):
            return writing.update(self._workspace, id, changes, expected_revision)

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that exist, by id, as their files say now; only of few are the files looked at one by one."""
        ids = list(dict.fromkeys(ids))

        def read() -> dict[str, MemoryEntry]:
            if not 0 < len(ids) <= _VERIFIED or not all_have_files(self._workspace, ids):
                self._opened.fresh()
            elif in_doubt(self._workspace, ids):
                self._opened.look()
            sql = "SELECT id, entry FROM memories WHERE id IN (SELECT value FROM json_each(?))"
            found = {row["id"]: entry_of(row) for row in self._workspace.index.rows(sql, (in_list(ids),))}
            return {id: found[id] for id in ids if id in found}

        return self._opened.healed(read)

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, unranked."""
        found = self._read(lambda: self._workspace.index.search.search(query))
        found.notes += self._read(lambda: known_only(self._workspace))
        return found

    def scan(self, filter: Filter) -> Iterator[MemoryEntry]:
        """Walk the memories that the filter means, oldest id first."""
        clause, values = condition(filter)
        last = ""
        self._opened.fresh()
        while True:
            sql = f"SELECT id, entry FROM memories WHERE id > ? AND ({clause}) ORDER BY id LIMIT ?"  # noqa: S608
            entries = self._opened.healed(lambda: self._entries(sql, [last, *values, _PAGE]))  # noqa: B023
            yield from entries
            if len(entries) < _PAGE:
                return
            last = entries[-1].id

    def _entries(self, sql: str, values: Sequence[Any]) -> list[MemoryEntry]:
        return [entry_of(row) for row in self._workspace.index.rows(sql, values)]

    def topics(self, prefix: str = "") -> list[TopicSummary]:
        """Summarise each topic at or below `prefix`, in alphabetical order."""
        sql = (
            "SELECT value AS topic, count(*) AS number, min(coalesce(valid_at, asserted_at)) AS first,"
            " max(coalesce(valid_at, asserted_at)) AS last FROM memories, json_each(topics)"
            " WHERE status != 'archived' AND (?1 = '' OR value = ?1 OR substr(value, 1, length(?1) + 1) = ?1 || '.')"
            " GROUP BY value ORDER BY value"
        )
        rows = self._read(lambda: self._workspace.index.rows(sql, (prefix,)))
        return [
            TopicSummary(
                topic=row["topic"], count=row["number"], first=_moment(row["first"]), last=_moment(row["last"])
            )
            for row in rows
        ]

    def relate(self, relations: Sequence[Relation]) -> None:
        """Assert edges. Raises NotFound when an end does not exist, asserting none."""
        if relations:
            with self._opened.operation(f"Link {len(relations)} memories"):
                edges.relate(self._workspace, relations)

    def unrelate(self, relations: Sequence[Relation], at: datetime) -> None:
        """Retract edges at that moment."""
        if relations:
            with self._opened.operation(f"Unlink {len(relations)} memories"):
                edges.unrelate(self._workspace, relations, at)

    def relations(self, id: str) -> list[Relation]:
        """Return the standing edges that touch a memory, from either end."""
        return self._read(lambda: edges.standing(self._workspace.index, id))

    def traverse(self, id: str, kind: RelationKind, depth: int = 8) -> list[str]:
        """Return the ids reached by following edges of one kind outwards, nearest first."""
        return self._read(lambda: edges.reached(self._workspace.index, id, kind, depth))

    def edges(self, *, retracted_after: datetime | None = None) -> Iterator[Relation]:
        """Walk every edge, or those that were retracted after a moment."""
        after = retracted_after
        sources: list[str] = self._read(lambda: edges.sources(self._workspace.index, after))
        for start in range(0, len(sources), _PAGE):
            page = sources[start : start + _PAGE]
            yield from self._opened.healed(lambda: edges.owned_by(self._workspace.index, page, after))  # noqa: B023

    def versions(self, ids: Sequence[str] | None = None, *, after: datetime | None = None) -> list[Version]:
        """Return the former states of these memories or of all, those that ended first before the others."""
        return self._read(lambda: history.versions(self._workspace, ids, after))

    def keep_versions(self, versions: Sequence[Version]) -> None:
        """Keep former states as another store had them. Raises NotFound, keeping none."""
        if versions:
            with self._opened.operation(f"Keep {len(versions)} former states of memories"):
                known = history.versions(self._workspace, list({each.memory for each in versions}))
                keep_versions(self._workspace, versions, known)

    def delete(self, ids: Sequence[str]) -> None:
        """Forget memories, their former states and their edges for good. Raises NotFound, deleting none."""
        if ids:
            with self._opened.operation(f"Forget {', '.join(ids)}"):
                delete(self._workspace, ids)

    def close(self) -> None:
        """Let go of files and connections."""
        self._opened.close()

    def _read(self, read: Callable[[], Result]) -> Result:
        self._opened.fresh()

        def guarded() -> Result:
            with self._workspace.index.guard, self._workspace.index.errors():
                return read()

        return self._opened.healed(guarded)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
