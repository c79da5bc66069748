"""Operations: what is changed inside one becomes one commit, or nothing of it is true.

The outermost operation takes the lock, finishes what a crash left, takes in what people changed and commits it as
theirs; at its end it publishes. Inner ones are parts of it, which can fail alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hardwon.kernel.errors import StoreError
from hardwon.kernel.text import clean
from hardwon.stores.files.atomic.changes import Changes
from hardwon.stores.files.atomic.disk import write_whole
from hardwon.stores.files.branch_repair import repair_branch
from hardwon.stores.files.front_door import write_front_door
from hardwon.stores.files.git import git_index
from hardwon.stores.files.hand_edits import commit_hand_edits
from hardwon.stores.files.link_blocks import write_link_blocks
from hardwon.stores.files.publishing import mend_git_index, publish, recover, settle
from hardwon.stores.files.taking_in.adoption import adopt_notes
from hardwon.stores.files.taking_in.deletions import write_deletions
from hardwon.stores.files.taking_in.freshness import is_available
from hardwon.stores.files.taking_in.looking import Difference
from hardwon.stores.files.taking_in.taking import take_in

if TYPE_CHECKING:
    from hardwon.stores.files.taking_in.freshness import Freshness
    from hardwon.stores.files.workspace import Workspace

SETTINGS = {
    # No line end is ever converted, and two devices that both wrote a generated file or a list do not conflict over it.
    ".gitattributes": b"* -text\nindex.md merge=union\n_topic.md merge=union\n*.jsonl merge=union\n",
    ".gitignore": b".hardwon-*\n.obsidian/\n.trash/\n.DS_Store\n",
}


class Operations:
    """Begins and ends the operations of one open home."""

    def __init__(self, workspace: Workspace, freshness: Freshness) -> None:
        self._workspace = workspace
        self._freshness = freshness
        workspace.take_edit = self._take_edit

    @contextmanager
    def operation(self, why: str) -> Iterator[None]:
        """Make everything inside one change of the history. Raises StoreBusy, StoreError, Conflict; then none of it."""
        workspace = self._workspace
        with workspace.lock.held(), workspace.index.guard:
            if workspace.changes is not None:
                with workspace.index.transaction(), workspace.changes.part():
                    yield
                return
            self._prepare()
            with self._changing(why):
                yield

    def _prepare(self) -> None:
        """Leave nothing between the disk, the history and the index that is not ours to write."""
        workspace = self._workspace
        if undone := repair_branch(workspace):
            raise StoreError(undone)
        if not is_available(workspace):
            raise StoreError(
                f"{workspace.memory} is not there or has lost its history; bring it back (mount it, restore it), or "
                "run `hardwon reindex --follow-deletions` to begin anew with what is there."
            )
        if not workspace.repository.exists:
            self.create()
        elif workspace.repository.head() is None:  # a branch without a commit was checked out
            self._begin()
        recover(workspace)
        self._freshness.before_writing()
        mend_git_index(workspace)
        commit_hand_edits(workspace)
        with self._changing("Give notes written by hand an id"):
            adopt_notes(workspace)
        with self._changing("Note what was deleted by hand"):
            write_deletions(workspace)

    def _take_edit(self, path: str) -> None:
        """Take in a person's edit of a file and commit it as theirs, in the midst of an operation that writes to it.

        Should the operation fail, the index forgets that commit and learns it again, as of any that another made.
        """
        workspace = self._workspace
        found = workspace.stat(path)
        if found:
            with workspace.index.transaction():
                take_in(workspace, Difference({path: found}))
                commit_hand_edits(workspace)

    def create(self) -> None:
        """Make the repository."""
        self._workspace.repository.create()
        self._begin()

    def _begin(self) -> None:
        """Make the first commit of a branch: the two files that tell git how to treat the others."""
        workspace = self._workspace
        for name, data in SETTINGS.items():
            if not workspace.exists(name):
                write_whole(workspace.path(name), data, durable=False)
        contents = {name: workspace.content(name) for name in SETTINGS}
        names = workspace.repository.keep_all(contents)
        commit = workspace.repository.make_commit(names, "Begin the memory", workspace.clock.now())
        if commit is not None:
            workspace.repository.move_branch(commit)
            git_index.follow(workspace.repository, names)

    @contextmanager
    def _changing(self, why: str) -> Iterator[None]:
        workspace = self._workspace
        changes = workspace.changes = Changes()
        published = None
        try:
            with workspace.index.transaction():
                yield
                if changes:
                    workspace.index.search.settle()
                    write_link_blocks(workspace)
                    write_front_door(workspace)
                    published = publish(workspace, clean(why).rstrip() + "\n")
        except StoreError:
            if published is None:
                raise
            # All of it is true, in files and history; the index had no room for it and learns it at the next look.
            self._freshness.is_due_at_once()
            settle(workspace, published)
        else:
            settle(workspace, published)
            self._freshness.wrote(published.names if published else ())
        finally:
            workspace.changes = None
