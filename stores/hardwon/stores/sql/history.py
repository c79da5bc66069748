"""What memories said before: a row of `versions` for each state that something replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.cleaning import cleaned_version
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.version import Version
from hardwon.stores.sql.existing import require
from hardwon.stores.sql.rows import entry_of, plain

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.stores.sql.database import Database

COLUMNS = ("number", "memory", "revision", "ended", "until", "why", "changed", "entry", "content")
_INSERT = f"INSERT INTO versions ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608

_FORGOTTEN = ": what was forgotten"
"""What stands in a reason in the place of a memory's title."""


class History:
    """Keeps and returns former states."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def replaced(self, old: MemoryEntry, new: MemoryEntry, touched: int) -> None:
        """Keep the state that stood before this operation; `touched` is the operation that last changed the memory.

        What stood only inside the operation is no former state; where it brings back what stood before it, that is none
        either, as long as nothing replaces it again.
        """
        change = self._database.change
        if touched == change:
            sql = "UPDATE versions SET changed = ? WHERE memory = ? AND changed = ?"
            self._database.run(sql, (change, old.id, -change))
            sql = "UPDATE versions SET changed = ? WHERE memory = ? AND changed = ? AND revision = ?"
            self._database.run(sql, (-change, old.id, change, new.revision))
            return
        ((why,),) = self._database.rows("SELECT why FROM operations WHERE number = ?", (change,))
        self._write([(old.id, old, self._clock.now(), str(why))], change)

    def _write(self, states: Sequence[tuple[str, MemoryEntry, datetime, str]], change: int) -> None:
        numbers = self._database.reserve("versions", len(states))
        rows: list[tuple[Any, ...]] = [
            (
                number, memory, entry.revision, until.timestamp(), until.isoformat(), why, change, plain(entry),
                entry.content,
            )
            for number, (memory, entry, until, why) in zip(numbers, states, strict=True)
        ]  # fmt: skip
        self._database.run_many(_INSERT, rows)

    def of(self, ids: Sequence[str] | None = None, after: datetime | None = None) -> list[Version]:
        """Return the former states of these memories or of all, those that ended first before the others.

        `after`: those alone that ended after that moment.
        """
        conditions, values = ["changed > 0"], list[Any]()
        if ids is not None:
            clause, values = self._database.among("memory", list(dict.fromkeys(ids)))
            conditions.append(clause)
        if after is not None:
            conditions.append("ended > ?")
            values.append(after.timestamp())
        columns, condition = "memory, entry, content, until, why", " AND ".join(conditions)
        rows = self._database.rows(f"SELECT {columns} FROM versions WHERE {condition} ORDER BY ended, number", values)  # noqa: S608
        return [
            Version(memory=memory, entry=entry_of((memory, entry, content)), until=until, why=why)
            for memory, entry, content, until, why in rows
        ]

    def forget(self, entries: Iterable[MemoryEntry]) -> None:
        """Remove the former states of memories that are forgotten, and their titles from the reasons of operations."""
        entries = list(entries)
        ids = [entry.id for entry in entries]
        titles = {f": {entry.title}" for entry in (*entries, *(version.entry for version in self.of(ids)))}
        for title in sorted(titles, key=len, reverse=True):
            for table in ("operations", "versions"):
                sql = f"UPDATE {table} SET why = replace(why, ?, ?) WHERE why != replace(why, ?, ?)"  # noqa: S608
                self._database.run(sql, (title, _FORGOTTEN) * 2)
        clause, values = self._database.among("memory", ids)
        self._database.run(f"DELETE FROM versions WHERE {clause}", values)  # noqa: S608

    def keep(self, versions: Sequence[Version]) -> None:
        """Keep former states as another store had them, each once. Raises NotFound."""
        ids = list(dict.fromkeys(version.memory for version in versions))
        require(self._database, ids)
        known = {version.key for version in self.of(ids)}
        fresh: dict[tuple[str, float, str], tuple[str, MemoryEntry, datetime, str]] = {}
        for version in map(cleaned_version, versions):
            if version.key not in known:
                fresh.setdefault(version.key, (version.memory, version.entry, version.until, version.why))
        if fresh:
            self._write(list(fresh.values()), self._database.change)
