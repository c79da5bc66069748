"""The copy that a home keeps of what is on the server: a file of the SQLite store's tables, brought up to date.

The hook program reads it, since it waits for no server, and so does recall while the server is away. It has what recall
needs: memories, edges, documents, decisions and activity; not the vectors, the journal and former states. Each row on
the server names the operation that touched it last, so that only what is new since the last time is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.stores.postgres.replica_name import FILE_NAME, REFRESHED_KEY
from hardwon.stores.postgres.schema import BIRTH_KEY
from hardwon.stores.sql.edges import COLUMNS as EDGE
from hardwon.stores.sql.rows import COLUMNS as MEMORY
from hardwon.stores.sqlite.creating import bring_up_to_date
from hardwon.stores.sqlite.database import SqliteDatabase
from hardwon.stores.sqlite.place import ENDINGS, find_place
from hardwon.stores.sqlite.searching import SqliteSearching
from hardwon.stores.sqlite.verifying import is_damaged

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.stores.postgres.database import PostgresDatabase

SOURCE_KEY = "replica of"
SEEN_KEY = "seen"
"""The number of the last operation on the server whose changes the copy has."""
_PAGE = 1000
_OVERLAP = 1000
"""Activity may become visible on the server in another order than it was numbered in: so much is read again."""
_FREED = "UPDATE memories SET idempotency_key = NULL WHERE namespace = ? AND idempotency_key = ? AND number != ?"
_FOLLOWED = (
    ("relations", EDGE, "number"),
    ("documents", ("name", "text", "changed"), "name"),
    ("decisions", ("id", "proposal", "at", "decision", "changed"), "id"),
)
"""Tables whose rows say which operation touched them last, with their columns and their key."""


class Replica:
    """The copy of one home. Only one process at a time brings it up to date; the others wait for SQLite's lock."""

    def __init__(self, home: Path, server: PostgresDatabase, clock: Clock) -> None:
        self.path = home / FILE_NAME
        self._server = server
        self._clock = clock

    def refresh(self) -> None:
        """Take over what changed on the server; make the copy where there is none. Raises StoreError."""
        copy = self._opened()
        try:
            if copy.rows("SELECT value FROM meta WHERE key = ?", [SOURCE_KEY]) not in ([], [(self._source,)]):
                copy.close()
                self._remove()
                copy = self._opened()
            with self._server.reading(), copy.operation("Take over what changed on the server"):
                self._take_over(copy)
        except StoreError:
            if is_damaged(copy):
                self._remove()
            raise
        finally:
            copy.close()

    @property
    def _source(self) -> str:
        """Return what tells this server's tables from any others."""
        ((birth,),) = self._server.rows("SELECT value FROM meta WHERE key = ?", [BIRTH_KEY])
        return str(birth)

    def _opened(self) -> SqliteDatabase:
        """Open the copy, made anew where it is damaged or of a newer program: it is derived. Raises StoreError."""
        try:
            return self._made()
        except StoreBusy:
            raise
        except StoreError:
            self._remove()
            return self._made()

    def _made(self) -> SqliteDatabase:
        place = find_place(self.path)
        bring_up_to_date(self.path, place)
        return SqliteDatabase(self.path, place, self._clock)

    def _remove(self) -> None:
        try:
            for ending in ENDINGS:
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be made anew ({error.strerror}); move it away.") from None

    def _take_over(self, copy: SqliteDatabase) -> None:
        known = copy.rows("SELECT value FROM meta WHERE key = ?", [SEEN_KEY])
        seen = int(known[0][0]) if known else -1
        ((last,),) = self._server.rows("SELECT coalesce(max(number), 0) FROM operations")
        searching = SqliteSearching(copy, None)
        if last > seen:
            self._forget(copy, searching, seen)
            self._memories(copy, searching, seen)
            for table, columns, _ in _FOLLOWED:
                self._follow(copy, table, columns, seen)
            searching.settle(at_once=True)
        self._activity(copy)
        now = str(self._clock.now().timestamp())
        for key, value in ((SOURCE_KEY, self._source), (SEEN_KEY, str(last)), (REFRESHED_KEY, now)):
            copy.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def _forget(self, copy: SqliteDatabase, searching: SqliteSearching, seen: int) -> None:
        """Take out what was forgotten, with its edges and without a trace; and documents that are no more."""
        had_any = False
        for (number,) in self._server.rows("SELECT number FROM removals WHERE changed > ?", [seen]):
            for (id,) in copy.rows("SELECT id FROM memories WHERE number = ?", [number]):
                searching.remove([id])
                copy.run("DELETE FROM relations WHERE source = ? OR target = ?", (id, id))
                self._clear(copy, [(number,)])
                had_any = True
        names = {name for (name,) in self._server.rows("SELECT name FROM documents")}
        left = [(name,) for (name,) in copy.rows("SELECT name FROM documents") if name not in names]
        copy.run_many("DELETE FROM documents WHERE name = ?", left)
        if had_any or left:
            copy.leave_no_trace()

    def _memories(self, copy: SqliteDatabase, searching: SqliteSearching, seen: int) -> None:
        last = -1
        sql = f"SELECT {', '.join(MEMORY)} FROM memories WHERE changed > ? AND number > ? ORDER BY number LIMIT ?"  # noqa: S608
        while rows := self._server.rows(sql, [seen, last, _PAGE]):
            last = rows[-1][0]
            self._put(copy, searching, [dict(zip(MEMORY, row, strict=True)) for row in rows])

    def _put(self, copy: SqliteDatabase, searching: SqliteSearching, rows: Sequence[dict[str, Any]]) -> None:
        """Write memories as they now stand, in the place of what stood there."""
        numbers = [(row["number"],) for row in rows]
        keys = [(row["namespace"], row["idempotency_key"], row["number"]) for row in rows]
        # A memory that gave its key to one of these changed too, and may be among the next ones.
        copy.run_many(_FREED, [key for key in keys if key[1] is not None])
        searching.remove([row["id"] for row in rows])
        self._clear(copy, numbers)
        _insert(copy, "memories", MEMORY, [tuple(row.values()) for row in rows])
        for table, columns in (("topics", ("value", "memory", "at", "archived")), ("tags", ("value", "memory"))):
            sql = f"SELECT {', '.join(columns)} FROM {table} WHERE memory = ANY(?)"  # noqa: S608
            _insert(copy, table, columns, self._server.rows(sql, [[number for (number,) in numbers]]))
        searching.add([(row["number"], row["length"], row["terms"]) for row in rows])

    def _clear(self, copy: SqliteDatabase, numbers: Sequence[tuple[int]]) -> None:
        copy.run_many("DELETE FROM memories WHERE number = ?", numbers)
        for table in ("topics", "tags"):
            copy.run_many(f"DELETE FROM {table} WHERE memory = ?", numbers)  # noqa: S608

    def _follow(self, copy: SqliteDatabase, table: str, columns: Sequence[str], seen: int) -> None:
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE changed > ?"  # noqa: S608
        _insert(copy, table, columns, self._server.rows(sql, [seen]))

    def _activity(self, copy: SqliteDatabase) -> None:
        ((last,),) = copy.rows("SELECT coalesce(max(number), 0) FROM activity")
        columns = ("number", "kind", "at", "record")
        sql = f"SELECT {', '.join(columns)} FROM activity WHERE number > ? ORDER BY number LIMIT ?"  # noqa: S608
        last -= _OVERLAP
        while rows := self._server.rows(sql, [last, _PAGE]):
            last = rows[-1][0]
            _insert(copy, "activity", columns, rows)
        counts = [each.rows("SELECT count(*) FROM activity") for each in (self._server, copy)]
        if counts[0] != counts[1]:
            self._pruned(copy, columns)

    def _pruned(self, copy: SqliteDatabase, columns: Sequence[str]) -> None:
        """Take out what the server has no more of what happened, and take over what it showed too late."""
        there, here = (
            {number for (number,) in each.rows("SELECT number FROM activity")} for each in (self._server, copy)
        )
        copy.run_many("DELETE FROM activity WHERE number = ?", [(number,) for number in here - there])
        sql = f"SELECT {', '.join(columns)} FROM activity WHERE number = ANY(?)"  # noqa: S608
        _insert(copy, "activity", columns, self._server.rows(sql, [sorted(there - here)]))


def _insert(copy: SqliteDatabase, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    marks = ", ".join("?" * len(columns))
    copy.run_many(f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608
