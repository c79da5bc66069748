"""Learns which memories were deleted by hand from the record of them, where another device or a person wrote it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError, UnreadableFile
from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.indexing.register import Placed, register, unregister
from hardwon.stores.files.indexing.rows import in_list
from hardwon.stores.files.notes.fields import moment_in
from hardwon.stores.files.taking_in.deletions import FIELDS, FILE, drop_returned, read_deletions, retired_entry
from hardwon.stores.files.taking_in.reading import read_content

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace


def learn_deletions(workspace: Workspace) -> None:
    """Take the record in as it is on disk: what it names is known as retired, what it names no longer is let go of.

    A record that is not there or cannot be read teaches nothing.
    """
    index = workspace.index
    try:
        lines = read_deletions(workspace.path(FILE).read_bytes())
    except (OSError, UnreadableFile):
        return
    named = in_list(line["id"] for line in lines)
    unnamed = "SELECT id FROM deletions WHERE recorded = 1 AND id NOT IN (SELECT value FROM json_each(?))"
    let_go = [row["id"] for row in index.rows(unnamed, (named,))]
    unregister(index, let_go)
    known = {row["id"] for row in index.rows("SELECT id FROM memories")} if lines else set()
    for line in lines:
        index.run(
            'INSERT OR REPLACE INTO deletions (id, path, "commit", content, at, recorded) VALUES (?, ?, ?, ?, ?, 1)',
            tuple(line[name] for name in FIELDS),
        )
        if line["id"] not in known:
            _register_retired(workspace, line)
    drop_returned(index)


def _register_retired(workspace: Workspace, line: dict[str, Any]) -> None:
    """Put a retired memory into the index from the history; where that no longer holds it, `doctor` says so."""
    try:
        content = workspace.repository.content(line["content"])
    except StoreError:
        return
    # A note without an id had one that follows from its path and its time.
    born = moment_in(line["id"])
    mtime_ns = int(born.timestamp()) * 1_000_000_000 if born else 0
    taken = read_content(workspace, line["path"], content, Stat(0, mtime_ns, 0))
    if taken.reading and taken.reading.entry.id == line["id"]:
        retired = retired_entry(taken.reading.entry, line["path"], line["commit"], datetime.fromisoformat(line["at"]))
        register(workspace.index, [Placed(retired, None, taken.reading.relations)])
