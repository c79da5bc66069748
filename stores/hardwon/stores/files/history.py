"""Former states of memories, read from the git history of their files, which are followed through renames by id.

From the last commit backwards, each file along the parent in which it is the same; where it differs from all of them,
the state before ended with that commit. What another store knew stands beside it (`kept_versions`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hardwon.kernel.version import Version
from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.indexing.rows import entry_of, in_list
from hardwon.stores.files.kept_versions import kept_versions
from hardwon.stores.files.taking_in.reading import read_content
from hardwon.stores.files.walk_back import Followed, Replaced, walk_back

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.stores.files.workspace import Workspace

_NANOSECONDS = 1_000_000_000


def versions(workspace: Workspace, ids: Sequence[str] | None, after: datetime | None = None) -> list[Version]:
    """Return the former states of these memories or of all, those that ended first before the others."""
    if ids is not None:
        sql = "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?))"
        ids = [row["id"] for row in workspace.index.rows(sql, (in_list(ids),))]
    found = {version.key: version for version in kept_versions(workspace, ids)}
    for version in reversed(list(_of_files(workspace, _places(workspace, ids), after))):
        found.setdefault(version.key, version)
    return sorted((each for each in found.values() if after is None or each.until > after), key=lambda each: each.until)


def _of_files(workspace: Workspace, places: Sequence[Followed], after: datetime | None) -> Iterator[Version]:
    """Walk what the files of memories said before, of each memory the last state first."""
    replaced = [*_uncommitted(workspace, places), *walk_back(workspace.repository, places, after)]
    said = _said_now(workspace, {each.id for each in replaced})
    for each in replaced:
        entry = _read(workspace, each)
        if entry is not None and entry.id == each.id and entry != said.get(entry.id):
            said[entry.id] = entry
            yield Version(memory=entry.id, entry=entry, until=each.until, why=each.why)


def _said_now(workspace: Workspace, ids: Collection[str]) -> dict[str, MemoryEntry]:
    sql = "SELECT id, entry FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    return {row["id"]: entry_of(row) for row in workspace.index.rows(sql, (in_list(ids),))}


def _places(workspace: Workspace, ids: Sequence[str] | None) -> list[Followed]:
    """Return where the last commit has the file of each memory, or had it before a person deleted it."""
    wanted = "?1 IS NULL OR f.id IN (SELECT value FROM json_each(?1))"
    listed = (None if ids is None else in_list(ids),)
    rows = workspace.index.rows(
        f"SELECT f.id, f.path FROM deletions f WHERE {wanted}"  # noqa: S608
        " UNION ALL SELECT f.id, f.path FROM files f JOIN memories m ON m.id = f.id AND m.path IS NOT f.path"
        f" WHERE f.committed IS NOT NULL AND ({wanted})"
        f" UNION ALL SELECT f.id, f.path FROM files f JOIN memories m ON m.path = f.path"
        f" WHERE f.committed IS NOT NULL AND ({wanted})",
        listed,
    )
    return [Followed(id, path) for id, path in {row["id"]: row["path"] for row in rows}.items()]


def _uncommitted(workspace: Workspace, places: Sequence[Followed]) -> Iterator[Replaced]:
    """Walk the states in the last commit that an operation under way, or a person's edit, has replaced since."""
    planned = workspace.changes.contents if workspace.changes else {}
    sql = (
        "SELECT path, committed, mtime_ns, hash IS NOT committed AS edited FROM files"
        " WHERE path IN (SELECT value FROM json_each(?)) AND committed IS NOT NULL"
    )
    followed = {each.path: each.id for each in places}
    for row in workspace.index.rows(sql, (in_list(followed),)):
        path = row["path"]
        if path in planned or row["edited"]:
            now = path in planned or not row["mtime_ns"]
            until = workspace.clock.now() if now else datetime.fromtimestamp(row["mtime_ns"] / _NANOSECONDS, UTC)
            yield Replaced(followed[path], path, row["committed"], until, "")


def _read(workspace: Workspace, replaced: Replaced) -> MemoryEntry | None:
    """Return what a file said; None where that cannot be read, or not without a secret."""
    data = workspace.repository.content(replaced.content)
    stat = Stat(len(data), int(replaced.until.timestamp()) * _NANOSECONDS, 0)
    reading = read_content(workspace, replaced.path, data, stat).reading
    return reading.entry if reading else None
