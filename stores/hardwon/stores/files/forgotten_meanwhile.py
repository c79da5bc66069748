"""Lets go of memories that a change forgot which a crash cut off: to the index, their files seem deleted by hand."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.errors import UnreadableFile
from hardwon.stores.files.indexing.register import unregister
from hardwon.stores.files.indexing.rows import in_list
from hardwon.stores.files.notes.fields import read_entry
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.files.notes.layout import is_memory, place_of

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def let_go_of_forgotten(workspace: Workspace, changes: Mapping[str, tuple[str | None, str | None]]) -> None:
    """Remove from the index what our own commit removed and did not move; a person's deletion would only retire it.

    `changes`: by path, git's names of the contents before and after.
    """
    removed = [path for path, (_, after) in changes.items() if after is None and is_memory(path)]
    if not removed:
        return
    moved = _ids_of(workspace, {path: after for path, (_, after) in changes.items() if after and is_memory(path)})
    index = workspace.index
    with contextlib.suppress(sqlite3.DatabaseError):  # one that is damaged is built anew from the files
        if index.is_ready:
            sql = "SELECT id FROM memories WHERE path IN (SELECT value FROM json_each(?))"
            forgotten = [row["id"] for row in index.rows(sql, (in_list(removed),)) if row["id"] not in moved]
            with index.transaction():
                unregister(index, forgotten)


def _ids_of(workspace: Workspace, contents: Mapping[str, str]) -> set[str]:
    found = set()
    for path, name in contents.items():
        with contextlib.suppress(UnreadableFile):
            found.add(read_entry(parse(workspace.repository.content(name), path), place_of(path), 0).entry.id)
    return found
