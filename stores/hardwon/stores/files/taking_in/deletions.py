"""Memories whose file a person deleted: a line each in `deleted-by-hand.jsonl`, so that they stay known, restorably.

The index alone would lose them when it is built anew. A line says which memory it was, where its file lay, the last
commit that holds the file, and git's name of the content; the content itself stays in the history, from which the
retired memory is read again. The line goes when the file is back or the memory is forgotten; whoever removes a line
lets go of that memory for good.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.memory import MemoryEntry, Status

if TYPE_CHECKING:
    from hardwon.stores.files.indexing.index import Index
    from hardwon.stores.files.workspace import Workspace

FILE = "deleted-by-hand.jsonl"
FORMAT_VERSION = 1
DELETED_BY_HAND = "deleted_by_hand"
"""The key in a retired memory's metadata that says where its file was."""
RESTORE_WITH = "restore_with"
"""The key that says which command in memory/ brings the file back; absent where no commit holds it."""
FIELDS = ("id", "path", "commit", "content", "at")
"""What a line says, beside its version."""


def retired_entry(entry: MemoryEntry, path: str, commit: str | None, at: datetime) -> MemoryEntry:
    """Return a memory as it is after its file was deleted by hand: archived, retracted, with how to bring it back."""
    times = entry.times.model_copy(update={"retracted_at": entry.times.retracted_at or at})
    metadata = {**entry.metadata, DELETED_BY_HAND: path}
    if commit is not None:
        quoted = "'" + path.replace("'", "'\\''") + "'"
        metadata[RESTORE_WITH] = f"git checkout {commit[:12]} -- {quoted}"
    return entry.model_copy(update={"status": Status.ARCHIVED, "times": times, "metadata": metadata})


def note_deletion(index: Index, id: str, path: str, commit: str, content: str, at: datetime) -> None:
    """Remember that a memory's file is gone which the last commit holds."""
    index.run(
        'INSERT OR REPLACE INTO deletions (id, path, "commit", content, at) VALUES (?, ?, ?, ?, ?)',
        (id, path, commit, content, at.isoformat()),
    )


def drop_returned(index: Index) -> None:
    """Drop what is noted of memories that have a file again."""
    index.run(  # few are noted: asked one by one, and not of all memories
        "DELETE FROM deletions WHERE EXISTS"
        " (SELECT 1 FROM memories WHERE memories.id = deletions.id AND memories.path IS NOT NULL)"
    )


def write_deletions(workspace: Workspace) -> None:
    """Plan to write the record as the index has it, if that changes it; one that cannot be read is left alone."""
    index = workspace.index
    rows = index.rows("SELECT * FROM deletions ORDER BY id")
    known = index.rows("SELECT problem FROM files WHERE path = ? AND size IS NOT NULL", (FILE,))
    if not (rows or known) or (known and known[0]["problem"]):
        return
    lines = [json.dumps({"version": FORMAT_VERSION, **{name: row[name] for name in FIELDS}}) for row in rows]
    data = "".join(line + "\n" for line in lines).encode("ascii")
    if data != workspace.content(FILE):
        workspace.write(FILE, data)
    index.run("UPDATE deletions SET recorded = 1 WHERE recorded = 0")


def read_deletions(data: bytes) -> list[dict[str, Any]]:
    """Return the lines of a record, the last one of each memory. Raises UnreadableFile at the first that is none."""
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            plain = json.loads(line)
            if plain["version"] > FORMAT_VERSION:
                raise UnreadableFile(FILE, f"its format {plain['version']} is newer; upgrade hardwon", number)
            datetime.fromisoformat(plain["at"])
            found[str(plain["id"])] = {name: str(plain[name]) for name in FIELDS}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise UnreadableFile(FILE, "this line is no record of a deletion; mend or remove it", number) from None
    return list(found.values())
