"""Database: what the doors of the store over SQL need of one database, and no more.

Statements are plain SQL that SQLite and PostgreSQL both take, with a `?` for each value: no layer between the doors and
the driver costs time on the way of a single put, and sqlalchemy (0.5 s to import) stays out of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]


class Database(Protocol):
    """One open database, safe to use from several threads.

    Inside an operation its thread sees what was written there; other threads see what stood before, until it ends.
    Each method raises StoreBusy when another writer holds the database for too long, StoreError for what else fails.
    """

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a statement."""
        ...

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run one statement inside the operation that the caller has begun; return how many rows it touched."""
        ...

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for each row of values, inside the operation that the caller has begun.

        Return how many rows were touched.
        """
        ...

    def run_apart(self, sql: str, rows: Iterable[Sequence[Any]], patience: float | None = None) -> int:
        """Run one statement for each row of values so that it stays, whatever becomes of an operation around it.

        Activity and vectors are written so. What is written is seen at once by the thread that writes; return how many
        rows were touched. `patience`: how many seconds another writer is waited for, if not as long as for any write.
        """
        ...

    def operation(self, why: str) -> AbstractContextManager[None]:
        """Hold the writers' lock and make everything inside one transaction; a nested one is a savepoint.

        When something inside raises, nothing of it stands, and the error goes on to the caller.
        """
        ...

    @property
    def change(self) -> int:
        """Return the number of the operation that the thread is in: what its rows are stamped with in `changed`.

        The operation is written into `operations` when its number is first asked for. Later operations have higher
        numbers.
        """
        ...

    def make_durable(self) -> None:
        """Have the operation that the thread is in survive a power cut once it has ended: a person's words need that.

        Where every transaction survives one anyway, there is nothing to do.
        """
        ...

    def leave_no_trace(self) -> None:
        """Have nothing be left, where the database can see to it, of what the operation deletes: it is forgotten.

        Once it has ended; it survives a power cut then.
        """
        ...

    def reserve(self, table: str, count: int) -> Sequence[int]:
        """Return so many numbers that no row of a table has or had, in rising order."""
        ...

    def among(self, column: str, values: Sequence[str]) -> tuple[str, list[Any]]:
        """Return the condition that a column holds one of these texts, and its values; however many there are."""
        ...
