"""Puts memories that stand in files into the index: rows, relations, wikilinks, search terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.ids import ID_PATTERN
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.indexing.rows import in_list, put_entries, put_relations
from hardwon.stores.files.notes.links import wikilinks

if TYPE_CHECKING:
    from hardwon.stores.files.indexing.index import Index

_NOTE = "written in the text"


@dataclass(frozen=True)
class Placed:
    """A memory, the file it lies in, and the edges that this file owns."""

    entry: MemoryEntry
    path: str | None
    relations: Sequence[Relation] = ()


def register(index: Index, memories: Sequence[Placed], *, new: bool = False, anew: bool = False) -> None:
    """Write memories into the index, replacing what it knew of them; `new`: it cannot know any of them.

    `anew`: it is being built, and finds the targets of wikilinks once all memories are in it.
    """
    connection = index.connection
    put_entries(connection, ((each.entry, each.path) for each in memories))
    if not new:
        sources = [(each.entry.id,) for each in memories]
        index.run_many("DELETE FROM relations WHERE source = ?", sources)
        index.run_many("DELETE FROM wikilinks WHERE source = ?", sources)
    put_relations(connection, [relation for each in memories for relation in each.relations])
    names = [(each.entry.id, name) for each in memories for name in wikilinks(each.entry.content)]
    index.run_many("INSERT INTO wikilinks (source, name) VALUES (?, ?)", names)
    index.search.add([each.entry for each in memories])
    if not anew:
        resolve_wikilinks(index)


def unregister(index: Index, ids: Sequence[str]) -> None:
    """Remove memories and the edges that begin at them from the index, as if it had never known them."""
    if not ids:
        return
    listed = (in_list(ids),)
    index.search.remove(ids)
    index.run("DELETE FROM memories WHERE id IN (SELECT value FROM json_each(?))", listed)
    index.run("DELETE FROM relations WHERE source IN (SELECT value FROM json_each(?))", listed)
    index.run("DELETE FROM wikilinks WHERE source IN (SELECT value FROM json_each(?))", listed)
    index.run("DELETE FROM deletions WHERE id IN (SELECT value FROM json_each(?))", listed)


def resolve_wikilinks(index: Index) -> None:
    """Turn wikilinks whose target is known by now into relations."""
    open_links = index.rows("SELECT source, name FROM wikilinks WHERE target IS NULL")
    if not open_links:
        return
    targets = _targets(index, {row["name"] for row in open_links})
    for row in open_links:
        target = targets.get(row["name"])
        if target is not None:
            index.run("UPDATE wikilinks SET target = ? WHERE source = ? AND name = ?", (target, *row))
            _relate(index, row["source"], target)


def _relate(index: Index, source: str, target: str) -> None:
    """Assert the edge of a wikilink, unless the source's file speaks of the same edge (as standing or retracted)."""
    kind = RelationKind.RELATES_TO
    same = "SELECT 1 FROM relations WHERE source = ? AND kind = ? AND target = ?"
    if source == target or index.rows(same, (source, kind, target)):
        return
    found = index.rows("SELECT entry FROM memories WHERE id = ?", (source,))
    since = MemoryEntry.model_validate_json(found[0]["entry"]).times.asserted_at
    relation = Relation(source=source, kind=kind, target=target, note=_NOTE, asserted_at=since)
    put_relations(index.connection, [relation], in_text=True)


def _targets(index: Index, names: set[str]) -> dict[str, str]:
    """Return the memories that names mean: by the id at their end, else by the name of the file."""
    result: dict[str, str] = {}
    for name in names:
        id = name[-18:]
        if ID_PATTERN.fullmatch(id) and index.rows("SELECT 1 FROM memories WHERE id = ?", (id,)):
            result[name] = id
    missing = {name.casefold(): name for name in names - result.keys()}
    if missing:
        sql = (
            "SELECT id, stem FROM memories WHERE stem IN (SELECT value FROM json_each(?)) AND path IS NOT NULL"
            " ORDER BY path DESC"
        )
        result |= {missing[row["stem"]]: row["id"] for row in index.rows(sql, (in_list(missing),))}
    return result
