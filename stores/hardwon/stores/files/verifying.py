"""Compares every row of the index with what its file says: the dear part of `doctor`, which finds altered rows.

All other looks trust a row as long as its file has the same stat. Here each file is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.records import Problem
from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.indexing import journal_rows
from hardwon.stores.files.indexing.rows import agrees
from hardwon.stores.files.journal_files import is_journal
from hardwon.stores.files.notes.layout import is_memory
from hardwon.stores.files.taking_in.reading import Taken, read_file

if TYPE_CHECKING:
    import sqlite3

    from hardwon.stores.files.workspace import Workspace

_NAMED = 3
"""How many files the problem names."""


def verify(workspace: Workspace) -> list[Problem]:
    """Return a problem where rows do not say what the files say. Raises sqlite3.DatabaseError for damaged rows."""
    wrong = _wrong(workspace)
    if not wrong:
        return []
    named = ", ".join(wrong[:_NAMED])
    what = f"The index says something else than {len(wrong)} files, e.g. {named}; run `hardwon reindex`."
    return [Problem(where=str(workspace.index.path), what=what)]


def _wrong(workspace: Workspace) -> list[str]:
    """Return the files whose rows are missing or altered; a file that changed just now is for the next look."""
    index = workspace.index
    with index.guard:
        rows = {row["id"]: row for row in index.rows("SELECT * FROM memories")}
        searched = {row["id"] for row in index.rows("SELECT id FROM search_documents")}
        files = index.rows(
            "SELECT path, size, mtime_ns, inode, changed_ns, id, problem FROM files WHERE size IS NOT NULL"
        )
    wrong = []
    for file in files:
        path, stat = file["path"], Stat(*file[1:5])
        if not (is_memory(path) or is_journal(path)) or not stat.is_alike(workspace.stat(path)):
            continue
        taken = read_file(workspace, path, stat)
        if taken and taken.reading is None and taken.problem and not file["problem"]:
            wrong.append(path)  # such as a secret that an earlier program let in
        if taken is not None and is_journal(path) and taken.hash is not None:
            if not journal_rows.agrees(index, path, (placed.known for placed in taken.journal)):
                wrong.append(path)
            continue
        if taken is None or taken.reading is None or _is_refused(file, rows):
            continue
        id = taken.id if taken.reading.has_id else file["id"]
        if id not in searched or not _agrees(taken, rows.get(id)):
            wrong.append(path)
    return sorted(wrong)


def _is_refused(file: sqlite3.Row, rows: dict[str, sqlite3.Row]) -> bool:
    """Tell whether another file has the id that this one claims."""
    row = rows.get(file["id"])
    return bool(file["problem"]) and row is not None and row["path"] != file["path"]


def _agrees(taken: Taken, row: sqlite3.Row | None) -> bool:
    assert taken.reading is not None
    entry = taken.reading.entry
    if row is not None and not taken.reading.has_id:  # the index gave it one, until the next write puts it there
        entry = entry.model_copy(update={"id": row["id"]})
    return row is not None and agrees(row, entry, taken.path)
