"""PostgresStorage: the port Storage of one home, kept in a schema of a PostgreSQL database."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from hardwon.kernel.errors import StoreError, Unavailable
from hardwon.kernel.records import Measurement, Problem
from hardwon.stores.postgres.replica_name import FILE_NAME
from hardwon.stores.postgres.server_away import ServerAway
from hardwon.stores.sql.storage import SqlStorage

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import Storage
    from hardwon.stores.postgres.database import PostgresDatabase
    from hardwon.stores.postgres.vectors import PostgresVectors


def open_postgres(home: Home) -> Storage:
    """Open the store of a home; while the server is away, the home's copy of it.

    Raises Unavailable, InvalidInput, StoreError, NewerFormat.
    """
    try:
        return PostgresStorage(home)
    except ServerAway as error:
        from hardwon.stores.postgres.away import AwayStorage

        return AwayStorage(home, error)


class PostgresStorage(SqlStorage):
    """The doors of one schema, which other machines have open as well."""

    def __init__(self, home: Home) -> None:
        """Connect, and make the tables where there are none."""
        try:
            from hardwon.stores.postgres.database import PostgresDatabase
        except ImportError as error:
            raise Unavailable(
                f"The store `postgres` needs psycopg ({error}); run `pip install 'hardwon[postgres]'`."
            ) from None
        from hardwon.stores.postgres.schema import open_schema
        from hardwon.stores.postgres.search import PostgresSearching
        from hardwon.stores.postgres.vectors import PostgresVectors

        database = PostgresDatabase(home.settings.postgres, home.clock)
        vectors = PostgresVectors(database)
        super().__init__(database, PostgresSearching(database, vectors, lambda: home.embedder), home.clock)
        self._database: PostgresDatabase = database
        self._vectors: PostgresVectors = vectors
        self._home = home
        try:
            open_schema(database)
        except BaseException:
            database.close()
            raise

    @property
    def database(self) -> PostgresDatabase:
        """Return the database."""
        return self._database

    @property
    def vectors(self) -> PostgresVectors:
        """Return the vectors."""
        return self._vectors

    def snapshot(self) -> AbstractContextManager[None]:
        """Let this thread read one state of everything inside, while others write."""
        return self._database.reading()

    def turn(self, name: str) -> AbstractContextManager[bool]:
        """Try to take a lock of all machines for as long as the block lasts; yield whether it was got."""
        return self._database.turn(name)

    def refresh_replica(self) -> None:
        """Bring the home's copy up to date, which the hook program reads. Raises StoreError."""
        from hardwon.stores.postgres.replica import Replica

        Replica(self._home.path, self._database, self._home.clock).refresh()
        self._database.has_written = False

    def arrange_vectors(self) -> None:
        """Let search have every vector, by the indexes that are worth it; may take minutes.

        Raises Unavailable, StoreError.
        """
        from hardwon.stores.postgres.arranging import arrange
        from hardwon.stores.postgres.indexing import mend

        number = self._space()
        if number is not None:
            mend(self._database, number)
            arrange(self._database, number, self._home.settings.vectors)

    def measure_vectors(self) -> Measurement:
        """Return how well vectors near a question are found; takes seconds. Raises Unavailable, StoreError."""
        from hardwon.stores.postgres.arranging import measure

        number = self._space()
        return Measurement() if number is None else measure(self._database, number)

    def _space(self) -> int | None:
        """Return the number of the embedder's space; None where there is no embedder or nothing is kept of it."""
        embedder = self._home.embedder
        return None if embedder is None else self._vectors.number(embedder.name)

    def verify(self) -> list[Problem]:
        """Return what cannot be read, and what does not follow from the memories; takes seconds. Raises StoreError."""
        from hardwon.stores.postgres.verifying import verify

        return verify(self._database)

    def reindex(self, *, follow_deletions: bool = False) -> None:
        """Build everything derived anew, and then the server's own indexes of words and vectors; may take minutes.

        There are no files that could have been deleted. Raises StoreBusy, StoreError.
        """
        from hardwon.stores.postgres.arranging import rebuild_indexes
        from hardwon.stores.postgres.indexing import rebuild
        from hardwon.stores.sql.deriving import derive

        with self._database.operation("Build the index anew"):
            derive(self._database)
            rebuild(self._database)
        rebuild_indexes(self._database)

    def problems(self) -> list[Problem]:
        """Return nothing: what a server keeps has no files that could be unreadable."""
        return []

    def close(self) -> None:
        """Close the connections; closing twice is harmless.

        A copy that the hook program reads is told first what was written: it is to show that at the next prompt.
        """
        if self._database.has_written and (self._home.path / FILE_NAME).exists():
            with contextlib.suppress(StoreError):  # the background does it again
                self.refresh_replica()
        self._database.close()
