"""SqliteDatabase: the Database of one file. Each thread has a connection of its own; one writes at a time.

A writer of this process waits for the others by a lock, one of another process by SQLite's own; either for PATIENCE
seconds at most. What is written is committed to the write-ahead log: `kill -9` takes nothing that was acknowledged. A
power cut may take the last moments, except of operations that were made durable.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError
from hardwon.stores.sqlite.errors import PATIENCE, busy, in_our_words, is_busy
from hardwon.stores.sqlite.held import Held, Opened
from hardwon.stores.sqlite.place import writable
from hardwon.stores.sqlite.syncing import empty_log, sync, waiting

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.stores.sql.database import Row
    from hardwon.stores.sqlite.place import Place

BRIEFLY = 0.5
"""Seconds to wait for readers before what is forgotten is taken out of the log."""
_FAILURES = (sqlite3.Error, UnicodeError, OverflowError)


class SqliteDatabase:
    """One file, open."""

    def __init__(self, path: Path, place: Place, clock: Clock) -> None:
        self.path = path
        self.place = place
        self._clock = clock
        self._writers = threading.RLock()
        self._log_is_owed = False
        self._local = threading.local()
        self._all: weakref.WeakSet[Held] = weakref.WeakSet()

    @property
    def held(self) -> Held:
        """Return what this thread has of the database, opening it on first use. Raises StoreError.

        Where another file took the place of this one, each thread opens that when it is done with what it is in.
        """
        held: Held | None = getattr(self._local, "held", None)
        if held is not None and (held.depth or held.connection.in_transaction):
            return held
        opened = self._to_open
        if held is not None and held.opened == opened and not held.log.is_gone:
            return held
        if held is not None:
            held.let_go(opened)
            self._local.held = None  # a closed one is none, should no other be opened
        try:
            held = Held.connected(self.path, opened)
        except sqlite3.Error as error:
            raise in_our_words(error, self.path) from None
        self._local.held = held
        self._all.add(held)
        return held

    @property
    def _to_open(self) -> Opened:
        """Return which file is to be opened, and how: what is written into any other one would be lost."""
        try:
            return os.stat(self.path).st_ino, self.place  # noqa: PTH116 - at each put: a Path takes four times as long
        except OSError:
            raise StoreError(f"{self.path} is gone; put it back, or restore a backup of it.") from None

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a statement."""
        try:
            return self.held.connection.execute(sql, values).fetchall()
        except _FAILURES as error:
            raise in_our_words(error, self.path) from None

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement inside an operation; return how many rows it touched."""
        try:
            return self._writing.connection.execute(sql, values).rowcount
        except _FAILURES as error:
            raise in_our_words(error, self.path) from None

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for each row of values, inside an operation; return how many rows were touched."""
        try:
            return self._writing.connection.executemany(sql, rows).rowcount
        except _FAILURES as error:
            raise in_our_words(error, self.path) from None

    def run_apart(self, sql: str, rows: Iterable[Sequence[Any]], patience: float | None = None) -> int:
        """Run one statement for each row of values; repeated where an operation around it fails, so that it stays."""
        rows = list(rows)
        with contextlib.nullcontext() if self.held.depth else self.operation("Apart", patience):
            held = self._writing
            try:
                touched = held.connection.executemany(sql, rows).rowcount
            except _FAILURES as error:
                raise in_our_words(error, self.path) from None
            held.apart.append((sql, rows))
        return touched

    @property
    def _writing(self) -> Held:
        """Return what this thread has, inside a transaction.

        SQLite may end one by itself, such as on a full disk: what came after would stand alone.
        """
        held = self.held
        held.require_transaction(self.path)
        return held

    @property
    def change(self) -> int:
        """Return the number of the operation that the thread is in, writing it down when it is first asked for."""
        held = self.held
        if held.change is None:
            (held.change,) = self.reserve("operations", 1)
            sql = "INSERT INTO operations (number, at, why) VALUES (?, ?, ?)"
            self.run(sql, (held.change, self._clock.now().timestamp(), held.why))
        return held.change

    def make_durable(self) -> None:
        """Have the operation that the thread is in survive a power cut once it has ended."""
        self.held.is_durable = True

    def leave_no_trace(self) -> None:
        """Have nothing be left in the file and its log of what the operation deletes, once it has ended.

        SQLite writes zeros over it (`secure_delete`); search forgets its words when its parts are merged.
        """
        self.held.forgets = self.held.is_durable = True
        self.run("INSERT INTO search_postings(search_postings) VALUES ('optimize')")

    def reserve(self, table: str, count: int) -> Sequence[int]:
        """Return so many numbers that no row of a table has or had, in rising order."""
        sql = "UPDATE counters SET value = value + ? WHERE name = ? RETURNING value"
        try:
            ((last,),) = self._writing.connection.execute(sql, (count, table)).fetchall()
        except _FAILURES as error:
            raise in_our_words(error, self.path) from None
        return range(last - count + 1, last + 1)

    def among(self, column: str, values: Sequence[str]) -> tuple[str, list[Any]]:
        """Return the condition that a column holds one of these texts; a list travels as one JSON value."""
        if len(values) == 1:
            return f"{column} = ?", [values[0]]
        return f"{column} IN (SELECT value FROM json_each(?))", [json.dumps(list(values))]  # noqa: S608

    @contextmanager
    def operation(self, why: str, patience: float | None = None) -> Iterator[None]:
        """Make everything inside one transaction; a nested one is a savepoint. Raises StoreBusy, StoreError."""
        held: Held | None = getattr(self._local, "held", None)
        if held is not None and held.depth:
            with self._part(held):
                yield
            return
        if not self.place.is_writable:
            self._look_again()
        patience = PATIENCE if patience is None else patience
        if not self._writers.acquire(timeout=patience):
            raise busy(self.path, patience)
        try:
            with self._whole(self._begun(patience), why):
                yield
        finally:
            self._writers.release()

    def _look_again(self) -> None:
        """Write from now on, where that has become possible since the file was opened. Raises StoreError where not."""
        try:
            place = writable(self.path)
        except sqlite3.Error:
            what = "permit writing it and its folder, and make room on its disk"
            raise StoreError(f"{self.path} is only read here; {what}, then repeat.") from None
        self.place = place

    def _begun(self, patience: float) -> Held:
        """Hold the writers' lock of all processes; of the new file, where this one was replaced meanwhile."""
        while True:
            held = self.held
            self._begin(held, patience)
            is_same = False
            try:
                is_same = held.opened == self._to_open and not held.log.is_gone
            finally:
                if not is_same:
                    held.connection.execute("ROLLBACK")
            if is_same:
                return held

    def _begin(self, held: Held, patience: float) -> None:
        try:
            # As long as a connection waits anyway: nothing is asked or set.
            with contextlib.nullcontext() if patience == PATIENCE else waiting(held.connection, patience):
                held.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise busy(self.path, patience) if is_busy(error) else in_our_words(error, self.path) from None

    @contextmanager
    def _whole(self, held: Held, why: str) -> Iterator[None]:
        """Make what is inside the transaction that was begun."""
        held.begin(why)
        try:
            yield
            held.require_transaction(self.path)
            self._execute(held, "COMMIT")
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                held.connection.execute("ROLLBACK")
            self._keep_apart(held, error)
            raise
        finally:
            held.end()
        if self.place.journal == "wal":
            self._settle(held)

    def _settle(self, held: Held) -> None:
        """See to it that what is to last lasts, and what is to be gone is gone."""
        held.log.bring_in(held.connection, is_written=True)
        if held.forgets or self._log_is_owed:  # while a reader needs the log, it is left to the next operation
            self._log_is_owed = True
            self._log_is_owed = not empty_log(held.connection, self.path, BRIEFLY if held.forgets else 0)
        if held.is_durable:
            sync(Path(f"{self.path}-wal"))

    @contextmanager
    def _part(self, held: Held) -> Iterator[None]:
        """Make what is inside a part of the transaction that can fail alone."""
        held.require_transaction(self.path)  # a savepoint outside of one would be one of its own
        self._execute(held, "SAVEPOINT part")
        held.depth += 1
        change, apart = held.change, len(held.apart)
        try:
            yield
            self._execute(held, "RELEASE part")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # where the whole transaction is gone, its end says so
                held.connection.execute("ROLLBACK TO part")
                held.connection.execute("RELEASE part")
                held.change = change
                for sql, rows in held.apart[apart:]:
                    held.connection.executemany(sql, rows)
            raise
        finally:
            held.depth -= 1

    def _keep_apart(self, held: Held, error: BaseException) -> None:
        """Write again, alone, what was to stay whatever fails; where that fails too, the error says so."""
        if not held.apart:
            return
        try:
            held.connection.execute("BEGIN IMMEDIATE")
            for sql, rows in held.apart:
                held.connection.executemany(sql, rows)
            held.connection.execute("COMMIT")
        except sqlite3.Error as failure:
            with contextlib.suppress(sqlite3.Error):
                held.connection.execute("ROLLBACK")
            error.add_note(f"Activity or vectors that were written inside it are not kept either ({failure}).")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let this thread read one state of everything inside, while others write. Raises StoreBusy, StoreError."""
        held = self.held
        if held.connection.in_transaction:
            yield
            return
        self._execute(held, "BEGIN")
        try:
            self._execute(held, "SELECT 1 FROM meta")  # the first read is the moment
            yield
        finally:
            with contextlib.suppress(sqlite3.Error):
                held.connection.execute("ROLLBACK")

    def _execute(self, held: Held, sql: str) -> None:
        try:
            held.connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise in_our_words(error, self.path) from None

    def close(self) -> None:
        """Close every connection; closing twice is harmless."""
        for held in list(self._all):
            held.close()
        self._all.clear()
        self._local = threading.local()
