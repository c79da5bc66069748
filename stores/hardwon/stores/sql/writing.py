"""Keeps, changes and forgets memories inside an operation: their rows, their topics and tags, and what search knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.stores.sql import labels
from hardwon.stores.sql.existing import unknown
from hardwon.stores.sql.rows import ENTRY, INSERT_UNKNOWN, UPDATE, Prepared, entry_of, prepared

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database
    from hardwon.stores.sql.history import History
    from hardwon.stores.sql.searching import Searching

_PERSON = "user"
"""Who said what a power cut must not take."""


class Writing:
    """Writes memories; every method is called inside an operation."""

    def __init__(self, database: Database, searching: Searching, history: History) -> None:
        self._database = database
        self._searching = searching
        self._history = history

    def put(self, ready: Sequence[Prepared]) -> list[MemoryEntry]:
        """Keep new memories; one with a known idempotency key is returned as it is known. Raises Conflict."""
        known = self._known_keys(ready)
        fresh: dict[str, Prepared] = {}
        result = []
        for each in ready:
            entry = each.entry
            key = (entry.scope.namespace, entry.idempotency_key)
            if entry.idempotency_key is not None and key in known:
                result.append(known[key])
                continue
            if entry.id in fresh:
                raise Conflict(f"The id {entry.id} is given to two memories; give each one of its own.")
            known[key] = entry
            fresh[entry.id] = each
            result.append(entry)
        if fresh:
            self._insert(list(fresh.values()))
        return result

    def _known_keys(self, ready: Sequence[Prepared]) -> dict[tuple[str, str | None], MemoryEntry]:
        keys = [each.entry.idempotency_key for each in ready if each.entry.idempotency_key is not None]
        if not keys:
            return {}
        clause, values = self._database.among("idempotency_key", keys)
        sql = f"SELECT {ENTRY} FROM memories WHERE {clause}"  # noqa: S608
        found = map(entry_of, self._database.rows(sql, values))
        return {(entry.scope.namespace, entry.idempotency_key): entry for entry in found}

    def _refuse_taken(self, numbered: Sequence[tuple[int, Prepared]]) -> None:
        """Raise Conflict for an id that stands under another number than was given to it just now."""
        clause, values = self._database.among("id", [each.entry.id for _, each in numbered])
        sql = f"SELECT id FROM memories WHERE {clause} AND number NOT BETWEEN ? AND ? LIMIT 1"  # noqa: S608
        for (id,) in self._database.rows(sql, [*values, numbered[0][0], numbered[-1][0]]):
            raise Conflict(f"The id {id} is taken by another memory; give this one an id of its own.")

    def _refuse_taken_key(self, entry: MemoryEntry) -> None:
        sql = "SELECT id FROM memories WHERE namespace = ? AND idempotency_key = ? AND id != ?"
        taken = self._database.rows(sql, (entry.scope.namespace, entry.idempotency_key, entry.id))
        if taken and entry.idempotency_key is not None:
            raise Conflict(f"The idempotency key is that of {taken[0][0]}; leave it out of the changes.")

    def _insert(self, fresh: Sequence[Prepared]) -> None:
        change = self._database.change
        numbered = list(zip(self._database.reserve("memories", len(fresh)), fresh, strict=True))
        rows = [each.row(number, change) for number, each in numbered]
        if self._database.run_many(INSERT_UNKNOWN, rows) < len(rows):
            self._refuse_taken(numbered)
        labels.add(self._database, [(number, each.entry) for number, each in numbered])
        self._searching.add([each.posted(number) for number, each in numbered])
        self._searching.settle()
        self._protect(each.entry for each in fresh)

    def _protect(self, entries: Iterable[MemoryEntry]) -> None:
        if any(entry.source.said_by == _PERSON for entry in entries):
            self._database.make_durable()

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None) -> MemoryEntry:
        """Replace fields and return the new entry. Raises NotFound, InvalidInput, Conflict."""
        rows = self._database.rows(f"SELECT {ENTRY}, number, changed FROM memories WHERE id = ?", (id,))  # noqa: S608
        if not rows:
            raise unknown(id)
        *row, number, touched = rows[0]
        old = entry_of(row)
        if expected_revision is not None and expected_revision != old.revision:
            raise Conflict(f"The memory {id} changed since it was read; read it again and repeat the change.")
        new = prepared(_changed(old, changes))
        if new.entry == old:
            return old
        self._refuse_taken_key(new.entry)
        self._history.replaced(old, new.entry, touched)
        self._searching.remove([id])
        labels.remove(self._database, number, old)
        self._database.run(UPDATE, (*new.row(number, self._database.change)[2:], number))
        labels.add(self._database, [(number, new.entry)])
        self._searching.add([new.posted(number)])
        self._searching.settle()
        self._protect([new.entry])
        return new.entry

    def delete(self, ids: Sequence[str]) -> None:
        """Forget memories, their former states and their edges. Raises NotFound, deleting none."""
        clause, values = self._database.among("id", ids)
        sql = f"SELECT number, {ENTRY} FROM memories WHERE {clause}"  # noqa: S608
        found = {row[1]: (row[0], entry_of(row[1:])) for row in self._database.rows(sql, values)}
        for id in ids:
            if id not in found:
                raise unknown(id)
        change = self._database.change
        self._history.forget(entry for _, entry in found.values())
        self._searching.remove(list(found))
        for number, entry in found.values():
            labels.remove(self._database, number, entry)
        for table, column in (("relations", "source"), ("relations", "target"), ("memories", "id")):
            clause, values = self._database.among(column, list(found))
            self._database.run(f"DELETE FROM {table} WHERE {clause}", values)  # noqa: S608
        sql = "INSERT INTO removals (number, changed) VALUES (?, ?)"
        self._database.run_many(sql, [(number, change) for number, _ in found.values()])
        self._searching.settle()
        self._database.leave_no_trace()


def _changed(old: MemoryEntry, changes: Mapping[str, Any]) -> MemoryEntry:
    if changes.get("id", old.id) != old.id:
        raise InvalidInput("A memory keeps its id for life; leave it out of the changes.")
    try:
        return MemoryEntry.model_validate({**old.model_dump(), **changes})
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InvalidInput(f"The field {field} cannot be changed so ({error.errors()[0]['msg']}).") from None
