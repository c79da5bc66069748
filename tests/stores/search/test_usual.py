"""What everyday tasks find in a store is measured in it, so that more memories do not mean more false answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from hardwon.kernel.cohort import TASKS
from hardwon.kernel.memory import Kind
from hardwon.stores.files.indexing.schema import TABLES
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.search.usual import Usual, read_usual
from hardwon.testing.examples import MOMENT, memory

NOTES = [
    f"{task.rstrip('.')} was harder than we thought: the {word} was stale."
    for task in TASKS
    for word in ("cache", "lock")
]


@pytest.fixture
def index() -> SearchIndex:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(TABLES)
    made = SearchIndex(connection)
    made.create()
    return made


def _connection(index: SearchIndex) -> sqlite3.Connection:
    return index._connection


def test_the_more_is_kept_the_more_an_everyday_task_finds(index: SearchIndex) -> None:
    """In each language by itself."""
    found = []
    for number in (2, 20, len(NOTES)):
        index.add([memory(note) for note in NOTES[:number]])
        index.settle()
        found.append(read_usual(_connection(index), "en").memory)
    assert found == sorted(found)
    assert found[0] < found[-1]
    assert read_usual(_connection(index), "zh").memory > 0


def test_it_is_measured_again_when_a_fifth_changed(index: SearchIndex) -> None:
    """Not at every write: that would cost each one 10 ms."""
    index.add([memory(note) for note in NOTES[:50]])
    index.settle()
    index.add([memory(note) for note in NOTES[50:59]])
    index.settle()
    assert read_usual(_connection(index), "en").documents == 50
    index.add([memory(note) for note in NOTES[59:62]])
    index.settle()
    assert read_usual(_connection(index), "en").documents == 62


def test_a_larger_store_is_measured_again_when_it_has_doubled(index: SearchIndex) -> None:
    """What is found meanwhile is scaled by the logarithm of how many there are."""
    measured = []
    for count in (100, 150, 201, 120):
        index.remove([id for (id,) in _connection(index).execute("SELECT id FROM search_documents").fetchall()])
        index.add([memory(NOTES[number % len(NOTES)]) for number in range(count)])
        index.settle()
        measured.append(read_usual(_connection(index), "en").documents)
    assert measured == [100, 100, 201, 201]


def test_rules_have_a_measure_of_their_own(index: SearchIndex) -> None:
    """Through their lessons, which may lie anywhere."""
    rule = memory("Never trust a cache.", kind=Kind.RULE)
    lessons = [memory(note) for note in NOTES[:40]]
    index.add([rule, *lessons])
    index.settle()
    assert read_usual(_connection(index), "en").rule < 0.05
    edges = [(rule.id, lesson.id, MOMENT.timestamp()) for lesson in lessons[:6]]
    columns = "source, kind, target, weight, asserted_at, relation"
    sql = f"INSERT INTO relations ({columns}) VALUES (?, 'generalizes', ?, 1, ?, '')"
    _connection(index).executemany(sql, edges)
    index.settle()
    usual = read_usual(_connection(index), "en")
    assert 0.05 < usual.rule < usual.memory


def test_among_fewer_less_is_found() -> None:
    """A project with some memories of many is not held against all of them."""
    usual = Usual(memory=0.6, rule=0.4, documents=1000)
    assert usual.among(1000) == 0.6
    assert usual.among(10) == pytest.approx(0.2)
    assert usual.among(1) == usual.among(0) == 0.0
    assert Usual().among(7) == 0.0
    assert usual.among(2000) == usual.among(9000) == pytest.approx(0.66, abs=0.001)


def test_what_an_everyday_task_finds_anywhere_is_no_answer(searched: Callable[..., Any]) -> None:
    """A note that shares the everyday words of a task is kept to itself; one that answers a question is told."""
    answer = memory("The export stalled since the connection pool was exhausted by an early return.")
    memories = searched([*(memory(note) for note in NOTES), answer])
    assert memories.shown("the export stalls, connection pool exhausted") == [answer.id]
    unrelated = ["set up a page with a list of notes for the project", "add a number and a form to the first page"]
    assert [memories.shown(task) for task in unrelated] == [[], []]
