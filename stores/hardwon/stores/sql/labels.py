"""The tables `topics` and `tags`: which memory carries which, so that both are found without reading the memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.memory import MemoryEntry, Status

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database, Row

_TOPIC = "INSERT INTO topics (value, memory, at, archived) VALUES (?, ?, ?, ?)"
_TAG = "INSERT INTO tags (value, memory) VALUES (?, ?)"


def add(database: Database, numbered: Sequence[tuple[int, MemoryEntry]]) -> None:
    """Write the topics and tags of memories, each with its number."""
    topics = [row for number, entry in numbered if entry.topics for row in topic_rows(number, entry)]
    tags = [row for number, entry in numbered if entry.tags for row in tag_rows(number, entry)]
    if topics:
        database.run_many(_TOPIC, topics)
    if tags:
        database.run_many(_TAG, tags)


def topic_rows(number: int, entry: MemoryEntry) -> list[Row]:
    """Return the rows of a memory in `topics`."""
    since = (entry.times.valid_at or entry.times.asserted_at).timestamp()
    return [(topic, number, since, int(entry.status is Status.ARCHIVED)) for topic in entry.topics]


def tag_rows(number: int, entry: MemoryEntry) -> list[Row]:
    """Return the rows of a memory in `tags`."""
    return [(tag, number) for tag in dict.fromkeys(entry.tags)]


def remove(database: Database, number: int, entry: MemoryEntry) -> None:
    """Take out the topics and tags of a memory as it stands."""
    for table, labels in (("topics", entry.topics), ("tags", entry.tags)):
        if labels:
            sql = f"DELETE FROM {table} WHERE value = ? AND memory = ?"  # noqa: S608
            database.run_many(sql, [(label, number) for label in dict.fromkeys(labels)])


def written(database: Database) -> dict[int, set[Row]]:
    """Return all rows of both tables, by the number of their memory."""
    found: dict[int, set[Row]] = {}
    for columns in ("value, memory, at, archived FROM topics", "value, memory FROM tags"):
        for row in database.rows(f"SELECT {columns}"):
            found.setdefault(row[1], set()).add(tuple(row))
    return found
