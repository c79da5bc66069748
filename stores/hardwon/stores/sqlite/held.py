"""Held: what one thread has of the database: its connection, and the operation that it is in."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from hardwon.kernel.errors import StoreError
from hardwon.stores.sqlite.log_at_work import Log, refuse_removed_table

if TYPE_CHECKING:
    from pathlib import Path

    from hardwon.stores.search.index import SearchIndex
    from hardwon.stores.sqlite.place import Place

Opened: TypeAlias = "tuple[int, Place]"
"""Which file a connection has open, by its inode, and how."""


class Held:
    """A connection; closed with its thread, or when the store is."""

    def __init__(self, connection: sqlite3.Connection, opened: Opened, log: Log) -> None:
        self.connection = connection
        self.opened = opened
        self.log = log
        self.search: SearchIndex | None = None
        self.depth = 0
        """How many operations stand around each other; 0: none."""
        self.why = ""
        """The reason of the outermost."""
        self.change: int | None = None
        """The number of the operation, once it was asked for."""
        self.apart: list[tuple[str, list[Sequence[Any]]]] = []
        """What was written so far that is to stay whatever fails."""
        self.is_durable = False
        """Whether the operation is to survive a power cut."""
        self.forgets = False
        """Whether nothing is to be left of what it deletes."""

    @classmethod
    def connected(cls, path: Path, opened: Opened) -> Held:
        """Return a new one to the file at `path`. Raises StoreBusy, sqlite3.Error."""
        file, place = opened
        refuse_removed_table(path, file)
        return cls(place.connect(), opened, Log(path, file, is_used=place.journal == "wal"))

    def begin(self, why: str) -> None:
        """Begin the outermost operation."""
        self.depth, self.why, self.change, self.apart = 1, why, None, []
        self.is_durable = self.forgets = False

    def end(self) -> None:
        """End it."""
        self.depth, self.why, self.change, self.apart = 0, "", None, []

    def require_transaction(self, path: Path) -> None:
        """Raise StoreError where SQLite ended the transaction by itself, so that what came now would stand alone."""
        if not self.connection.in_transaction:
            raise StoreError(f"Nothing of this operation was written to {path}; repeat it as a whole.")

    def let_go(self, to_open: Opened) -> None:
        """Close the connection for another one; where that is to the same file, with what its log holds brought in."""
        if self.opened == to_open:
            self.log.bring_in(self.connection)
        self.close()

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        self.search = None
        with contextlib.suppress(sqlite3.Error), self.log.closed():
            self.connection.close()

    def __del__(self) -> None:
        self.close()
