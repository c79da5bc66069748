"""PostgresDatabase: the small protocol that `hardwon.stores.sql` speaks, over one PostgreSQL server."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.stores.postgres.connections import GRACE
from hardwon.stores.postgres.failures import in_our_words
from hardwon.stores.postgres.session import executed, executed_many, lock_number, milliseconds, run
from hardwon.stores.postgres.transactions import Operating, Transactions, savepoint, taken_back

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.kernel.settings import PostgresSettings
    from hardwon.stores.postgres.connections import Connection

WORDS = (
    "memories", "versions", "journal", "topics", "tags", "relations", "operations", "search_terms", "search_keys",
    "search_texts",
)  # fmt: skip
"""The tables that hold what memories say, or words of it."""


class PostgresDatabase:
    """One schema of one database. Safe to use from several threads."""

    def __init__(self, settings: PostgresSettings, clock: Clock) -> None:
        """Keep where the server is, and connect on first use. Raises InvalidInput."""
        self._settings = settings
        self._clock = clock
        self._transactions = Transactions(settings)
        self._writing = threading.Lock()
        self.has_written = False
        """Some operation of this process changed something."""

    @property
    def server(self) -> str:
        """Return what messages call the server."""
        return self._transactions.server

    @property
    def schema(self) -> str:
        """Return the schema that the tables lie in."""
        return self._settings.schema_name

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a statement that only reads finds; inside an operation it may write. Raises StoreError."""
        return self._transactions.repeated(lambda connection: executed(connection, sql, values).fetchall())

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement inside the operation; return how many rows it touched. Raises StoreError."""
        with in_our_words(self.server):
            return executed(self._operating.connection, sql, values).rowcount

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for each of the rows inside the operation; return the rows touched. Raises StoreError."""
        with in_our_words(self.server):
            return executed_many(self._operating.connection, sql, rows)

    def run_apart(self, sql: str, rows: Iterable[Sequence[Any]], patience: float | None = None) -> int:
        """Run one statement for each of the rows, whatever becomes of an operation around it; return the rows touched.

        All or none, on another connection than the operation's, for which no writer is waited for. Raises StoreError.
        """
        given = list(rows)
        return self._transactions.whole(lambda connection: executed_many(connection, sql, given)) if given else 0

    def run_script(self, script: str) -> None:
        """Run statements without values inside the operation, as a migration does. Raises StoreError."""
        with in_our_words(self.server):
            self._operating.connection.execute(script.encode())

    def run_alone(self, statements: Sequence[str]) -> None:
        """Run statements outside of any transaction, for as long as they take. Raises StoreError."""

        def begin(connection: Connection) -> None:
            run(connection, "SET statement_timeout = 0")
            connection.limit = float("inf")

        with in_our_words(self.server), self._transactions.begun(begin) as connection:
            try:
                for statement in statements:
                    run(connection, statement)
            finally:
                connection.close()  # what was set for them ends with it

    def among(self, column: str, values: Sequence[str]) -> tuple[str, list[Any]]:
        """Return the condition that a column holds one of these texts, and its values."""
        return f"{column} = ANY(?)", [list(values)]

    @property
    def change(self) -> int:
        """Return the number of the operation, which is written down when it is first asked for."""
        operating = self._operating
        if operating.change is None:
            (number,) = self.reserve("operations", 1)
            now = self._clock.now().timestamp()
            self.run("INSERT INTO operations(number, at, why) VALUES (?, ?, ?)", [number, now, operating.why])
            operating.change = number
            self.has_written = True
        return operating.change

    def make_durable(self) -> None:
        """Have the operation survive a power cut, also on a server that is set to answer before it has written."""
        self.run("SET LOCAL synchronous_commit = on")

    def leave_no_trace(self) -> None:
        """Have the server free what the operation deletes, once it has ended; its bytes go as that is used again."""
        self.make_durable()
        self._operating.forgets = True

    def reserve(self, table: str, count: int) -> list[int]:
        """Return so many numbers that no row of a table has or had, in rising order."""
        found = self.rows(f"SELECT nextval('{table}_numbers') FROM generate_series(1, ?)", [count])  # noqa: S608
        return sorted(number for (number,) in found)

    @contextmanager
    def operation(self, why: str) -> Iterator[None]:
        """Hold the one writers' lock of all machines and make everything inside one transaction; inside, a savepoint.

        Raises StoreBusy when others write for longer than the lock's time-out; StoreError when nothing was written.
        """
        inside = self._transactions.inside
        if inside is not None:
            with in_our_words(self.server), savepoint(inside):
                yield
            return
        if not self._writing.acquire(timeout=self._settings.lock_timeout):
            raise StoreBusy("Another thread of this process writes for too long; try again in a moment.")
        try:
            with in_our_words(self.server), self._transactions.begun(self._begin_alone) as connection:
                operating = Operating(connection, why)
                yield from self._transactions.transaction(operating)
        finally:
            self._writing.release()
        if operating.forgets:
            self._free()

    def _free(self) -> None:
        """Free what was deleted. Raises StoreError that says that it is deleted in any case."""
        try:
            # The indexes are left to the server's own time: to clear those of vectors takes long.
            self.run_alone([f"VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) {', '.join(WORDS)}"])
        except StoreError as error:
            raise StoreError(
                f"It was deleted; run VACUUM on the server, which could not free at once what it took ({error})."
            ) from None

    @contextmanager
    def reading(self, seconds: float | None = None) -> Iterator[None]:
        """Let all that is read inside be of one moment, each statement within so many seconds (None: as always).

        Inside an operation it changes nothing.
        """
        if self._transactions.inside is not None:
            yield
            return
        limit = min(seconds or self._settings.statement_timeout, self._settings.statement_timeout)

        def begin(connection: Connection) -> None:
            connection.limit = limit + GRACE
            snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            run(connection, f"{snapshot}; SET LOCAL statement_timeout = {milliseconds(limit)}")

        with in_our_words(self.server), self._transactions.begun(begin) as connection:
            yield from self._transactions.transaction(Operating(connection, ""))

    def in_time(self, seconds: float | None) -> AbstractContextManager[None]:
        """Let each statement inside take so many seconds at most; None: as always, each of a moment of its own.

        To set less than always takes a transaction, which is two more round trips to the server.
        """
        if seconds is None or seconds >= self._settings.statement_timeout:
            return nullcontext()
        return self.reading(seconds)

    @contextmanager
    def turn(self, name: str) -> Iterator[bool]:
        """Try to take a lock of all machines for as long as the block lasts; yield whether it was got.

        The server frees it when this process ends, however it ends.
        """
        key = lock_number(self.schema, name)
        answers: list[bool] = []

        def take(connection: Connection) -> None:
            ((got,),) = executed(connection, "SELECT pg_try_advisory_lock(?)", [key]).fetchall()
            answers.append(got)

        with in_our_words(self.server), self._transactions.begun(take) as connection:
            try:
                yield answers[-1]
            finally:
                if answers[-1]:
                    taken_back(connection, f"SELECT pg_advisory_unlock({key})")

    def close(self) -> None:
        """Close the connections; closing twice is harmless."""
        self._transactions.close()

    @property
    def _operating(self) -> Operating:
        inside = self._transactions.inside
        assert inside is not None, "nothing is written outside of an operation"
        return inside

    def _begin_alone(self, connection: Connection) -> None:
        """Begin a transaction that holds the writers' lock; to wait for that is no statement that takes too long."""
        connection.limit = self._settings.lock_timeout + GRACE
        run(
            connection,
            "BEGIN; SET LOCAL statement_timeout = 0; "
            f"SELECT pg_advisory_xact_lock({lock_number(self.schema, 'writers')}); "
            f"SET LOCAL statement_timeout = {milliseconds(self._settings.statement_timeout)}",
        )
        connection.limit = self._settings.statement_timeout + GRACE
