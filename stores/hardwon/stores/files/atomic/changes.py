"""What an operation is going to change on disk, kept in memory until it ends: all of it becomes true, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from hardwon.stores.files.atomic.disk import Stat

_NOTHING = object()


class Changes:
    """Contents to write by path (None: to remove), and what each path was like when that was decided."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes | None] = {}
        self._based_on: dict[str, Stat | None] = {}
        self._durable: set[str] = set()
        self._undo: list[tuple[str, object]] = []
        self.read: dict[str, Stat | None] = {}
        """What files were like when their content was first read: what is written follows from that."""
        self.relinked: dict[str, None] = {}
        """Ids of memories whose block of links must be written anew, in order."""
        self.folder_counts: dict[str, int] = {}
        """Files a folder holds, as far as it was asked for."""
        self.spelt_folders: dict[str, str] = {}
        """How the folders of new files are spelt, by how their topics are."""

    def __bool__(self) -> bool:
        return bool(self._contents) or bool(self.relinked)

    @property
    def contents(self) -> Mapping[str, bytes | None]:
        """Return what is to be written, by path."""
        return self._contents

    def write(self, path: str, data: bytes, based_on: Stat | None, *, durable: bool = False) -> None:
        """Plan to write a file that is now as `based_on` says (None: not there).

        `durable`: once the operation is acknowledged, it survives a power cut.
        """
        self._keep(path, data, based_on)
        if durable:
            self._durable.add(path)

    def remove(self, path: str, based_on: Stat | None) -> None:
        """Plan to remove a file."""
        self._keep(path, None, based_on)

    def _keep(self, path: str, data: bytes | None, based_on: Stat | None) -> None:
        self._undo.append((path, self._contents.get(path, _NOTHING)))
        self._contents[path] = data
        self._based_on.setdefault(path, based_on)

    def based_on(self, path: str) -> Stat | None:
        """Return what the file was like when its change was decided."""
        return self._based_on[path]

    @property
    def durable(self) -> set[str]:
        """Return the files that must survive a power cut once the operation is acknowledged."""
        return {path for path in self._durable if self._contents.get(path) is not None}

    @contextmanager
    def part(self) -> Iterator[None]:
        """Take back what was planned inside, if it fails."""
        mark = len(self._undo)
        try:
            yield
        except BaseException:
            while len(self._undo) > mark:
                path, before = self._undo.pop()
                if before is _NOTHING:
                    del self._contents[path]
                    del self._based_on[path]
                else:
                    self._contents[path] = before  # type: ignore[assignment]
            raise
