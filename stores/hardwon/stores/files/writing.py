"""Keeps and changes memories inside an operation: their files as planned, their rows at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hardwon.kernel.cleaning import cleaned_values
from hardwon.kernel.errors import Conflict, InvalidInput, UnreadableFile
from hardwon.kernel.memory import MemoryEntry
from hardwon.stores.files.indexing.existing import require
from hardwon.stores.files.indexing.register import Placed, register
from hardwon.stores.files.indexing.rows import entry_of, in_list, relation_of
from hardwon.stores.files.notes.cleaning import cleaned_entry
from hardwon.stores.files.notes.fields import read_entry, values_of
from hardwon.stores.files.notes.frontmatter import MarkdownFile, parse
from hardwon.stores.files.notes.frontmatter_writer import change, write_block
from hardwon.stores.files.notes.layout import path_for, place_of
from hardwon.stores.files.notes.links import block_of, body_of
from hardwon.stores.files.room import is_full, take_room
from hardwon.stores.files.taking_in.spelling import is_taken, with_known_folders
from hardwon.stores.files.taking_in.withheld import require_none

if TYPE_CHECKING:
    from hardwon.kernel.relation import Relation
    from hardwon.stores.files.indexing.index import Index
    from hardwon.stores.files.workspace import Workspace


def put(workspace: Workspace, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Keep new memories, all or none; one with a known idempotency key is returned as it is known. Raises Conflict."""
    known = _known_keys(workspace.index, entries)
    fresh: dict[str, MemoryEntry] = {}
    result = []
    for entry in map(cleaned_entry, entries):
        key = (entry.scope.namespace, entry.idempotency_key)
        if entry.idempotency_key is not None and key in known:
            result.append(known[key])
            continue
        if entry.id in fresh:
            raise Conflict(f"The id {entry.id} is given to two memories; give each one of its own.")
        known[key] = fresh[entry.id] = entry
        result.append(entry)
    _refuse_taken(workspace.index, list(fresh))
    placed = [Placed(entry, _write_new(workspace, entry)) for entry in fresh.values()]
    if placed:
        register(workspace.index, placed, new=True)
    return result


def _known_keys(index: Index, entries: Sequence[MemoryEntry]) -> dict[tuple[str, str | None], MemoryEntry]:
    keys = [entry.idempotency_key for entry in entries if entry.idempotency_key is not None]
    if not keys:
        return {}
    sql = "SELECT entry FROM memories WHERE idempotency_key IN (SELECT value FROM json_each(?))"
    found = map(entry_of, index.rows(sql, (in_list(keys),)))
    return {(entry.scope.namespace, entry.idempotency_key): entry for entry in found}


def _refuse_taken(index: Index, ids: Sequence[str]) -> None:
    taken = index.rows("SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1", (in_list(ids),))
    if taken:
        raise Conflict(f"The id {taken[0]['id']} is taken by another memory; give this one an id of its own.")


def _refuse_taken_key(index: Index, entry: MemoryEntry) -> None:
    sql = "SELECT id FROM memories WHERE namespace = ? AND idempotency_key = ? AND id != ?"
    taken = index.rows(sql, (entry.scope.namespace, entry.idempotency_key, entry.id))
    if taken and entry.idempotency_key is not None:
        raise Conflict(f"The idempotency key is that of {taken[0]['id']}; leave it out of the changes.")


def _write_new(workspace: Workspace, entry: MemoryEntry) -> str:
    path = _new_path(workspace, entry)
    text = write_block(values_of(entry, place_of(path))) + body_of(entry.content)
    workspace.write(path, text.encode("utf-8"), durable=entry.source.said_by == "user")
    return path


def _new_path(workspace: Workspace, entry: MemoryEntry) -> str:
    """Return a path that no file has, in a folder that is not full."""
    path = with_known_folders(workspace, path_for(entry, partial(is_full, workspace)))
    stem = path.removesuffix(".md")
    number = 1
    while workspace.exists(path):
        number += 1
        path = f"{stem}-{number}.md"
    take_room(workspace, path)
    return path


def before_touching(workspace: Workspace, ids: Sequence[str]) -> None:
    """Take in what a person changed in the files of these memories since they were last looked at."""
    sql = "SELECT path FROM memories WHERE path IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    for row in workspace.index.rows(sql, (in_list(ids),)):
        workspace.before_touching(row["path"])


def update(
    workspace: Workspace, id: str, changes: Mapping[str, Any], expected_revision: str | None = None
) -> MemoryEntry:
    """Replace fields of a memory and return it. Raises NotFound, InvalidInput, Conflict."""
    require(workspace.index, [id])
    before_touching(workspace, [id])
    row = workspace.index.rows("SELECT entry, path FROM memories WHERE id = ?", (id,))[0]
    old = entry_of(row)
    if expected_revision is not None and expected_revision != old.revision:
        raise Conflict(f"The memory {id} changed since it was read; read it again and repeat the change.")
    new = _changed(old, changes)
    _refuse_taken_key(workspace.index, new)
    path = rewrite(workspace, old, new, row["path"], owned_relations(workspace.index, id))
    register(workspace.index, [Placed(new, path, owned_relations(workspace.index, id))])
    return new


def _changed(old: MemoryEntry, changes: Mapping[str, Any]) -> MemoryEntry:
    if changes.get("id", old.id) != old.id:
        raise InvalidInput("A memory keeps its id for life; leave it out of the changes.")
    try:
        new = MemoryEntry.model_validate({**old.model_dump(), **cleaned_values(dict(changes))})
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InvalidInput(f"The field {field} cannot be changed so ({error.errors()[0]['msg']}).") from None
    clean = cleaned_entry(new)
    # What a person wrote into the text stays as it is, unless the text is what is changed.
    return clean if "content" in changes else clean.model_copy(update={"content": old.content})


def owned_relations(index: Index, id: str) -> list[Relation]:
    """Return the edges that stand in a memory's file, the retracted ones among them."""
    sql = "SELECT relation FROM relations WHERE source = ? AND in_text = 0 ORDER BY asserted_at, kind, target"
    return [relation_of(row) for row in index.rows(sql, (id,))]


def open_file(workspace: Workspace, id: str, path: str | None) -> MarkdownFile:
    """Return a memory's file as it stands.

    Raises Conflict when it is gone, UnreadableFile when it is broken or a person wrote a secret into it.
    """
    data = workspace.content(path) if path else None
    if path is None or data is None:
        raise Conflict(f"The file of {id} was deleted by hand; restore it with git, or forget the memory.")
    workspace.require_known(path)
    file = parse(data, path)
    require_none(workspace, path, data)
    return file


def rewrite(
    workspace: Workspace, old: MemoryEntry, new: MemoryEntry, path: str | None, relations: Sequence[Relation]
) -> str:
    """Plan to write what differs into a memory's file, moving it where its place changed; return its path."""
    file = open_file(workspace, old.id, path)
    assert path is not None
    target = _place_for(workspace, old, new, path)
    before = values_of(old, place_of(path), relations)
    after = values_of(new, place_of(target), relations)
    values = {key: after.get(key) for key in (*before, *after) if before.get(key) != after.get(key)}
    if not file.is_ours:
        values = {**{key: after[key] for key in ("hardwon", "id", "asserted_at") if key not in file.fields}, **values}
    body = body_of(new.content, block_of(file.body)) if new.content != old.content else None
    data = change(file, values, body)
    _prove(data, target, new)
    if target != path:
        workspace.remove(path)
    workspace.write(target, data, durable=new.source.said_by == "user")
    return target


def _place_for(workspace: Workspace, old: MemoryEntry, new: MemoryEntry, path: str) -> str:
    """Return where the file belongs now; it stays where it is unless what its place says has changed."""

    def place(entry: MemoryEntry) -> tuple[object, ...]:
        return (entry.status == "archived", entry.kind == "rule", entry.scope.project, entry.home_topic)

    return path if place(old) == place(new) else _moved_path(workspace, new, path)


def _moved_path(workspace: Workspace, entry: MemoryEntry, path: str) -> str:
    """Return the new place, under the name that the file has: links to it stay true."""
    name = path.rpartition("/")[2]
    wanted = _new_path(workspace, entry).rpartition("/")[0] + "/" + name
    return wanted if wanted == path or not is_taken(workspace, wanted) else _new_path(workspace, entry)


def _prove(data: bytes, path: str, entry: MemoryEntry) -> None:
    """Raise InvalidInput unless the file says what it should: an alias to a changed value, say, would break it."""
    try:
        found = read_entry(parse(data, path), place_of(path), 0).entry
    except UnreadableFile as error:
        raise InvalidInput(f"{path} cannot take this change ({error.reason}); edit the file by hand.") from None
    if found != entry and found.model_dump(exclude={"metadata"}) != entry.model_dump(exclude={"metadata"}):
        raise InvalidInput(f"{path} cannot take this change without losing something; edit the file by hand.")
