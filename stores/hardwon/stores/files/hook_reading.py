"""The files store's half of the hook program: the index, and no memory whose file is not as the index knows it."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.stores.files.indexing.index_format import FORMAT_KEY, FORMAT_VERSION, current_name
from hardwon.stores.hook.reader import opened, read
from hardwon.stores.hook.shelf import COLUMNS, Kept, Reader, Shelf
from hardwon.stores.search.statements import stat_values, time_value

if TYPE_CHECKING:
    from hardwon.kernel.hook.deadline import Deadline
    from hardwon.kernel.hook.place import Place
    from hardwon.stores.hook.reader import ShelfReader


class FilesShelf(Shelf):
    """The memories of the index; what changed on disk is not shown."""

    def __init__(self, connection: sqlite3.Connection, memory: str, reader: Reader) -> None:
        """Read by a connection; `memory` is the folder of the files."""
        super().__init__(connection, reader)
        self._memory = memory

    def where(self, clause: str, values: Sequence[object], rest: str = "ORDER BY memories.id") -> list[Kept]:
        """Return the memories of a condition whose files are as the index knows them."""
        sql = (
            "SELECT memories.path, files.size, files.mtime_ns, files.inode, files.changed_ns, files.hash, "  # noqa: S608
            f"files.recent, {COLUMNS} FROM memories LEFT JOIN files ON files.path = memories.path WHERE {clause} {rest}"
        )
        rows = self._connection.execute(sql, values).fetchall()
        return [self.kept(*row[7:]) for row in rows if self._is_current(row[0], row[1:4], *row[4:7])]

    def _is_current(
        self, path: str | None, known: Sequence[int | None], changed: int | None, name: str | None, recent: int | None
    ) -> bool:
        """Tell whether a memory's file is as the index knows it; one that was deleted by hand is retired.

        Where its stat may hide a change, its content is compared by git's name of it.
        """
        if path is None:
            return False
        place = f"{self._memory}/{path}"
        is_settled = False
        try:
            found = os.lstat(place)
            is_settled = not recent and time_value(found.st_ctime_ns) == changed
            is_same = stat.S_ISREG(found.st_mode)
            is_same = is_same and stat_values(found.st_size, found.st_mtime_ns, found.st_ino) == tuple(known)
        except OSError:
            is_same = False
        is_same = is_same and (is_settled or _git_name(place) == name)
        self.is_behind = self.is_behind or not is_same
        return is_same


def _git_name(place: str) -> str | None:
    """Return git's name of a file's content; None where it cannot be read."""
    import hashlib

    try:
        with open(place, "rb") as file:  # noqa: PTH123 - pathlib costs time
            data = file.read()
    except OSError:
        return None
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def open_reader(home: str, agent: str, place: Place, language: str, deadline: Deadline) -> ShelfReader | None:
    """Open the index of a home; None where it cannot be read now."""
    name, connection = current_name(home), None
    while name is not None and connection is None:
        connection = opened(home, name, (FORMAT_KEY, str(FORMAT_VERSION)), deadline)
        # Where it was removed just now, because another one is in use, that one is opened.
        name = other if (other := current_name(home)) != name else None
    if connection is None:
        return None

    def make_shelf(connection: sqlite3.Connection, reader: Reader) -> FilesShelf:
        return FilesShelf(connection, f"{home}/memory", reader)

    return read(home, connection, make_shelf, agent, place, language)
