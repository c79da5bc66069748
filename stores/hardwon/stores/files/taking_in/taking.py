"""Takes what changed on disk into the index: edited, new, moved, broken, copied and deleted files.

Who keeps an id that several files claim: the file whose path was known for it, then one that no sync tool named as a
copy in conflict, then the one named after it, then one that is in the history, then the first by name. The others
are reported and nothing of theirs is taken until they have an id of their own.

A file that is gone retires its memory: archived and retracted in the index, whole again when the file comes back. When
more than 20 files and more than a fifth of all are gone at once, the index does not follow until it is told to.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.indexing.index import HEAD
from hardwon.stores.files.indexing.journal_rows import forget_file, put_file
from hardwon.stores.files.indexing.register import Placed, register
from hardwon.stores.files.indexing.rows import entry_of, in_list, put_decision, relation_of
from hardwon.stores.files.journal_files import is_journal
from hardwon.stores.files.notes.copies import IN_CONFLICT, is_conflict_copy
from hardwon.stores.files.notes.layout import is_named_after
from hardwon.stores.files.taking_in import deletions
from hardwon.stores.files.taking_in.deletion_record import learn_deletions
from hardwon.stores.files.taking_in.looking import Difference
from hardwon.stores.files.taking_in.reading import Taken, read_file

if TYPE_CHECKING:
    from datetime import datetime

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.stores.files.indexing.index import Index
    from hardwon.stores.files.workspace import Workspace

VANISHED = "vanished"
MANY_FILES, MANY_SHARE = 20, 0.2


def take_in(workspace: Workspace, difference: Difference, *, follow: bool = False, anew: bool = False) -> None:
    """Bring the index up to date, inside the caller's transaction; `follow` also where many files are gone.

    `anew`: it is being built, part by part, so that what was taken first has no older right to its id.
    """
    begun = time.time_ns()
    changed = {**_rivals(workspace, difference), **difference.changed}
    known = _known_hashes(workspace, changed)
    taken = [each for path, stat in changed.items() if (each := read_file(workspace, path, stat))]
    others = _taken_before(workspace, taken) if anew else []
    taken += others
    fresh = [each for each in taken if each.hash != known.get(each.path) or each.path not in difference.changed]
    _settle_ids(workspace, fresh, set(difference.gone), anew=anew)
    gone = _followed(workspace, difference.gone, {each.id for each in fresh}, follow=follow)
    _write_file_rows(workspace, taken, begun)
    kept = [Placed(each.reading.entry, each.path, each.reading.relations) for each in fresh if each.reading]
    if kept:
        register(workspace.index, kept, new=anew and not others, anew=anew)
    deletions.drop_returned(workspace.index)
    for each in fresh:
        if each.decision:
            put_decision(workspace.index.connection, each.decision, each.path)
        elif not each.reading:
            workspace.index.run("UPDATE memories SET stale = 1 WHERE path = ?", (each.path,))
    _retire(workspace, gone, kept)
    _take_journal(workspace, taken, gone)
    if deletions.FILE in changed:
        learn_deletions(workspace)


def _take_journal(workspace: Workspace, taken: Sequence[Taken], gone: Sequence[str]) -> None:
    """Take in the journal's files: those that are gone first, since a file may only have moved."""
    now = workspace.clock.now()
    for path in filter(is_journal, gone):
        forget_file(workspace.index, path, now)
    for each in taken:
        if is_journal(each.path) and each.hash is not None:
            put_file(workspace.index, each.path, [placed.known for placed in each.journal], now)


def _rivals(workspace: Workspace, difference: Difference) -> dict[str, Stat]:
    """Return the other files that claim the id of a file that changed or went: one of them may have it now."""
    paths = in_list([*difference.changed, *difference.gone])
    rows = workspace.index.rows(
        "SELECT path, size, mtime_ns, inode, changed_ns FROM files WHERE size IS NOT NULL AND path NOT IN"
        " (SELECT value FROM json_each(?1))"
        " AND id IN (SELECT id FROM files WHERE path IN (SELECT value FROM json_each(?1)))",
        (paths,),
    )
    return {row["path"]: Stat(*row[1:]) for row in rows}


def _taken_before(workspace: Workspace, taken: Sequence[Taken]) -> list[Taken]:
    """Return the files that were taken before and claim an id that one of these claims too, read again."""
    rows = workspace.index.rows(
        "SELECT path, size, mtime_ns, inode, changed_ns FROM files WHERE size IS NOT NULL"
        " AND id IN (SELECT value FROM json_each(?)) AND path NOT IN (SELECT value FROM json_each(?))",
        (in_list(each.id for each in taken if each.id is not None), in_list(each.path for each in taken)),
    )
    read = (read_file(workspace, row["path"], Stat(*row[1:])) for row in rows)
    return [each for each in read if each is not None]


def _known_hashes(workspace: Workspace, paths: Iterable[str]) -> dict[str, str | None]:
    rows = workspace.index.rows(
        "SELECT path, hash FROM files WHERE path IN (SELECT value FROM json_each(?)) AND size IS NOT NULL",
        (in_list(paths),),
    )
    return {row["path"]: row["hash"] for row in rows}


def _settle_ids(workspace: Workspace, fresh: Sequence[Taken], gone: set[str], *, anew: bool) -> None:
    """Let one file have each id; the others are refused."""
    claims: dict[str, list[Taken]] = {}
    for each in fresh:
        if each.id is not None:
            claims.setdefault(each.id, []).append(each)
    holders = {} if anew else _holders(workspace, claims)
    committed = _committed(workspace, fresh)
    for id, claimants in claims.items():
        holder = holders.get(id)
        paths = {each.path for each in claimants}
        if holder is not None and holder not in paths and holder not in gone and _stands(workspace, holder):
            winner = holder
        else:
            winner = min(paths, key=lambda path: _place_in_line(path, id, holder, committed))
        for each in claimants:
            if each.path != winner:
                each.refuse(f"it has the id {id} of {winner}; {_remedy(each.path)}")


def _remedy(copy: str) -> str:
    if is_conflict_copy(copy):
        return IN_CONFLICT
    return "remove the copy, or its line `id:` to make it a new one"


def _place_in_line(path: str, id: str, holder: str | None, committed: set[str]) -> tuple[bool, bool, bool, bool, str]:
    return (path != holder, is_conflict_copy(path), not is_named_after(id, path), path not in committed, path)


def _stands(workspace: Workspace, path: str) -> bool:
    return workspace.known(path) is not None


def _holders(workspace: Workspace, ids: Iterable[str]) -> dict[str, str]:
    sql = "SELECT id, path FROM memories WHERE path IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    return {row["id"]: row["path"] for row in workspace.index.rows(sql, (in_list(ids),))}


def _committed(workspace: Workspace, fresh: Sequence[Taken]) -> set[str]:
    sql = "SELECT path FROM files WHERE committed IS NOT NULL AND path IN (SELECT value FROM json_each(?))"
    return {row["path"] for row in workspace.index.rows(sql, (in_list(each.path for each in fresh),))}


def _followed(workspace: Workspace, gone: Sequence[str], moved: set[str | None], *, follow: bool) -> list[str]:
    """Return the gone files that the index follows: all, or no memory's where too many vanished at once."""
    index = workspace.index
    sql = "SELECT path, id FROM memories WHERE path IN (SELECT value FROM json_each(?))"
    lost = {row["path"] for row in index.rows(sql, (in_list(gone),)) if row["id"] not in moved}
    if not follow and len(lost) > MANY_FILES and len(lost) > MANY_SHARE * _number(index):
        index.set_meta(VANISHED, str(len(lost)))
        return [path for path in gone if path not in lost]
    index.set_meta(VANISHED, None)
    return list(gone)


def _number(index: Index) -> int:
    """Return how many memories have a file."""
    return int(index.rows("SELECT count(*) FROM memories WHERE path IS NOT NULL")[0][0])


def _write_file_rows(workspace: Workspace, taken: Sequence[Taken], begun: int) -> None:
    """Know these files; `begun`: when the first was read, in nanoseconds since 1970."""
    workspace.index.run_many(
        "INSERT INTO files (path, folder, size, mtime_ns, inode, changed_ns, hash, id, without_id, line, problem,"
        " recent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET size = excluded.size,"
        " mtime_ns = excluded.mtime_ns, inode = excluded.inode, changed_ns = excluded.changed_ns, hash = excluded.hash,"
        " id = coalesce(excluded.id, id), without_id = excluded.without_id, line = excluded.line,"
        " problem = excluded.problem, recent = excluded.recent",
        (
            (
                each.path, each.path.rpartition("/")[0], *each.stat, each.hash, each.claimed_id,
                int(each.reading is not None and not each.reading.has_id), each.line, each.problem,
                each.stat.may_hide_a_change(begun),
            )
            for each in taken
        ),
    )  # fmt: skip


def _retire(workspace: Workspace, gone: Sequence[str], kept: Sequence[Placed]) -> None:
    """Archive the memories of files that are gone, or hold another memory now; what moved has another path by now."""
    index, now = workspace.index, workspace.clock.now()
    paths = in_list(gone)
    lost = index.rows(
        "SELECT entry, path FROM memories WHERE path IN (SELECT value FROM json_each(?)) OR"
        " (path IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT value FROM json_each(?)))",
        (paths, in_list(str(each.path) for each in kept), in_list(each.entry.id for each in kept)),
    )
    for row in lost:
        retired = _retired(workspace, entry_of(row), row["path"], now)
        relations = index.rows("SELECT relation FROM relations WHERE source = ? AND in_text = 0", (retired.id,))
        register(index, [Placed(retired, None, [relation_of(each) for each in relations])])
    index.run("DELETE FROM decisions WHERE path IN (SELECT value FROM json_each(?))", (paths,))
    index.run(
        "UPDATE files SET size = NULL, mtime_ns = NULL, inode = NULL, changed_ns = NULL, hash = NULL, problem = NULL"
        " WHERE path IN (SELECT value FROM json_each(?))",
        (paths,),
    )
    index.run(
        "DELETE FROM files WHERE path IN (SELECT value FROM json_each(?)) AND size IS NULL AND committed IS NULL",
        (paths,),
    )


def _retired(workspace: Workspace, entry: MemoryEntry, path: str, now: datetime) -> MemoryEntry:
    """Return a memory as retired, and note where the history has its file."""
    found = _in_history(workspace, entry.id, path)
    if found is None:
        return deletions.retired_entry(entry, path, None, now)
    path, commit, content = found
    deletions.note_deletion(workspace.index, entry.id, path, commit, content, now)
    return deletions.retired_entry(entry, path, commit, now)


def _in_history(workspace: Workspace, id: str, path: str) -> tuple[str, str, str] | None:
    """Return the path, commit and content of a memory's file in the history: there, or where it lay before a move.

    The last commit that the index knows comes before one that a person made since: that may lack the file already.
    """
    index, repository = workspace.index, workspace.repository
    sql = "SELECT path, committed FROM files WHERE committed IS NOT NULL AND (path = ?1 OR id = ?2) ORDER BY path != ?1"
    known, commit = index.rows(sql, (path, id)), index.meta(HEAD)
    if known and commit:
        return known[0]["path"], commit, known[0]["committed"]
    head = repository.head()
    content = repository.name_at(head, path) if head else None
    return (path, head, content) if head and content else None
