"""The Postgres store's half of the hook program: the copy in the home. It never asks the server, and never waits."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from hardwon.stores.hook.reader import opened, read
from hardwon.stores.hook.shelf import Reader, Shelf
from hardwon.stores.postgres.replica_name import FILE_NAME, REFRESHED_KEY
from hardwon.stores.sql.format import FORMAT_KEY, FORMAT_VERSION

if TYPE_CHECKING:
    from hardwon.kernel.hook.deadline import Deadline
    from hardwon.kernel.hook.place import Place
    from hardwon.stores.hook.reader import ShelfReader

FRESH = 60.0
"""Seconds after which the background is to look what others wrote to the server."""


class ReplicaShelf(Shelf):
    """The memories of the copy, which is behind when it was not compared for a while."""

    def __init__(self, connection: sqlite3.Connection, reader: Reader) -> None:
        super().__init__(connection, reader)
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (REFRESHED_KEY,)).fetchone()
        self.is_behind = row is None or not 0 <= reader.now - float(row[0]) < FRESH


def open_reader(home: str, agent: str, place: Place, language: str, deadline: Deadline) -> ShelfReader | None:
    """Open the copy of a home; None where there is none yet, or it cannot be read now."""
    connection = opened(home, FILE_NAME, (FORMAT_KEY, str(FORMAT_VERSION)), deadline)
    try:
        return None if connection is None else read(home, connection, ReplicaShelf, agent, place, language)
    except (sqlite3.Error, ValueError):
        return None
