"""Makes an operation's changes true: history objects, intent, files, branch, index; and finishes what a crash cut off.

The commit exists before any file is touched, and nothing refers to it until all files are in place. So a crash leaves
either nothing, or an intent from which the next writer finishes the same change.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.errors import Conflict, StoreError
from hardwon.stores.files import upkeep
from hardwon.stores.files.atomic.disk import Stat, remove_leftovers, sync_file_system
from hardwon.stores.files.atomic.intent import Intent, clear_intent, read_intent, write_intent
from hardwon.stores.files.atomic.replacing import changed_meanwhile, remove, write_expected
from hardwon.stores.files.forgotten_meanwhile import let_go_of_forgotten
from hardwon.stores.files.git import git_index, packing
from hardwon.stores.files.indexing.index import HEAD
from hardwon.stores.files.indexing.rows import in_list

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardwon.stores.files.atomic.changes import Changes
    from hardwon.stores.files.workspace import Workspace


FEW = 32
"""Up to how many files are waited for one by one; more are waited for at once, with all else on their disk."""


@dataclass(frozen=True)
class Published:
    """A change that was made true: the commit it builds on, and the content's name of each changed path."""

    parent: str | None
    names: Mapping[str, str | None]


def publish(workspace: Workspace, why: str) -> Published | None:
    """Make the planned changes true; None when they would change nothing.

    Runs inside the index's transaction; `settle` comes after it. Raises Conflict when a person changed one of the files
    in the meantime, StoreError when the disk refuses; then nothing is changed.
    """
    changes = workspace.planned
    repository = workspace.repository
    _refuse_changed(workspace, changes)
    names = repository.keep_all(_real(workspace, changes))
    head = repository.head()
    commit = repository.make_commit(names, why, workspace.clock.now()) if names else None
    if commit is None:
        return None
    write_intent(workspace.home, Intent(commit, head))
    begun = time.time_ns()
    written: dict[str, Stat | None] = {}
    try:
        durable = changes.durable & names.keys()
        each = len(durable) <= FEW
        for path in names:
            written[path] = _write_file(workspace, changes, path, durable=each and path in durable)
        if not each:
            sync_file_system(workspace.memory, map(workspace.path, durable))
        repository.move_branch(commit)
    except (StoreError, Conflict):
        _put_back(workspace, written)
        raise
    _know_files(workspace, names, {path: stat for path, stat in written.items() if stat is not None}, begun)
    workspace.index.set_meta(HEAD, commit)
    return Published(head, names)


def settle(workspace: Workspace, published: Published | None) -> None:
    """Follow with git's own index, end the change, and leave to the background what need not be waited for."""
    if published and _follow(workspace, published.parent, published.names):
        clear_intent(workspace.home)
    if git_index.is_behind(workspace.home) or (published and packing.is_due(workspace.repository.common_folder)):
        upkeep.start_upkeep(workspace.home)


def _follow(workspace: Workspace, parent: str | None, names: Mapping[str, str | None]) -> bool:
    """Bring git's own index up to date with a commit on `parent`, or note that it is behind.

    False where not even that can be written, as on a full disk: what was to be kept is kept all the same, and the
    intent stays, by which the next writer tries it again.
    """
    home, repository = workspace.home, workspace.repository
    try:
        if git_index.is_behind(home) or _is_later(workspace) or not git_index.follow(repository, names):
            git_index.note_behind(home, parent)
    except StoreError:
        return False
    return True


def mend_git_index(workspace: Workspace) -> None:
    """Write what git's own index missed: another git held it, or we were cut off before it."""
    if git_index.is_behind(workspace.home) and not _is_later(workspace):
        git_index.catch_up(workspace.home, workspace.repository)


def _is_later(workspace: Workspace) -> bool:
    """Tell whether git's own index is written in the background: where that is dear and allowed."""
    return background.is_allowed() and git_index.is_large(workspace.repository)


def recover(workspace: Workspace) -> None:
    """Finish the change that a crash cut off, if there is one; the caller holds the lock.

    A file that is neither as it was before nor as it should become is a person's edit and stays.
    """
    intent = read_intent(workspace.home)
    if intent is None:
        return
    repository = workspace.repository
    remove_leftovers(workspace.memory)
    if repository.exists and repository.holds(intent.commit):
        changes = repository.changes(intent.commit)
        for path, (before, after) in changes.items():
            _roll_forward(workspace, path, before, after)
        let_go_of_forgotten(workspace, changes)
        names = {path: after for path, (_, after) in changes.items()}
        if repository.head() != intent.commit:
            again = repository.make_commit(names, repository.message(intent.commit), workspace.clock.now())
            if again is not None:
                repository.move_branch(again)
        if not _follow(workspace, intent.parent, names):
            return
    clear_intent(workspace.home)


def _roll_forward(workspace: Workspace, path: str, before: str | None, after: str | None) -> None:
    place, found = workspace.path(path), workspace.stat(path)
    try:
        current = workspace.repository.hash_of(place.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        current = None
    if current == before:
        with contextlib.suppress(Conflict):
            if after is None:
                remove(place, workspace.memory, found)
            else:
                write_expected(place, workspace.repository.content(after), found, durable=True)


def _real(workspace: Workspace, changes: Changes) -> dict[str, bytes | None]:
    """Return the changes without those that would change nothing."""
    hashes = {
        row["path"]: row["hash"]
        for row in workspace.index.rows(
            "SELECT path, hash FROM files WHERE hash IS NOT NULL AND path IN (SELECT value FROM json_each(?))",
            (in_list(changes.contents),),
        )
    }
    hash_of = workspace.repository.hash_of
    return {
        path: data
        for path, data in changes.contents.items()
        if (data is None and (path in hashes or workspace.stat(path)))
        or (data is not None and (path not in hashes or hash_of(data) != hashes[path]))
    }


def _refuse_changed(workspace: Workspace, changes: Changes) -> None:
    for path in changes.contents:
        if workspace.stat(path) != changes.based_on(path):
            raise changed_meanwhile(workspace.path(path))


def _write_file(workspace: Workspace, changes: Changes, path: str, *, durable: bool) -> Stat | None:
    """Write or remove a file if it is as it was when that was decided; return its stat, None for one that is gone."""
    data, based_on = changes.contents[path], changes.based_on(path)
    if data is None:
        remove(workspace.path(path), workspace.memory, based_on)
        return None
    return write_expected(workspace.path(path), data, based_on, durable=durable)


def _put_back(workspace: Workspace, written: Mapping[str, Stat | None]) -> None:
    """Make the files that were written again what the last commit says, but for those that a person saved since.

    Where even that fails, the intent stays for the next writer.
    """
    committed = workspace.repository.files(workspace.repository.head())
    with contextlib.suppress(StoreError):
        for path, ours in written.items():
            before = committed.get(path)
            with contextlib.suppress(Conflict):
                if before is None:
                    remove(workspace.path(path), workspace.memory, ours)
                else:
                    content = workspace.repository.content(before)
                    write_expected(workspace.path(path), content, ours, durable=False)
        clear_intent(workspace.home)


def _know_files(workspace: Workspace, names: Mapping[str, str | None], stats: Mapping[str, Stat], begun: int) -> None:
    """Know the files as they were written; `begun`: when the first was, in nanoseconds since 1970."""
    index = workspace.index
    index.run_many("DELETE FROM files WHERE path = ?", [(path,) for path in names])
    index.run_many(
        "INSERT INTO files (path, folder, size, mtime_ns, inode, changed_ns, hash, committed, recent, id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM memories WHERE path = ?1))",
        (
            (path, path.rpartition("/")[0], *stat, names[path], names[path], stat.may_hide_a_change(begun))
            for path, stat in ((path, _in_place(workspace, path, stat)) for path, stat in stats.items())
        ),
    )


def _in_place(workspace: Workspace, path: str, written: Stat) -> Stat:
    """Return the stat of a file of ours as it lies in its place, where its name came after its content."""
    found = workspace.stat(path)
    return found if found is not None and written.is_alike(found) else written
