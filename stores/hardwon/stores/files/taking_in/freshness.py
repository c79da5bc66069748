"""Keeps the index true to the disk: a walk over all files by stat, and what differs is taken in.

Reading never waits for a writer: when another process is writing, the index is as that process last left it, and the
next look finds the rest. Only what differs is read again.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.indexing.index import HEAD
from hardwon.stores.files.indexing.register import Placed, register, resolve_wikilinks
from hardwon.stores.files.indexing.rows import in_list
from hardwon.stores.files.taking_in import deletions
from hardwon.stores.files.taking_in.earlier import take_earlier_readings
from hardwon.stores.files.taking_in.looking import Difference, difference, keep_look, walk
from hardwon.stores.files.taking_in.reading import read_content
from hardwon.stores.files.taking_in.taking import take_in
from hardwon.stores.files.workspace import Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hardwon.stores.files.indexing.index import Index
    from hardwon.stores.files.workspace import Workspace

_SHARE_OF_TIME = 20
"""A look is due again after this many times as long as the last one took: looking costs at most a twentieth."""
PART = 2000
"""Files that are in memory at once while an index is built."""
PATIENCE = 0.5
"""Seconds that a reader waits for a writer before it goes on with the index as it is."""


class Freshness:
    """Looks at the disk when it is time to, and brings the index up to date."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._looked_at = float("-inf")
        self._took = 0.0
        self._folders: dict[str, int] = {}
        self._folders_due = float("-inf")
        self._is_behind = False
        """Something was seen and could not be taken in, since another process was writing."""

    def before_reading(self) -> None:
        """Take in what changed, if a look is due or somebody moved the branch, and no other process writes."""
        if not self._is_due() and self._index_knows_head():
            return
        if not self._is_current():
            try:
                with self._workspace.taking_in(PATIENCE):
                    self.take_in()
            except StoreBusy:
                self._is_behind = True

    def before_writing(self) -> None:
        """Take in what changed, for a writer that holds the lock.

        All files are looked at when that is due. Between, it is seen that the history and the folders are as they were:
        a file that came, went or has another name shows there. A file that was edited in place is taken in before it is
        written to (`Operations.take_edit`), and else by the next look.
        """
        if self._is_behind or self._is_due() or not self._index_knows_head() or self._folders_changed():
            self.take_in()

    def is_due_at_once(self) -> None:
        """Look before anything is read or written next: the index is behind."""
        self._is_behind = True

    def wrote(self, paths: Iterable[str]) -> None:
        """Learn how the folders are after our own writing to these files."""
        for path in paths:
            folder = path
            while folder:
                folder = folder.rstrip("/").rpartition("/")[0]
                folder = folder and f"{folder}/"
                self._folders.pop(folder, None)
                found = self._workspace.changed_at(folder)
                if found is not None:
                    self._folders[folder] = found

    def _is_due(self) -> bool:
        return time.monotonic() - self._looked_at >= self._took * _SHARE_OF_TIME

    def _index_knows_head(self) -> bool:
        workspace = self._workspace
        return workspace.index.is_ready and workspace.index.meta(HEAD) == (workspace.repository.head() or "")

    def _folders_changed(self) -> bool:
        """Tell whether a folder is not as it was, as often as that costs at most a twentieth of the time."""
        if time.monotonic() < self._folders_due:
            return False
        begun = time.thread_time()  # its own time: on a busy machine, waiting costs nobody anything
        changed = any(self._workspace.changed_at(folder) != known for folder, known in self._folders.items())
        self._folders_due = time.monotonic() + (time.thread_time() - begun) * _SHARE_OF_TIME
        return changed

    def _is_current(self) -> bool:
        workspace = self._workspace
        if not workspace.index.is_ready:
            return False
        if not is_available(workspace):
            return True  # there is nothing to compare with; the index stays as it is
        if workspace.index.meta(HEAD) != (workspace.repository.head() or ""):
            return False
        state = workspace.index.state
        found = self._look()
        if not found and found.is_worth_keeping:
            with contextlib.suppress(StoreError), workspace.taking_in(0):  # what is kept only saves time
                self._keep(found, state)
        return not found

    def _keep(self, found: Difference, state: tuple[int, int]) -> None:
        """Keep what a look learned, unless the index was written since it began."""
        index = self._workspace.index
        with index.transaction():
            if index.state == state:
                keep_look(index, found)

    def _look(self) -> Difference:
        begun = time.monotonic()
        found = difference(self._workspace)
        self._looked_at = time.monotonic()
        self._took = self._looked_at - begun
        self._folders = found.folders
        return found

    def take_in(self, *, follow: bool = False) -> None:
        """Bring the index up to date; the caller holds the lock."""
        workspace = self._workspace
        with workspace.index.guard:
            if not is_available(workspace):
                return
            if not workspace.index.is_ready:
                rebuild(workspace, follow=follow)
                return
            self._is_behind = False
            moved = workspace.index.meta(HEAD) != (workspace.repository.head() or "")
            found = self._look()
            if moved or found or found.is_worth_keeping:
                with workspace.index.transaction():
                    keep_look(workspace.index, found)
                    take_in(workspace, found, follow=follow)
                    if moved:
                        learn_head(workspace)
                    workspace.index.search.settle()


def is_available(workspace: Workspace) -> bool:
    """Tell whether the truth is there: where a history was known and is no more, it is unmounted or half restored.

    Nor is it where the last commit is not known: until that is mended, reading goes on with the index as it is.
    """
    if workspace.repository.broken:
        return False
    return workspace.repository.exists or not (workspace.index.is_ready and workspace.index.meta(HEAD))


def rebuild(workspace: Workspace, *, follow: bool = False) -> None:
    """Build the index anew from the files, beside the one that is in use; the caller holds the lock.

    What the last commit holds and the disk does not is taken from the history first, so that it counts as gone and not
    as never known.
    """
    with workspace.index.built_anew() as index, _uncollected():
        other = copy.copy(workspace)
        other.index = index
        _fill(other, follow=follow)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let no garbage be looked for: every file leaves objects that stay, none of them in a circle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _fill(workspace: Workspace, *, follow: bool) -> None:
    """Fill the index of a workspace from the files, inside the caller's transaction."""
    index = workspace.index
    index.make_tables()
    folders = walk(workspace.memory) if workspace.memory.is_dir() else ()
    found = {path for folder in folders for path, _ in folder.files()}
    head = workspace.repository.head()
    committed = workspace.repository.files(head)
    _take_from_history(workspace, {path: name for path, name in committed.items() if path not in found})
    _learn(index, head, committed)
    del found, committed
    _take_all(workspace, difference(workspace), follow=follow)
    index.make_indexes()
    resolve_wikilinks(index)
    take_earlier_readings(workspace)
    index.search.settle()


def _take_all(workspace: Workspace, found: Difference, *, follow: bool) -> None:
    """Take all files in part by part, so that no more than a part is in memory; what stands on others comes last."""
    last = {deletions.FILE: found.changed.pop(deletions.FILE)} if deletions.FILE in found.changed else {}
    files = iter(found.changed.items())
    while part := dict(islice(files, PART)):
        take_in(workspace, Difference(part), anew=True)
    take_in(workspace, Difference(last, found.gone), follow=follow, anew=True)


def _take_from_history(workspace: Workspace, missing: dict[str, str]) -> None:
    stat = Stat(0, 0, 0)
    memories = []
    for path, name in missing.items():
        if path.rpartition("/")[2].startswith("."):
            continue
        taken = read_content(workspace, path, workspace.repository.content(name), stat)
        if taken.reading:
            memories.append(Placed(taken.reading.entry, path, taken.reading.relations))
        workspace.index.run(
            "INSERT OR IGNORE INTO files (path, folder, size, mtime_ns, inode, changed_ns, hash, committed, id)"
            " VALUES (?, ?, 0, 0, 0, 0, ?, ?, ?)",
            (path, path.rpartition("/")[0], name, name, taken.id),
        )
    if memories:
        register(workspace.index, memories)


def learn_head(workspace: Workspace) -> None:
    """Learn which content of each file the last commit holds, after someone else moved the branch."""
    head = workspace.repository.head()
    _learn(workspace.index, head, workspace.repository.files(head))


def _learn(index: Index, head: str | None, committed: Mapping[str, str]) -> None:
    index.run("UPDATE files SET committed = NULL WHERE committed IS NOT NULL")
    index.run_many(
        "INSERT INTO files (path, folder, committed) VALUES (?, ?, ?)"
        " ON CONFLICT (path) DO UPDATE SET committed = excluded.committed",
        (
            (path, path.rpartition("/")[0], name)
            for path, name in committed.items()
            if not path.rpartition("/")[2].startswith(".")
        ),
    )
    index.run("DELETE FROM files WHERE size IS NULL AND committed IS NULL")
    index.set_meta(HEAD, head or "")


def all_have_files(workspace: Workspace, ids: list[str]) -> bool:
    """Tell whether the index knows all these memories, each with a file."""
    sql = "SELECT count(*) FROM memories WHERE path IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    return bool(workspace.index.rows(sql, (in_list(ids),))[0][0] == len(ids))


def in_doubt(workspace: Workspace, ids: list[str]) -> bool:
    """Tell whether a file of these memories is not as the index knows it."""
    rows = workspace.index.rows(
        "SELECT f.path, f.size, f.mtime_ns, f.inode, f.changed_ns, f.hash, f.recent FROM memories m"
        " JOIN files f ON f.path = m.path WHERE m.id IN (SELECT value FROM json_each(?)) AND f.size IS NOT NULL",
        (in_list(ids),),
    )
    return any(_differs(workspace, row[0], Known(Stat(*row[1:5]), *row[5:])) for row in rows)


def _differs(workspace: Workspace, path: str, known: Known) -> bool:
    """Tell whether a file is seen to be other than the index knows it; one that cannot be reached is not."""
    try:
        return not workspace.is_as_known(path, workspace.stat(path), known)
    except StoreError:
        return False
