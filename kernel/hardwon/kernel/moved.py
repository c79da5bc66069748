"""Notices that the memory has moved to another store while this process had the old one open.

`migrate` switches the setting `store` while it holds the old store's writers' lock. Whoever had that store open goes on
with it: what they then write would lie where nobody looks any more. So every write is followed by a look at
`config.toml`, and an operation begins with one under the lock: it fails, and what was not acknowledged is not lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.settings import FILE_NAME, load_settings

if TYPE_CHECKING:
    from hardwon.kernel.ports import Documents, Journal, Ledger, MemoryStore, Storage, Vectors

WRITES = frozenset({
    *("put", "update", "relate", "unrelate", "delete", "keep_versions"),
    *("decide", "append", "prune", "write", "move", "keep", "retract"),
})  # fmt: skip
"""The methods of all doors that change something."""


class StoreWatch:
    """Tells whether the home's settings name another store since this one was opened."""

    def __init__(self, home: Path, store: str) -> None:
        self._home = home
        self._path = home / FILE_NAME
        self._store = store
        self._seen = self._stat()
        self._before = self._named() or store
        self._moved = ""

    def check(self) -> None:
        """Raise Conflict where the memory has moved."""
        seen = self._stat()
        if seen != self._seen:
            self._seen = seen
            named = self._named()
            self._moved = named if named not in ("", self._store, self._before) else ""
        if self._moved:
            raise Conflict(
                f"The memory has moved from {self._store} to {self._moved} since this began, and this was not kept "
                "there; repeat it."
            )

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _named(self) -> str:
        """Return the store that the settings name; empty where they cannot be read now."""
        try:
            return load_settings(self._home).store
        except InvalidInput:
            return ""


class _Watched:
    """Stands before a door; what changes something is followed by a look."""

    def __init__(self, inner: Any, check: Callable[[], None]) -> None:
        self._inner = inner
        self._check = check
        # In the instance itself: protocols are checked without asking `__getattr__`.
        for name in dir(inner):
            if name.startswith("_") or hasattr(type(self), name) or isinstance(_of_class(inner, name), property):
                continue
            if callable(getattr(inner, name)):
                self.__dict__[name] = _checked(inner, name, check) if name in WRITES else getattr(inner, name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_inner"], name)


def _of_class(inner: Any, name: str) -> Any:
    return getattr(type(inner), name, None)


def _checked(inner: Any, name: str, check: Callable[[], None]) -> Callable[..., Any]:
    @wraps(getattr(inner, name))
    def write(*arguments: Any, **named: Any) -> Any:
        result = getattr(inner, name)(*arguments, **named)
        check()
        return result

    return write


class _WatchedStorage(_Watched):
    """The doors of a storage that may have moved."""

    _inner: Storage

    @cached_property
    def memories(self) -> MemoryStore:
        return cast("MemoryStore", _Watched(self._inner.memories, self._check))

    @cached_property
    def ledger(self) -> Ledger:
        return cast("Ledger", _Watched(self._inner.ledger, self._check))

    @cached_property
    def documents(self) -> Documents:
        return cast("Documents", _Watched(self._inner.documents, self._check))

    @cached_property
    def vectors(self) -> Vectors:
        return cast("Vectors", _Watched(self._inner.vectors, self._check))

    @cached_property
    def journal(self) -> Journal:
        return cast("Journal", _Watched(self._inner.journal, self._check))

    @contextmanager
    def operation(self, why: str) -> Iterator[None]:
        with self._inner.operation(why):
            self._check()
            yield


def watched_storage(inner: Storage, home: Path, store: str) -> Storage:
    """Return a storage that raises Conflict for what is written once the settings of its home name another store."""
    return cast("Storage", _WatchedStorage(inner, StoreWatch(home, store).check))
