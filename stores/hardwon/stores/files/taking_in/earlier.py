"""What files that cannot be read any more said when they last could be: a new index knows that from the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.indexing.register import Placed, register
from hardwon.stores.files.indexing.rows import put_decision
from hardwon.stores.files.taking_in.reading import Taken, read_content

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

FURTHEST = 5000
"""Commits that are looked through."""


def take_earlier_readings(workspace: Workspace) -> None:
    """Take what unreadable files said before, marked as stale, in the caller's transaction; for a new index."""
    index = workspace.index
    rows = index.rows("SELECT path FROM files WHERE problem IS NOT NULL AND id IS NULL AND size IS NOT NULL")
    known = {row["id"] for row in index.rows("SELECT id FROM memories")}
    placed = []
    for taken in _earlier_readings(workspace, {row["path"] for row in rows}):
        if taken.decision:
            put_decision(index.connection, taken.decision, taken.path)
        elif taken.reading and taken.id not in known:
            placed.append(Placed(taken.reading.entry, taken.path, taken.reading.relations))
    if placed:
        register(index, placed)
        index.run_many("UPDATE memories SET stale = 1 WHERE id = ?", [(each.entry.id,) for each in placed])


def _earlier_readings(workspace: Workspace, paths: set[str]) -> list[Taken]:
    """Return each file as it last could be read; those that never could be are left out."""
    found: list[Taken] = []
    looked_at: set[tuple[str, str]] = set()
    for path, name in workspace.repository.versions(paths, FURTHEST):
        if path not in paths or (path, name) in looked_at:
            continue
        looked_at.add((path, name))
        taken = read_content(workspace, path, workspace.repository.content(name), Stat(0, 0, 0))
        if taken.reading or taken.decision:
            found.append(taken)
            paths.discard(path)
    return found
