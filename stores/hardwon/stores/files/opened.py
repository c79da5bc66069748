"""One open files store: reading that is fresh, operations that are whole, an index that heals itself."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.stores.files.atomic.intent import FILE_NAME as INTENT
from hardwon.stores.files.branch_repair import repair_branch
from hardwon.stores.files.operations import Operations
from hardwon.stores.files.publishing import recover
from hardwon.stores.files.taking_in.freshness import PATIENCE, Freshness, is_available, rebuild
from hardwon.stores.files.topic_pages import WRITTEN_AT, changed_folders, write_pages

if TYPE_CHECKING:
    from hardwon.stores.files.indexing.index import Identity
    from hardwon.stores.files.workspace import Workspace

Result = TypeVar("Result")


class Opened:
    """What the four doors of the store share."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.freshness = Freshness(workspace)
        self._operations = Operations(workspace, self.freshness)

    @contextmanager
    def operation(self, why: str) -> Iterator[None]:
        """Make everything inside one change of the history."""
        try:
            with self.workspace.index.errors(), ExitStack() as operation:
                self._begin(operation, why)
                yield
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"{self.workspace.index.path} was found damaged ({error}) and nothing was changed; repeat the command."
            ) from None

    def _begin(self, operation: ExitStack, why: str) -> None:
        """Enter an operation, or a part of the one under way; an index that is damaged is healed before anything."""
        if self.workspace.changes is not None:
            operation.enter_context(self._operations.operation(why))
            return
        if self.workspace.index.stands_in_because is not None:
            self.workspace.index.close()
        self._healed(lambda: operation.enter_context(self._operations.operation(why)))

    def finish(self) -> None:
        """Finish what a crash cut off, so that nothing half done is read; a process that writes now does so itself."""
        workspace = self.workspace
        if not (workspace.home / INTENT).exists():
            return
        # Where nothing can be written, reading goes on with what is there.
        with contextlib.suppress(StoreError), workspace.lock.held(PATIENCE):
            if repair_branch(workspace) is None:
                recover(workspace)

    def fresh(self) -> None:
        """Bring the index up to date before reading, if a look is due."""
        if self.workspace.changes is None:
            self.healed(self.freshness.before_reading)

    def look(self) -> None:
        """Bring the index up to date now: something is known to differ."""
        if self.workspace.changes is None:
            with self.workspace.taking_in():
                self.freshness.take_in()

    def healed(self, read: Callable[[], Result]) -> Result:
        """Read; where nothing can be written, such as what was edited into the index, a copy in memory stands in."""
        try:
            return self._healed(read)
        except StoreBusy:
            raise
        except StoreError as error:
            if self.workspace.changes is not None or not self.workspace.index.stand_in(str(error)):
                raise
        return self._healed(read)

    def _healed(self, read: Callable[[], Result]) -> Result:
        """Read; where the index turns out to be damaged, build it anew from the files and read again."""
        seen = self.workspace.index.identity
        try:
            with self.workspace.index.errors():
                return read()
        except sqlite3.DatabaseError:
            self.heal(seen)
        try:
            with self.workspace.index.errors():
                return read()
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.workspace.index.path} cannot be read ({error}); run `hardwon reindex`.") from None

    def heal(self, seen: Identity | None) -> None:
        """Set a damaged index aside and build it anew; where it is only empty, fill it.

        `seen` is the identity of the one that was found damaged: who waited for the lock may find that it was healed.
        """
        workspace = self.workspace
        with workspace.taking_in(), workspace.index.guard:
            if workspace.index.stands_in_because is not None:
                rebuild(workspace)
                return
            if seen is not None and workspace.index.identity not in (seen, None):
                return
            try:
                damaged = workspace.index.is_ready
            except sqlite3.DatabaseError:
                damaged = True
            if damaged:
                workspace.index.set_aside(workspace.clock.now())
            rebuild(workspace)

    def reindex(self, *, follow: bool = False) -> None:
        """Build the index anew from the files, whatever it says; of none that were there only where it shall follow.

        Raises StoreError, StoreBusy.
        """
        workspace = self.workspace
        with workspace.lock.held():
            if not follow and self._is_away():
                raise StoreError(
                    f"{workspace.memory} is not there or has lost its history, and the index was left as it is; bring "
                    "it back (mount it, restore it), or run `hardwon reindex --follow-deletions` to begin anew."
                )
            if not workspace.repository.exists:
                self._operations.create()
            repair_branch(workspace)  # where it cannot, the files alone are indexed and `problems` tells
            rebuild(workspace, follow=follow)

    def tend(self) -> None:
        """Write anew the pages of topics that changed since the last time; where none did, nothing is written."""
        workspace = self.workspace
        self.fresh()
        head = workspace.repository.head()
        if not head or not is_available(workspace) or workspace.index.meta(WRITTEN_AT) == head:
            return
        folders = changed_folders(workspace, head)
        if not folders:
            with workspace.lock.held():
                workspace.index.set_meta(WRITTEN_AT, head)
            return
        with self.operation("Tell topics in short"):
            write_pages(workspace, folders)
            workspace.index.set_meta(WRITTEN_AT, head)

    def _is_away(self) -> bool:
        """Tell whether a history was known and is no more."""
        with contextlib.suppress(StoreError, sqlite3.DatabaseError):
            return not self.workspace.repository.exists and not is_available(self.workspace)
        return False

    def close(self) -> None:
        """Let go of everything; closing twice is harmless."""
        self.workspace.index.close()
        self.workspace.repository.close()
