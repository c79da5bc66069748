"""A database with the search tables and nothing else, for tests of search alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence

import pytest

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Query
from hardwon.kernel.ranking import rank
from hardwon.kernel.scope import Context
from hardwon.stores.files.indexing.schema import TABLES
from hardwon.stores.search.dense import DenseStage
from hardwon.stores.search.index import SearchIndex
from hardwon.testing.examples import MOMENT


class Searched:
    """An index of some memories."""

    def __init__(self, entries: Sequence[MemoryEntry], dense: DenseStage | None) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.executescript(TABLES)
        self.index = SearchIndex(self.connection, dense)
        self.index.create()
        self.index.add(entries)
        self.index.settle()

    def relate(self, rule: MemoryEntry, *lessons: MemoryEntry) -> None:
        """Make a rule generalize lessons."""
        sql = "INSERT INTO relations (source, kind, target, weight, asserted_at, relation) VALUES (?, ?, ?, 1, 0, '')"
        self.connection.executemany(sql, [(rule.id, "generalizes", lesson.id) for lesson in lessons])

    def found(self, query: Query) -> dict[str, Candidate]:
        """Return the candidates by id."""
        return {candidate.id: candidate for candidate in self.index.search(query).candidates}

    def shown(self, text: str) -> list[str]:
        """Return the ids that ranking shows for a question from anywhere, best first."""
        ranked = rank(self.index.search(Query(text=text)).candidates, Context(), MOMENT.timestamp())
        return [each.candidate.id for each in ranked if each.hidden is None]


@pytest.fixture
def searched() -> Iterator[Callable[..., Searched]]:
    """Return a function that indexes memories: `searched(entries, dense=None)`."""
    opened: list[Searched] = []

    def open_one(entries: Sequence[MemoryEntry] = (), dense: DenseStage | None = None) -> Searched:
        opened.append(Searched(entries, dense))
        return opened[-1]

    yield open_one
    for each in opened:
        each.connection.close()
