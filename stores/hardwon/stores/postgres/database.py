"""PostgresDatabase: the small protocol that `hardwon.stores.sql` speaks, over one PostgreSQL server.

Statements outside of an operation stand for themselves. One that only reads, or that the server took back, is tried
again; of a write whose connection broke in its very end nobody knows whether it stands, and that is said.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.stores.postgres.connections import GRACE, Connection, Connections
from hardwon.stores.postgres.failures import in_our_words, is_lost, is_undone
from hardwon.stores.postgres.statements import fit, numbered

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.kernel.settings import PostgresSettings

TRIES = 4
"""How often a statement is put to the server in all, when that is safe."""
ABANDONED = 300
"""Seconds after which the server ends an operation that nobody goes on with: its machine was switched off."""
WORDS = ("memories", "versions", "journal", "search_texts")
"""The tables that hold what memories say."""
SEARCHED = 64
"""Vectors of an index that a search compares at least: the more, the surer it finds the nearest."""
Result = TypeVar("Result")


@dataclass(slots=True)
class Operating:
    """The operation that a thread is in."""

    connection: Connection
    why: str
    change: int | None = None
    """Its number, once it is written down."""
    depth: int = 0
    """How many operations stand around the innermost."""
    forgets: bool = False
    """Whether nothing is to be left of what it deletes."""


class PostgresDatabase:
    """One schema of one database. Safe to use from several threads."""

    def __init__(self, settings: PostgresSettings, clock: Clock) -> None:
        """Keep where the server is, and connect on first use. Raises InvalidInput."""
        self._settings = settings
        self._clock = clock
        self._connections = Connections(settings, self._prepare)
        self._writing = threading.Lock()
        self._local = threading.local()
        self.has_written = False
        """Some operation of this process changed something."""

    @property
    def server(self) -> str:
        """Return what messages call the server."""
        return self._connections.server

    @property
    def schema(self) -> str:
        """Return the schema that the tables lie in."""
        return self._settings.schema_name

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return what a statement that only reads finds; inside an operation it may write. Raises StoreError."""
        return self._repeated(lambda connection: _executed(connection, sql, values).fetchall())

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement inside the operation; return how many rows it touched. Raises StoreError."""
        with in_our_words(self.server):
            return _executed(self._operating.connection, sql, values).rowcount

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each of the rows inside the operation. Raises StoreError."""
        with in_our_words(self.server):
            _executed_many(self._operating.connection, sql, rows)

    def run_apart(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for each of the rows, whatever becomes of an operation around it; return the rows touched.

        All or none, on another connection than the operation's. Raises StoreError.
        """
        given = list(rows)
        return self._whole(lambda connection: _executed_many(connection, sql, given)) if given else 0

    def run_script(self, script: str) -> None:
        """Run statements without values inside the operation, as a migration does. Raises StoreError."""
        with in_our_words(self.server):
            self._operating.connection.execute(script.encode())

    def run_alone(self, statements: Sequence[str]) -> None:
        """Run statements outside of any transaction, for as long as they take. Raises StoreError."""
        with in_our_words(self.server), self._connections.lent() as connection:
            connection.limit = float("inf")
            _run(connection, "SET statement_timeout = 0")
            try:
                for statement in statements:
                    _run(connection, statement)
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
        """Have the server clear the pages of what the operation deletes, once it has ended."""
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
        if self._inside is not None:
            with in_our_words(self.server), _savepoint(self._inside):
                yield
            return
        if not self._writing.acquire(timeout=self._settings.lock_timeout):
            raise StoreBusy("Another thread of this process writes for too long; try again in a moment.")
        try:
            with in_our_words(self.server), self._begun(self._begin_alone) as connection:
                operating = Operating(connection, why)
                yield from self._transaction(operating)
        finally:
            self._writing.release()
        if operating.forgets:
            # The indexes are left to the server's own time: to clear those of vectors takes long.
            self.run_alone([f"VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) {', '.join(WORDS)}"])

    @contextmanager
    def reading(self, seconds: float | None = None) -> Iterator[None]:
        """Let all that is read inside be of one moment, each statement within so many seconds (None: as always).

        Inside an operation it changes nothing.
        """
        if self._inside is not None:
            yield
            return
        limit = min(seconds or self._settings.statement_timeout, self._settings.statement_timeout)

        def begin(connection: Connection) -> None:
            connection.limit = limit + GRACE
            snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            connection.execute(f"{snapshot}; SET LOCAL statement_timeout = {_milliseconds(limit)}")

        with in_our_words(self.server), self._begun(begin) as connection:
            yield from self._transaction(Operating(connection, ""))

    @contextmanager
    def turn(self, name: str) -> Iterator[bool]:
        """Try to take a lock of all machines for as long as the block lasts; yield whether it was got.

        The server frees it when this process ends, however it ends.
        """
        key = self._key(name)
        with in_our_words(self.server), self._connections.lent() as connection:
            ((got,),) = _executed(connection, "SELECT pg_try_advisory_lock(?)", [key]).fetchall()
            try:
                yield bool(got)
            finally:
                if got and not connection.closed:
                    _executed(connection, "SELECT pg_advisory_unlock(?)", [key])

    def close(self) -> None:
        """Close the connections; closing twice is harmless."""
        self._connections.close()

    @property
    def _inside(self) -> Operating | None:
        """What this thread is in."""
        found: Operating | None = getattr(self._local, "operating", None)
        return found

    @property
    def _operating(self) -> Operating:
        assert self._inside is not None, "nothing is written outside of an operation"
        return self._inside

    def _repeated(self, work: Callable[[Connection], Result]) -> Result:
        """Do what only reads, again where the connection broke."""
        with in_our_words(self.server):
            if self._inside is not None:
                return work(self._inside.connection)
            for left in reversed(range(TRIES)):
                try:
                    with self._connections.lent() as connection:
                        return work(connection)
                except psycopg.Error as error:
                    if not left or not (is_lost(error) or is_undone(error)):
                        raise
                    self._connections.forget()
        raise AssertionError

    def _whole(self, work: Callable[[Connection], Result]) -> Result:
        """Do what writes, as a transaction of its own, again where it is sure that nothing of it stands."""
        with in_our_words(self.server):
            for left in reversed(range(TRIES)):
                with self._begun(lambda connection: _run(connection, "BEGIN")) as connection:
                    try:
                        result = work(connection)
                        self._commit(connection)
                    except psycopg.Error as error:
                        if not left or not is_undone(error):
                            raise
                        _run(connection, "ROLLBACK")
                    else:
                        return result
        raise AssertionError

    @contextmanager
    def _begun(self, begin: Callable[[Connection], None]) -> Iterator[Connection]:
        """Lend a connection on which a transaction has begun: until then nothing was written, so it is tried again."""
        for left in reversed(range(TRIES)):
            with self._connections.lent() as connection:
                try:
                    begin(connection)
                except psycopg.Error as error:
                    if not left or not is_lost(error):
                        raise
                    self._connections.forget()
                    continue
                yield connection
                return

    def _begin_alone(self, connection: Connection) -> None:
        """Begin a transaction that holds the writers' lock; to wait for that is no statement that takes too long."""
        connection.limit = self._settings.lock_timeout + GRACE
        _run(
            connection,
            f"BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock({self._key('writers')}); "
            f"SET LOCAL statement_timeout = {_milliseconds(self._settings.statement_timeout)}",
        )
        connection.limit = self._settings.statement_timeout + GRACE

    def _transaction(self, operating: Operating) -> Generator[None, None, None]:
        """Lend the connection to all statements of this thread until the transaction ends."""
        self._local.operating = operating
        try:
            yield
        except BaseException:
            self._local.operating = None
            if not operating.connection.closed:
                _run(operating.connection, "ROLLBACK")
            raise
        self._local.operating = None
        self._commit(operating.connection)

    def _commit(self, connection: Connection) -> None:
        """Commit. Raises StoreError that says that nobody knows, where the answer got lost."""
        try:
            _run(connection, "COMMIT")
        except psycopg.Error as error:
            if is_lost(error):
                raise StoreError(
                    f"{self.server} went away while this was being kept; look whether it is there before you repeat it."
                ) from None
            raise

    def _prepare(self, connection: Connection) -> None:
        """Make a new connection ours: its schema and its time-outs."""
        settings = self._settings
        _run(
            connection,
            f"SET search_path = {settings.schema_name}, public; "
            "SET default_transaction_isolation = 'read committed'; "
            f"SET statement_timeout = {_milliseconds(settings.statement_timeout)}; "
            f"SET lock_timeout = {_milliseconds(settings.lock_timeout)}; "
            f"SET idle_in_transaction_session_timeout = {_milliseconds(ABANDONED)}; "
            "SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 6; "
            # Compiling a statement, or sharing it among processes, takes longer than a search.
            "SET jit = off; SET max_parallel_workers_per_gather = 0; "
            f"SET hnsw.ef_search = {SEARCHED}; SET hnsw.iterative_scan = strict_order; SET client_min_messages = error",
        )

    def _key(self, name: str) -> int:
        """Return the number of an advisory lock: another for each schema, the same on every machine."""
        digest = hashlib.sha256(f"hardwon:{self.schema}:{name}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)


@contextmanager
def _savepoint(operating: Operating) -> Iterator[None]:
    """Take back what is inside where it fails, and with it the operation's number if it was first asked for there."""
    operating.depth += 1
    name, known = f"inner_{operating.depth}", operating.change
    _run(operating.connection, f"SAVEPOINT {name}")
    try:
        yield
    except BaseException:
        operating.change = known
        if not operating.connection.closed:
            _run(operating.connection, f"ROLLBACK TO SAVEPOINT {name}; RELEASE SAVEPOINT {name}")
        raise
    else:
        _run(operating.connection, f"RELEASE SAVEPOINT {name}")
    finally:
        operating.depth -= 1


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def _run(connection: Connection, script: str) -> None:
    connection.execute(script.encode())


def _executed(connection: Connection, statement: str, values: Sequence[Any]) -> psycopg.RawCursor[tuple[Any, ...]]:
    cursor = psycopg.RawCursor(connection)
    cursor.execute(numbered(statement), fit(values))
    return cursor


def _executed_many(connection: Connection, statement: str, rows: Iterable[Sequence[Any]]) -> int:
    """Run a statement for each of the rows, which travel together; return how many rows were touched."""
    with psycopg.RawCursor(connection) as cursor:
        cursor.executemany(numbered(statement), [fit(row) for row in rows])
        return cursor.rowcount
