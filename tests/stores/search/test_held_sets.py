"""What is held of the documents from question to question is what a new look at them would find, whoever changed them.

With chunks of 64 documents, so that a few are full.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.stores.search import document_sets, held_sets
from hardwon.stores.search.document_sets import DocumentSets
from hardwon.stores.search.held_sets import HeldSets

from .test_bitmaps import CHANGES, PROJECTS, WORDS, Documents, chunks_made_small

QUESTIONS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True), min_size=1, max_size=4)


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    with chunks_made_small(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_sets, "FEW", 100)  # so that some questions list all of their terms, and others do not
        yield


def found(sets: DocumentSets, terms: list[str]) -> Any:
    """Return everything that a question may ask of the documents."""
    frequencies = sets.frequencies(terms)
    holders = {term: sets.holders(term, frequencies.get(term, 0)) for term in terms}
    own = [sets.of_projects([project]) for project in PROJECTS]
    return frequencies, holders, {term: sets.cost(count) for term, count in frequencies.items()}, own


def ask(held: HeldSets, terms: list[str]) -> Any:
    with held.at_once() as sets:
        return found(sets, terms)


@given(CHANGES, QUESTIONS, st.integers(0, 1000))
@settings(max_examples=60)
def test_it_is_what_a_new_look_finds_whatever_was_asked_before(
    changes: list[tuple[str, int]], questions: list[list[str]], seed: int
) -> None:
    documents = Documents(seed)
    held = HeldSets(documents.connection)
    for change, argument in [("put", 1), *changes]:
        getattr(documents, change)(argument)
        for terms in questions * 2:
            assert ask(held, terms) == found(DocumentSets(documents.connection), terms)
    documents.connection.close()


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Documents]:
    """Return documents in a file, so that another connection can change them."""
    made = Documents(2)
    made.put(50)
    with sqlite3.connect(tmp_path / "documents.sqlite", isolation_level=None) as file:
        made.connection.backup(file)
    made.connection.close()
    made.connection = file
    yield made
    file.close()


MOVED = "UPDATE search_documents SET project = 'elsewhere', changed = 1000"


def test_what_another_connection_changes_is_seen(documents: Documents, tmp_path: Path) -> None:
    held = HeldSets(documents.connection)
    assert ask(held, ["the"])[3][1]
    with sqlite3.connect(tmp_path / "documents.sqlite") as other:
        other.execute(MOVED)
    other.close()
    assert ask(held, ["the"])[3] == [0, 0, 0]


def asked_again(held: HeldSets) -> list[str]:
    """Return the statements of a question whose words were asked for before."""
    read: list[str] = []
    held.connection.set_trace_callback(read.append)
    ask(held, ["retry", "payment"])
    held.connection.set_trace_callback(None)
    return read


def test_what_was_asked_once_is_not_read_again(documents: Documents) -> None:
    held = HeldSets(documents.connection)
    ask(held, ["payment", "retry"])
    assert asked_again(held) == ["BEGIN", "PRAGMA data_version", "COMMIT"]


def test_a_record_of_something_else_leaves_it_held(documents: Documents) -> None:
    """As of what was shown, which each recall writes down."""
    documents.connection.execute("CREATE TABLE activity(record)")
    held = HeldSets(documents.connection)
    ask(held, ["payment", "retry"])
    documents.connection.execute("INSERT INTO activity VALUES ('shown')")
    assert not [statement for statement in asked_again(held) if "search_postings" in statement]


@pytest.mark.parametrize("end", ["ROLLBACK", "COMMIT"])
def test_what_a_transaction_may_take_back_is_not_held(documents: Documents, end: str) -> None:
    held = HeldSets(documents.connection)
    before = ask(held, ["the"])
    documents.connection.execute("BEGIN")
    documents.connection.execute(MOVED)
    assert ask(held, ["the"])[3] == [0, 0, 0]
    documents.connection.execute(end)
    assert ask(held, ["the"])[3] == (before[3] if end == "ROLLBACK" else [0, 0, 0])


@pytest.mark.parametrize("most", [2_000, 20_000])
@pytest.mark.parametrize("count", [3, 100, 300], ids=["few", "no full chunk", "chunks"])
def test_no_more_is_held_than_fits(monkeypatch: pytest.MonkeyPatch, count: int, most: int) -> None:
    """However many different words are asked for, whether any document holds them or not."""
    documents = Documents(3)
    documents.put(count)
    held = HeldSets(documents.connection)
    monkeypatch.setattr(held_sets, "MOST", most)
    kept = set()
    for number in range(100):
        with held.at_once() as sets:
            kept.add(id(sets))
            found(sets, [f"word{number}", f"another{number}", *WORDS])
            assert sets.size <= most + 2_000
    assert len(kept) > 1
    documents.connection.close()


def test_what_went_wrong_with_the_disk_is_said(documents: Documents, tmp_path: Path) -> None:
    """SQLite ends the transaction then by itself: that there is none to commit is no news, and tells no cause."""
    documents.connection.execute("PRAGMA journal_mode = WAL")
    documents.connection.execute("PRAGMA wal_autocheckpoint = 0")
    documents.connection.execute("CREATE TABLE other(text)")
    documents.connection.executemany("INSERT INTO other VALUES (?)", [("text" * 1000,)] * 200)
    with sqlite3.connect(tmp_path / "documents.sqlite", isolation_level=None) as other:
        other.execute("PRAGMA cache_size = 10")
        held = HeldSets(other)
        assert ask(held, ["the"])[0]
        log = tmp_path / "documents.sqlite-wal"
        os.truncate(log, log.stat().st_size // 4)
        with pytest.raises(sqlite3.OperationalError) as told, held.at_once():
            other.execute("SELECT sum(length(text)) FROM other").fetchone()
    other.close()
    assert told.value.sqlite_errorcode == sqlite3.SQLITE_IOERR_SHORT_READ
