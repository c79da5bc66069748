"""SqliteSearching: search over the rows of `memories` themselves, by FTS5 and by vectors."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from hardwon.kernel.candidate import Found
from hardwon.kernel.errors import StoreError
from hardwon.stores.search.documents import FACTS
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.sqlite.errors import in_our_words

if TYPE_CHECKING:
    from hardwon.kernel.query import Query
    from hardwon.kernel.records import Measurement
    from hardwon.stores.search.dense import DenseStage
    from hardwon.stores.sql.searching import Posted
    from hardwon.stores.sqlite.database import SqliteDatabase

VIEWS = (
    f"CREATE VIEW search_documents AS SELECT number, id, {', '.join(FACTS)}, length, vector_keys, terms, changed "  # noqa: S608
    "FROM memories",
    "CREATE VIEW search_removals AS SELECT number, changed FROM removals",
)
"""What search reads: the rows of the memories themselves."""
Result = TypeVar("Result")


class SqliteSearching:
    """The search tables of one database, which each thread uses by its own connection."""

    def __init__(self, database: SqliteDatabase, dense: DenseStage | None) -> None:
        self._database = database
        self._dense = dense
        self._is_owed = False
        """Whether what everyday tasks find is to be measured before the next search, or when the store is closed."""

    def add(self, posted: Sequence[Posted]) -> None:
        """Take in rows that were just written."""
        self._told(lambda: self._index.postings.add(posted))

    def remove(self, ids: Sequence[str]) -> None:
        """Take out memories while their rows still say what is known of them."""
        self._told(lambda: self._index.postings.remove(ids))

    def settle(self, *, at_once: bool = False) -> None:
        """Measure what everyday tasks find, when the store has changed much since.

        What may wait is left to the next search of this store or to its end, so that not every fifth put pays for it.
        """
        self._is_owed = self._told(lambda: self._index.settle(may_wait=not at_once))

    def settle_owed(self) -> None:
        """Measure what was left; where that cannot be written now, whoever writes next sees that it is owed."""
        with contextlib.suppress(StoreError):  # a search without it is as good as it was
            if self._is_owed and not self._database.held.connection.in_transaction:
                with self._database.operation("Measure what everyday tasks find", patience=0):
                    self.settle(at_once=True)

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, unranked, within the query's deadline."""
        if self._is_owed:
            self.settle_owed()
        return self._told(lambda: self._index.search(query))

    def arrange_vectors(self) -> None:
        """Put in place whatever has a vector; may take minutes. Raises Unavailable, StoreError."""
        self._told(lambda: self._index.arrange_vectors())

    def measure_vectors(self) -> Measurement:
        """Return how well vectors near a question are found. Raises Unavailable, StoreError."""
        return self._told(lambda: self._index.measure_vectors())

    @property
    def _index(self) -> SearchIndex:
        held = self._database.held
        if held.search is None:
            held.search = SearchIndex(held.connection, self._dense, over_view=True)
        return held.search

    def _told(self, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except (sqlite3.Error, UnicodeError) as error:
            raise in_our_words(error, self._database.path) from None
