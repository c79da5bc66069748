"""A store whose own rows are searched keeps nothing twice: `search_documents` is a view of its table of memories."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter, Query
from hardwon.stores.search.documents import FACTS, document
from hardwon.stores.search.index import SearchIndex
from hardwon.testing.examples import memory

COLUMNS = ("id", *FACTS, "length", "vector_keys", "terms", "changed")


class Store:
    """Writes its own rows, and tells search of them."""

    def __init__(self, path: Path | str = ":memory:") -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(f"CREATE TABLE memories(number INTEGER PRIMARY KEY, {', '.join(COLUMNS)}, content)")
        self.connection.execute("CREATE UNIQUE INDEX memories_by_id ON memories(id)")
        self.connection.execute(f"CREATE VIEW search_documents AS SELECT number, {', '.join(COLUMNS)} FROM memories")
        self.connection.execute("CREATE TABLE search_removals(number INTEGER PRIMARY KEY, changed INTEGER NOT NULL)")
        self.connection.execute("CREATE TABLE relations(source, kind, target, retracted_at)")
        self.index = SearchIndex(self.connection, over_view=True)
        self.index.create()
        self._changes = 0

    def put(self, entries: Sequence[MemoryEntry]) -> None:
        """Keep memories, those of a known id anew."""
        self.index.postings.remove([entry.id for entry in entries])
        self._changes += 1
        posted = []
        for entry in entries:
            made = document(entry)
            row = (made.id, *made.facts, made.length, made.vector_keys, made.terms, self._changes, entry.content)
            sql = f"INSERT OR REPLACE INTO memories({', '.join(COLUMNS)}, content) VALUES ({', '.join('?' * len(row))})"
            number = self.connection.execute(sql, row).lastrowid
            assert number is not None
            posted.append((number, made.length, made.terms))
        self.index.postings.add(posted)
        self.index.settle()

    def found(self, text: str) -> set[str]:
        """Return the ids that a question brings up."""
        return {candidate.id for candidate in self.index.search(Query(text=text)).candidates}


@pytest.fixture
def store() -> Iterator[Store]:
    """Return an empty store."""
    made = Store()
    yield made
    made.connection.close()


def test_memories_are_found_in_the_stores_own_rows(store: Store) -> None:
    payment, other = memory("The payment was booked twice."), memory("The scheduler drifted.")
    store.put([payment, other])
    assert store.found("payments") == {payment.id}


def test_a_changed_memory_is_found_by_what_it_says_now_alone(store: Store) -> None:
    old = memory("The scheduler drifted.")
    store.put([old])
    store.put([old.model_copy(update={"content": "The cache was stale."})])
    assert (store.found("scheduler"), store.found("cache")) == (set(), {old.id})
    store.connection.execute("INSERT INTO search_postings(search_postings, rank) VALUES ('integrity-check', 1)")


def test_a_removed_memory_leaves_no_term_behind(store: Store) -> None:
    entries = [memory(f"Entry number {number} about 数据库") for number in range(1200)]
    store.put(entries)
    store.index.postings.remove([entry.id for entry in entries])
    store.connection.execute("DELETE FROM memories")
    count = store.connection.execute
    assert count("SELECT documents, length FROM search_totals").fetchone() == (0, 0)
    assert count("SELECT count(*) FROM search_terms").fetchone() == (0,)


def test_a_question_is_answered_while_somebody_writes(tmp_path: Path) -> None:
    """What is read of it is of one state, though each of its statements could see more than the one before."""
    store = Store(tmp_path / "memory.sqlite")
    store.put([memory(f"The payment failed, time {number}.") for number in range(50)])
    reader = sqlite3.connect(tmp_path / "memory.sqlite", isolation_level=None)
    reader.execute("PRAGMA journal_mode = WAL")

    def write(statement: str) -> None:
        if statement.startswith("SELECT json_group_array"):
            reader.set_trace_callback(None)
            store.put([memory(f"The payment failed again, time {number}.") for number in range(200)])

    for filter in (Filter(), Filter(projects=(None,))):
        reader.set_trace_callback(write)
        found = SearchIndex(reader, over_view=True).search(Query(text="payment", filter=filter))
        assert len(found.candidates) == 30
    reader.close()
    store.connection.close()
