"""Connections to one server: lent to one thread at a time, kept for the next, thrown away when they break.

Not psycopg's own pool: its workers connect behind the caller's back, so that whoever asks learns only that there was no
connection in time, and never why (a wrong password, no such host, a server that is stopped); a command line has to say
that at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from hardwon.kernel.errors import StoreBusy
from hardwon.stores.postgres.address import name_of, parameters
from hardwon.stores.postgres.failures import NoAnswer, in_our_words, is_lost, is_starting

if TYPE_CHECKING:
    from hardwon.kernel.settings import PostgresSettings

GRACE = 5.0
"""Seconds beyond the server's own time-out after which its silence means that the way to it is cut."""
RETURNING = 10.0
"""Seconds that a server which was there is given to come back, and one that is starting to finish that."""
PAUSE = 0.1
"""Seconds between tries."""
FEWEST = 3
"""A turn holds one connection, an operation within it another, and what is no part of that needs a third."""


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection on which nothing waits for ever."""

    limit: float = GRACE
    """Seconds that one statement may take as seen from here."""

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **kwargs: Any) -> Any:
        """Run a statement. Raises NoAnswer, and closes the connection, when the limit is over."""
        try:
            return super().wait(_limited(gen, self.limit), *args, **kwargs)
        except NoAnswer:
            self.close()
            raise


def _limited(steps: Generator[Any, Any, Any], limit: float) -> Generator[Any, Any, Any]:
    """Go through the driver's steps until the time is over; it looks several times a second."""
    given_up = time.monotonic() + limit
    try:
        state = next(steps)
        while True:
            ready = yield state
            if not ready and time.monotonic() > given_up:
                raise NoAnswer("no answer in time")
            state = steps.send(ready)
    except StopIteration as done:
        return done.value
    finally:
        steps.close()


class Connections:
    """At most so many connections of one process, made when they are needed. Safe to use from several threads."""

    def __init__(self, settings: PostgresSettings, prepare: Callable[[Connection], None]) -> None:
        """Keep what is needed to connect, and connect nothing yet; `prepare` makes a new connection ready."""
        self._parameters = parameters(settings)
        self._statement_timeout = settings.statement_timeout
        self.server = name_of(self._parameters)
        self._prepare = prepare
        self._free = threading.BoundedSemaphore(max(FEWEST, settings.connections))
        self._patience = settings.lock_timeout
        self._idle: list[Connection] = []
        self._was_there = False
        self._lock = threading.Lock()
        self._process = os.getpid()

    @contextmanager
    def lent(self) -> Iterator[Connection]:
        """Lend a connection, which outside of a transaction commits each statement. Raises StoreError, StoreBusy."""
        if not self._free.acquire(timeout=self._patience):
            raise StoreBusy(f"All connections to {self.server} are in use; raise `postgres.connections`.")
        try:
            connection = self._take() or self._connected()
            connection.limit = self._statement_timeout + GRACE
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._free.release()

    def forget(self) -> None:
        """Throw away the connections that nobody uses: the server went away, and with it all of them."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Close what nobody uses; closing twice is harmless."""
        self.forget()

    def _take(self) -> Connection | None:
        """Return an idle connection; none that was made before a fork, which the parent goes on using."""
        with self._lock:
            if self._process != os.getpid():
                self._idle, self._process = [], os.getpid()
            while self._idle:
                connection = self._idle.pop()
                if not connection.closed:
                    return connection
        return None

    def _give_back(self, connection: Connection) -> None:
        if connection.closed or connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            connection.close()
            return
        with self._lock:
            self._idle.append(connection)

    def _connected(self) -> Connection:
        """Connect; a server that was there, or is starting, is given time. Raises StoreError."""
        given_up = time.monotonic() + RETURNING
        while True:
            try:
                return self._connect()
            except psycopg.Error as error:
                may_return = is_starting(error) or (self._was_there and is_lost(error))
                if not may_return or time.monotonic() > given_up:
                    with in_our_words(self.server):
                        raise
            time.sleep(PAUSE)

    def _connect(self) -> Connection:
        connection = Connection.connect(autocommit=True, **self._parameters)
        try:
            connection.limit = self._statement_timeout + GRACE
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._was_there = True
        return connection
