"""Transactions of one process: which one each thread is in, and what may be tried again when a connection breaks.

What only reads is repeated, and so is what the server took back, and whatever had not begun. Of a write whose
connection broke in its very end nobody knows whether it stands, and that is said.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import psycopg

from hardwon.kernel.errors import StoreError
from hardwon.stores.postgres.connections import Connections
from hardwon.stores.postgres.failures import in_our_words, is_lost, is_undone
from hardwon.stores.postgres.session import prepare, run

if TYPE_CHECKING:
    from hardwon.kernel.settings import PostgresSettings
    from hardwon.stores.postgres.connections import Connection

TRIES = 4
"""How often a statement is put to the server in all, when that is safe."""
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


class Transactions:
    """What the threads of one process have begun on one server."""

    def __init__(self, settings: PostgresSettings) -> None:
        """Keep where the server is, and connect on first use. Raises InvalidInput."""
        self._connections = Connections(settings, lambda connection: prepare(connection, settings))
        self._local = threading.local()

    @property
    def server(self) -> str:
        """Return what messages call the server."""
        return self._connections.server

    @property
    def inside(self) -> Operating | None:
        """Return what this thread is in; None where its statements stand for themselves."""
        found: Operating | None = getattr(self._local, "operating", None)
        return found

    def repeated(self, work: Callable[[Connection], Result]) -> Result:
        """Do what only reads, again where the connection broke. Raises StoreError."""
        with in_our_words(self.server):
            if self.inside is not None:
                return work(self.inside.connection)
            for left in reversed(range(TRIES)):
                try:
                    with self._connections.lent() as connection:
                        return work(connection)
                except psycopg.Error as error:
                    if not left or not (is_lost(error) or is_undone(error)):
                        raise
                    self._connections.forget()
        raise AssertionError

    def whole(self, work: Callable[[Connection], Result]) -> Result:
        """Do what writes, as a transaction of its own, again where it is sure that nothing of it stands."""
        with in_our_words(self.server):
            for left in reversed(range(TRIES)):
                with self.begun(lambda connection: run(connection, "BEGIN")) as connection:
                    try:
                        result = work(connection)
                        self._commit(connection)
                    except psycopg.Error as error:
                        if not left or not is_undone(error):
                            raise
                        run(connection, "ROLLBACK")
                    else:
                        return result
        raise AssertionError

    @contextmanager
    def begun(self, begin: Callable[[Connection], None]) -> Iterator[Connection]:
        """Lend a connection on which something has begun: until then nothing was written, so it is tried again."""
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

    def transaction(self, operating: Operating) -> Generator[None, None, None]:
        """Lend the connection to all statements of this thread until the transaction ends; commit it."""
        self._local.operating = operating
        try:
            yield
        except BaseException:
            self._local.operating = None
            taken_back(operating.connection, "ROLLBACK")
            raise
        self._local.operating = None
        self._commit(operating.connection)

    def _commit(self, connection: Connection) -> None:
        """Commit. Raises StoreError that says that nobody knows, where the answer got lost."""
        try:
            run(connection, "COMMIT")
        except psycopg.Error as error:
            if is_lost(error):
                raise StoreError(
                    f"{self.server} went away while this was being kept; look whether it is there before you repeat it."
                ) from None
            raise

    def close(self) -> None:
        """Close the connections; closing twice is harmless."""
        self._connections.close()


@contextmanager
def savepoint(operating: Operating) -> Iterator[None]:
    """Take back what is inside where it fails, and with it the operation's number if it was first asked for there."""
    operating.depth += 1
    name, known = f"inner_{operating.depth}", operating.change
    run(operating.connection, f"SAVEPOINT {name}")
    try:
        yield
    except BaseException:
        operating.change = known
        taken_back(operating.connection, f"ROLLBACK TO SAVEPOINT {name}; RELEASE SAVEPOINT {name}")
        raise
    else:
        run(operating.connection, f"RELEASE SAVEPOINT {name}")
    finally:
        operating.depth -= 1


def taken_back(connection: Connection, script: str) -> None:
    """Take something back; where the connection broke the server does that, and the error before it is what counts."""
    if not connection.closed:
        try:
            run(connection, script)
        except psycopg.Error:
            connection.close()
