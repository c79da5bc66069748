"""SearchIndex: every candidate worth ranking for a question, from keywords and, where there are vectors, from meaning.

It keeps its own tables in the store's SQLite database, and of the store's reads only `relations` (source, kind, target,
retracted_at), through which a rule is found by its lessons. Where the store's table of memories has the columns of
`search_documents`, that is a view of it: the store writes the rows and tells `postings`, and nothing is kept twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.candidate import Found
from hardwon.kernel.records import Measurement
from hardwon.kernel.text import language_of
from hardwon.stores.search.changes import create_birth
from hardwon.stores.search.dense import DenseStage
from hardwon.stores.search.documents import document
from hardwon.stores.search.documents_table import DocumentsTable
from hardwon.stores.search.held_sets import HeldSets
from hardwon.stores.search.lexical import match
from hardwon.stores.search.lookup import Lookup
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.postings import Postings
from hardwon.stores.search.usual import TABLE, read_usual
from hardwon.stores.search.weights import question_weights

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.query import Query

_LINKS_OF_RULES = (
    "CREATE INDEX IF NOT EXISTS search_links_of_rules ON relations(kind, target) "
    "WHERE kind = 'generalizes' AND retracted_at IS NULL"
)
"""By which they are counted: at every write, whether they are many more than there were.

SQLite takes it for that only as `kind` stands first.
"""


class SearchIndex:
    """The search tables of one connection. The caller owns the transaction, and tells when memories change."""

    def __init__(
        self, connection: sqlite3.Connection, dense: DenseStage | None = None, *, over_view: bool = False
    ) -> None:
        self._connection = connection
        self.postings = Postings(connection)
        """For a store whose own rows `search_documents` shows; of another, `add` and `remove` take care of them."""
        self._table = None if over_view else DocumentsTable(connection)
        self._dense = dense
        self._held = HeldSets(connection)

    def create(self) -> None:
        """Make the search tables where they are missing, when the store's `relations` are there."""
        if self._table is not None:
            self._table.create()
        self.postings.create()
        self._connection.execute(TABLE)
        self._connection.execute(_LINKS_OF_RULES)
        create_birth(self._connection)

    def add(self, entries: Iterable[MemoryEntry]) -> None:
        """Index memories; one whose id is indexed is replaced. Not where `search_documents` is a view."""
        assert self._table is not None
        documents = [document(entry) for entry in entries]
        self.remove([each.id for each in documents])
        self.postings.add(self._table.add(documents))

    def remove(self, ids: Sequence[str]) -> None:
        """Take memories out; unknown ids are passed over. Not where `search_documents` is a view."""
        assert self._table is not None
        self._table.remove(self.postings.remove(ids))

    def settle(self, *, may_wait: bool = False) -> bool:
        """Take note of what changed, when the store's memories and links are all written.

        Return whether that is owed: where it may wait, little enough changed for the next search to do it.
        """
        from hardwon.stores.search.measuring import measure

        return measure(self._connection, may_wait=may_wait)

    def search(self, query: Query) -> Found:
        """Return the candidates, unranked, within the query's deadline. Any text is a valid query."""
        asked = None
        if self._dense is not None and not query.by_words and query.text.strip():
            asked = self._dense.ask(query.text, query.deadline)  # embedded while words are looked up
        matches = match(self._held, question_weights(query.text, query.turns))
        usual = read_usual(self._connection, language_of(query.text))
        nearness = Nearness()
        notes: list[str] = []
        if self._dense is not None and asked is not None:
            nearness, notes = self._dense.nearness(query.text, asked(), self._held.changes)
        lookup = Lookup(self._held, query.filter, query.limit, matches, nearness, usual, may_narrow=True)
        lookup.collect()
        return Found(lookup.candidates(), notes)

    def arrange_vectors(self) -> None:
        """Put in place whatever has a vector; may take minutes. Raises Unavailable, StoreError."""
        if self._dense is not None:
            self._dense.arrange(self._held.changes)

    def measure_vectors(self) -> Measurement:
        """Return how well vectors near a question are found. Raises Unavailable, StoreError."""
        return Measurement() if self._dense is None else self._dense.measure(self._held.changes)
