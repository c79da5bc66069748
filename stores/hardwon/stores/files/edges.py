"""Relations: written into their source's file, read from the index, shown in both files' blocks of links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.indexing.existing import require
from hardwon.stores.files.indexing.rows import in_list, put_relations, relation_of
from hardwon.stores.files.notes.fields import RELATIONS, relation_values
from hardwon.stores.files.notes.frontmatter_writer import change
from hardwon.stores.files.writing import before_touching, open_file, owned_relations

if TYPE_CHECKING:
    from hardwon.stores.files.indexing.index import Index
    from hardwon.stores.files.workspace import Workspace


def relate(workspace: Workspace, relations: Sequence[Relation]) -> None:
    """Assert edges; one that stands already is not asserted twice. Raises NotFound, asserting none."""
    index = workspace.index
    ends = [end for relation in relations for end in (relation.source, relation.target)]
    require(index, ends)
    before_touching(workspace, ends)
    fresh = {_once(each): each for each in reversed(relations) if not _is_known(index, each)}
    # An edge that a wikilink made becomes one that the front matter speaks of.
    standing = [each.key for each in fresh.values() if each.retracted_at is None]
    index.run_many("DELETE FROM relations WHERE source = ? AND kind = ? AND target = ? AND in_text = 1", standing)
    put_relations(index.connection, list(reversed(fresh.values())))
    _write(workspace, fresh.values())


def _once(relation: Relation) -> tuple[object, ...]:
    """Return what an edge is kept once of: one that stands, or each that stood since another moment."""
    return relation.key if relation.retracted_at is None else (*relation.key, relation.asserted_at)


def _is_known(index: Index, relation: Relation) -> bool:
    same = "SELECT 1 FROM relations WHERE source = ? AND kind = ? AND target = ? AND in_text = 0"
    if relation.retracted_at is None:
        return bool(index.rows(f"{same} AND retracted_at IS NULL", relation.key))
    since = relation.asserted_at.timestamp()
    return bool(index.rows(f"{same} AND retracted_at IS NOT NULL AND asserted_at = ?", (*relation.key, since)))


def unrelate(workspace: Workspace, relations: Sequence[Relation], at: datetime) -> None:
    """Retract edges at that moment; what does not stand is passed over."""
    index = workspace.index
    retracted = []
    before_touching(workspace, [each.source for each in relations])
    for key in dict.fromkeys(each.key for each in relations):
        standing = "source = ? AND kind = ? AND target = ? AND retracted_at IS NULL"
        for row in index.rows(f"SELECT relation FROM relations WHERE {standing}", key):  # noqa: S608
            retracted.append(relation_of(row).model_copy(update={"retracted_at": at}))
            index.run(f"DELETE FROM relations WHERE {standing}", key)  # noqa: S608
    put_relations(index.connection, retracted)
    _write(workspace, retracted)


def _write(workspace: Workspace, relations: Iterable[Relation]) -> None:
    """Plan to write the edges of the touched sources, and the blocks of links of both ends."""
    touched: dict[str, None] = {}
    for relation in relations:
        touched[relation.source] = None
        workspace.planned.relinked |= {relation.source: None, relation.target: None}
    for source in touched:
        write_owned(workspace, source)


def write_owned(workspace: Workspace, source: str) -> None:
    """Plan to write all edges that a memory owns into its file."""
    path = workspace.index.rows("SELECT path FROM memories WHERE id = ?", (source,))[0]["path"]
    file = open_file(workspace, source, path)
    listed = [relation_values(each) for each in owned_relations(workspace.index, source)]
    workspace.write(path, change(file, {RELATIONS: listed or None}), durable=True)


def standing(index: Index, id: str) -> list[Relation]:
    """Return the standing edges that touch a memory, oldest first."""
    sql = (
        "SELECT relation FROM relations WHERE (source = ?1 OR target = ?1) AND retracted_at IS NULL"
        " ORDER BY asserted_at, source, kind, target"
    )
    return [relation_of(row) for row in index.rows(sql, (id,))]


def sources(index: Index, after: datetime | None = None) -> list[str]:
    """Return the memories that an edge begins at, in order; `after`: one that was retracted after that moment."""
    condition, values = _retracted(after)
    sql = f"SELECT DISTINCT source FROM relations WHERE {condition} ORDER BY source"  # noqa: S608
    return [row["source"] for row in index.rows(sql, values)]


def owned_by(index: Index, ids: Sequence[str], after: datetime | None = None) -> list[Relation]:
    """Return every edge that begins at these memories, or those that were retracted after a moment."""
    condition, values = _retracted(after)
    sql = (
        f"SELECT relation FROM relations WHERE {condition} AND source IN (SELECT value FROM json_each(?))"  # noqa: S608
        " ORDER BY source, kind, target, asserted_at, retracted_at"
    )
    return [relation_of(row) for row in index.rows(sql, (*values, in_list(ids)))]


def _retracted(after: datetime | None) -> tuple[str, tuple[float, ...]]:
    return ("1", ()) if after is None else ("retracted_at > ?", (after.timestamp(),))


def reached(index: Index, id: str, kind: RelationKind, depth: int) -> list[str]:
    """Return the ids reached outwards in at most `depth` steps, nearest first."""
    seen = {id: None}
    frontier = [id]
    sql = (
        "SELECT target FROM relations WHERE kind = ? AND retracted_at IS NULL"
        " AND source IN (SELECT value FROM json_each(?)) ORDER BY asserted_at, target"
    )
    for _ in range(depth):
        rows = index.rows(sql, (kind.value, in_list(frontier)))
        frontier = [each for each in dict.fromkeys(row["target"] for row in rows) if each not in seen]
        if not frontier:
            break
        seen |= dict.fromkeys(frontier)
    return list(seen)[1:]


def forget_edges(workspace: Workspace, ids: Sequence[str]) -> None:
    """Remove every edge that touches these memories, also from the files of those that stay."""
    index = workspace.index
    listed = in_list(ids)
    touching = "(source IN (SELECT value FROM json_each(?1)) OR target IN (SELECT value FROM json_each(?1)))"
    near = index.rows(f"SELECT source FROM relations WHERE {touching}", (listed,))  # noqa: S608
    before_touching(workspace, [row["source"] for row in near])
    rows = index.rows(f"SELECT DISTINCT source, target, in_text FROM relations WHERE {touching}", (listed,))  # noqa: S608
    index.run(f"DELETE FROM relations WHERE {touching}", (listed,))  # noqa: S608
    gone = set(ids)
    for row in rows:
        workspace.planned.relinked |= {end: None for end in (row["source"], row["target"]) if end not in gone}
    for source in dict.fromkeys(row["source"] for row in rows if not row["in_text"] and row["source"] not in gone):
        write_owned(workspace, source)
    index.run("UPDATE wikilinks SET target = NULL WHERE target IN (SELECT value FROM json_each(?))", (listed,))
