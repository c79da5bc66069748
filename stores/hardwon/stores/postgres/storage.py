"""PostgresStorage: the port Storage of one home, kept in a schema of a PostgreSQL database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.records import Problem
from hardwon.stores.sql.storage import SqlStorage

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.stores.postgres.database import PostgresDatabase


def open_postgres(home: Home) -> PostgresStorage:
    """Open the store of a home. Raises Unavailable, InvalidInput, StoreError, NewerFormat."""
    return PostgresStorage(home)


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
        self._vectors = vectors
        open_schema(database)

    @property
    def database(self) -> PostgresDatabase:
        """Return the database."""
        return self._database

    def problems(self) -> list[Problem]:
        """Return nothing: what a server keeps has no files that could be unreadable."""
        return []

    def close(self) -> None:
        """Close the connections; closing twice is harmless."""
        self._database.close()
