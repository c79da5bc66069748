"""Writes anew what is derived from the memories: the columns that are asked for, the topics and the tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.stores.search.documents import document
from hardwon.stores.sql import labels
from hardwon.stores.sql.rows import COLUMNS, UPDATE, Prepared, entry_of
from hardwon.stores.sql.verifying import memory_rows

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database

_PLACES = tuple(COLUMNS.index(name) for name in ("number", "changed", "id", "entry", "content"))


def derive(database: Database) -> None:
    """Write every derived column, topic and tag anew, inside the caller's operation; what is true stays as it is.

    Raises StoreError for a memory that cannot be read.
    """
    for table in ("topics", "tags"):
        database.run(f"DELETE FROM {table}")  # noqa: S608
    for row in memory_rows(database):
        number, changed, id, text, content = (row[place] for place in _PLACES)
        entry = entry_of((id, text, content))
        wanted = Prepared(entry, text, document(entry)).row(number, changed)
        if wanted != tuple(row):
            database.run(UPDATE, (*wanted[2:], number))
        labels.add(database, [(number, entry)])
