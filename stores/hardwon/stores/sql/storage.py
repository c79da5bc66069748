"""SqlStorage: the doors of the port Storage over one Database; SQLite and PostgreSQL add what only they can."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from hardwon.stores.sql.documents import SqlDocuments
from hardwon.stores.sql.journal import SqlJournal
from hardwon.stores.sql.ledger import SqlLedger
from hardwon.stores.sql.memories import SqlMemories
from hardwon.stores.sql.proposals import SqlProposals
from hardwon.stores.sql.vectors import SqlVectors

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.stores.sql.database import Database
    from hardwon.stores.sql.searching import Searching


class SqlStorage:
    """Five doors to one truth, and the proposals."""

    def __init__(self, database: Database, searching: Searching, clock: Clock) -> None:
        self._database = database
        self._memories = SqlMemories(database, searching, clock)
        self._ledger = SqlLedger(database)
        self._documents = SqlDocuments(database)
        self._journal = SqlJournal(database)
        self._vectors = SqlVectors(database)
        self._proposals = SqlProposals(database, clock)

    @property
    def memories(self) -> SqlMemories:
        """Return the memories."""
        return self._memories

    @property
    def ledger(self) -> SqlLedger:
        """Return the ledger."""
        return self._ledger

    @property
    def documents(self) -> SqlDocuments:
        """Return the documents."""
        return self._documents

    @property
    def vectors(self) -> SqlVectors:
        """Return the vectors."""
        return self._vectors

    @property
    def journal(self) -> SqlJournal:
        """Return the journal."""
        return self._journal

    def proposals(self) -> SqlProposals:
        """Return the proposals of the review queue."""
        return self._proposals

    def operation(self, why: str) -> AbstractContextManager[None]:
        """Hold the writers' lock and make everything inside one transaction; nothing of it is true if it fails."""
        return self._database.operation(why)

    def stamp(self) -> str:
        """Return the number of the last operation."""
        return str(self._database.rows("SELECT max(number) FROM operations")[0][0])

    def reference(self, id: str) -> str:
        """Return the id: there are no files to point at."""
        return id
