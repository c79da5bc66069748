"""One open home as the parts of this store share it: where things are, who may write, what is being changed."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hardwon.kernel.errors import InvalidInput, StoreError
from hardwon.stores.files.atomic import disk
from hardwon.stores.files.atomic.disk import Stat, stat_of
from hardwon.stores.files.atomic.lock import PATIENCE, WritersLock
from hardwon.stores.files.atomic.replacing import changed_meanwhile
from hardwon.stores.files.git.repository import Repository
from hardwon.stores.files.notes.layout import DIGEST, project_of_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardwon.kernel.ports import Clock, Redactor
    from hardwon.stores.files.atomic.changes import Changes
    from hardwon.stores.files.indexing.index import Index

MEMORY = "memory"


class Known(NamedTuple):
    """What the index knows of a file."""

    stat: Stat
    hash: str | None
    """Git's name of its content; None where it could not be opened."""
    recent: int
    """1: it had changed just before it was read."""


class Workspace:
    """The home's folder, its lock, history, index and clock; and the operation under way, if there is one."""

    def __init__(self, home: Path, clock: Clock, index: Index, redactor: Callable[[], Redactor]) -> None:
        self.home = home
        self.redactor = redactor
        self.memory = home / MEMORY
        self._root = f"{self.memory}/"
        self.clock = clock
        self.index = index
        self.lock = WritersLock(home / "lock")
        self.repository = Repository(self.memory)
        self.changes: Changes | None = None
        self.take_edit: Callable[[str], None] = lambda path: None
        """What is done about a file, before it is written to, that a person changed since it was last looked at."""

    @property
    def planned(self) -> Changes:
        """Return the changes of the operation under way."""
        assert self.changes is not None, "only inside an operation"
        return self.changes

    def taking_in(self, patience: float = PATIENCE) -> AbstractContextManager[None]:
        """Hold the writers' lock while the index learns what is on disk; a copy that nobody else sees needs none."""
        return self.lock.held(patience) if self.index.stands_in_because is None else nullcontext()

    def path(self, name: str) -> Path:
        """Return where a file below memory/ lies."""
        return self.memory / name

    def known(self, path: str) -> Known | None:
        """Return what the index knows of a file that is there."""
        sql = "SELECT size, mtime_ns, inode, changed_ns, hash, recent FROM files WHERE path = ? AND size IS NOT NULL"
        found = self.index.rows(sql, (path,))
        return Known(Stat(*found[0][:4]), *found[0][4:]) if found else None

    def is_as_known(self, path: str, found: Stat | None, known: Known | None) -> bool:
        """Tell whether a file is as the index knows it: by its stat, and where that may hide a change by its text."""
        if known is None or not known.stat.is_alike(found):
            return False
        return (found == known.stat and not known.recent) or self.has_content(path, known.hash)

    def has_content(self, path: str, name: str | None) -> bool:
        """Tell whether a file on disk has the content of this name, git's."""
        try:
            return self.repository.hash_of(self.path(path).read_bytes()) == name
        except OSError:
            return False

    def content(self, path: str) -> bytes | None:
        """Return a file as it stands: as planned by the operation under way, else as on disk. Raises StoreError."""
        if self.changes is not None and path in self.changes.contents:
            return self.changes.contents[path]
        if self.changes is not None:
            self.changes.read.setdefault(path, self.stat(path))
        try:
            return self.path(path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if not os.access(self.memory, os.X_OK):
                return None  # no file there can be reached: the memory is not there, as where its disk is not mounted
            raise StoreError(f"{self.path(path)} cannot be read ({error.strerror}); permit it, then repeat.") from None

    def write(self, path: str, data: bytes, *, durable: bool = False) -> None:
        """Plan to write a file in the operation under way.

        Raises InvalidInput when it is too large to be kept, Conflict when somebody saved it since it was read.
        """
        if len(data) > disk.LARGEST:
            raise InvalidInput(f"{path} would be larger than {disk.LARGEST >> 20} MB; split it into parts.")
        self.planned.write(path, data, self._as_read(path), durable=durable)

    def remove(self, path: str) -> None:
        """Plan to remove a file in the operation under way. Raises Conflict as `write` does."""
        self.planned.remove(path, self._as_read(path))

    def require_known(self, path: str) -> None:
        """Raise Conflict where a file was saved after the index learned what it says and before it was read."""
        read = self.planned.read.get(path)
        if path not in self.planned.contents and not self.is_as_known(path, read, self.known(path)):
            raise changed_meanwhile(self.path(path))

    def _as_read(self, path: str) -> Stat | None:
        """Return the stat of a file on disk, which is as it was when it was read, if it was. Raises Conflict."""
        found = self._settled(path)
        if path not in self.planned.contents and self.planned.read.get(path, found) != found:
            raise changed_meanwhile(self.path(path))
        return found

    def before_touching(self, path: str) -> None:
        """Take in what a person changed in a file since it was last looked at; who decides by the index asks first."""
        self._settled(path)

    def _settled(self, path: str) -> Stat | None:
        """Return the stat of a file on disk, of which the index knows whatever a person changed.

        Here its text is compared whatever its stat says: a program that gives a file its old time back hides a change.
        """
        found = self.stat(path)
        if found is None or path in self.planned.contents:
            return found
        known = self.known(path)
        if known and self.is_as_known(path, found, known):
            can_be_read = known.hash is not None and os.access(f"{self._root}{path}", os.R_OK)
            if not can_be_read or self.has_content(path, known.hash):
                return found
        self.take_edit(path)
        return self.stat(path)

    def exists(self, path: str) -> bool:
        """Tell whether there is something, as planned by the operation under way or, be it a folder, on disk."""
        if self.changes is not None and path in self.changes.contents:
            return self.changes.contents[path] is not None
        return os.path.lexists(f"{self._root}{path}")

    def stat(self, path: str) -> Stat | None:
        """Return the stat of a file on disk; None when it is not there. Raises StoreError where nobody can tell."""
        try:
            return stat_of(f"{self._root}{path}")
        except OSError as error:
            reason = f"{self.path(path)} cannot be looked at ({error.strerror})"
            raise StoreError(f"{reason}; permit it, then repeat.") from None

    def changed_at(self, folder: str) -> int | None:
        """Return when the names in a folder last changed, in nanoseconds; None when it is not there."""
        try:
            return os.stat(f"{self._root}{folder}").st_mtime_ns  # noqa: PTH116 - asked of every folder at every write
        except OSError:
            return None

    def project_of(self, folder: str) -> str | None:
        """Return the project whose memories lie in this folder of the digest."""
        if "~" in folder:  # the name alone does not spell the project
            sql = "SELECT project FROM memories WHERE project IS NOT NULL AND substr(path, 1, ?) = ? LIMIT 1"
            prefix = f"{DIGEST}/{folder}/"
            found = self.index.rows(sql, (len(prefix), prefix))
            if found:
                return str(found[0]["project"])
        return project_of_folder(folder)
