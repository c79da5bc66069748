"""Locks, other writers, and file systems that do not do what they should: nothing is lost or hangs, and it is said."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.kernel.ports import Storage, Verified
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.stores.sqlite.errors import in_our_words, is_damage
from hardwon.stores.sqlite.place import find_place
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.conformance import StorageConformance
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a tenth of a second for another writer instead of ten."""
    for module in ("place", "database"):
        monkeypatch.setattr(f"hardwon.stores.sqlite.{module}.PATIENCE", 0.1)


@pytest.fixture
def another(file: Path, storage: SqliteStorage) -> Iterator[sqlite3.Connection]:
    """Return another program's connection to the file."""
    connection = sqlite3.connect(file, isolation_level=None)
    yield connection
    connection.close()


def test_a_writer_that_finds_the_file_locked_is_told_in_time(
    impatient: None, open_store: Open, another: sqlite3.Connection
) -> None:
    """After the stated time, having written nothing; reading goes on, and so does writing when the lock is gone."""
    storage = open_store()
    [known] = storage.memories.put([memory("Known giraffe.")])
    another.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    for write in (
        lambda: storage.memories.put([memory("Late.")]),
        lambda: storage.memories.update(known.id, {"content": "Late."}),
        lambda: storage.ledger.append([Activity(kind="shown", at=MOMENT)]),
        lambda: storage.documents.write("a.md", "late"),
        lambda: storage.vectors.keep("space", {"key": to_bytes([1.0])}),
        storage.reindex,
    ):
        with pytest.raises(StoreBusy, match="repeat when it is done"):
            write()
    assert time.monotonic() - begun < 30
    assert list(storage.memories.scan(Filter())) == [known]
    assert [each.id for each in storage.memories.search(Query(text="giraffe")).candidates] == [known.id]
    another.execute("COMMIT")
    assert storage.memories.update(known.id, {"content": "Now."}).content == "Now."
    assert list(storage.ledger.activity()) == []


def test_who_opens_the_store_to_read_waits_for_no_writer(
    impatient: None, open_store: Open, another: sqlite3.Connection
) -> None:
    """However long that one writes."""
    open_store().memories.put([memory("Known giraffe.")])
    another.execute("BEGIN IMMEDIATE")
    another.execute("UPDATE memories SET content = 'half'")
    storage = open_store()
    assert [entry.content for entry in storage.memories.scan(Filter())] == ["Known giraffe."]
    assert storage.problems() == []


def test_an_answer_does_not_wait_for_a_writer_to_note_what_it_shows(
    storage: SqliteStorage, another: sqlite3.Connection
) -> None:
    """What a person said of a memory waits as any write does; what was only shown is given up soon, and told."""
    another.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match=r"0\.5 s"):
        storage.ledger.append([Activity(kind="shown", at=MOMENT)])
    another.execute("ROLLBACK")
    storage.ledger.append([Activity(kind="shown", at=MOMENT)])
    assert len(list(storage.ledger.activity("shown"))) == 1


def test_a_writer_waits_for_another_one(storage: SqliteStorage, another: sqlite3.Connection) -> None:
    """As long as that takes less than the stated time."""
    another.execute("BEGIN IMMEDIATE")
    waiting = threading.Thread(target=lambda: storage.memories.put([memory("Waited.")]))
    waiting.start()
    assert list(storage.memories.scan(Filter())) == []
    another.execute("COMMIT")
    waiting.join()
    assert [entry.content for entry in storage.memories.scan(Filter())] == ["Waited."]


def test_a_thread_waits_for_another_ones_operation(impatient: None, open_store: Open) -> None:
    """And is told when it takes too long; nothing of its own is written."""
    storage = open_store()
    begun, done = threading.Event(), threading.Event()

    def hold() -> None:
        with storage.operation("Long"):
            begun.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    begun.wait()
    with pytest.raises(StoreBusy):
        storage.memories.put([memory("Late.")])
    done.set()
    holder.join()
    assert list(storage.memories.scan(Filter())) == []


def test_a_reader_that_stays_holds_no_writer_up(storage: SqliteStorage, another: sqlite3.Connection) -> None:
    """It reads what was, and the writer does not wait."""
    another.execute("BEGIN")
    assert another.execute("SELECT count(*) FROM memories").fetchone() == (0,)
    storage.memories.put([memory("Meanwhile.")])
    assert another.execute("SELECT count(*) FROM memories").fetchone() == (0,)


def test_other_threads_see_nothing_of_an_operation_until_it_ends(storage: SqliteStorage) -> None:
    """Neither the memory nor what search finds."""
    seen: list[int] = []

    def look() -> None:
        seen.append(len(list(storage.memories.scan(Filter()))))
        seen.append(len(storage.memories.search(Query(text="giraffe")).candidates))

    with storage.operation("Write"):
        storage.memories.put([memory("Giraffe.")])
        looking = threading.Thread(target=look)
        looking.start()
        looking.join()
    look()
    assert seen == [0, 0, 1, 1]


def test_activity_and_vectors_of_a_failed_operation_stay(open_store: Open) -> None:
    """Whether it was the outermost or a part of one; read inside, and when opened again."""
    storage = open_store()
    record = Activity(kind="shown", at=MOMENT)
    with storage.operation("Outer"), pytest.raises(ZeroDivisionError), storage.operation("Inner"):
        storage.ledger.append([record])
        storage.memories.put([memory("Inside.")])
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
        storage.vectors.keep("space", {"key": to_bytes([1.0])})
        assert storage.vectors.fetch("space", ["key"]) == {"key": to_bytes([1.0])}
        raise ZeroDivisionError
    for opened in (storage, open_store()):
        assert list(opened.ledger.activity()) == [record]
        assert opened.vectors.fetch("space", ["key"]) == {"key": to_bytes([1.0])}
        assert list(opened.memories.scan(Filter())) == []


def test_a_snapshot_is_one_state(open_store: Open) -> None:
    """Whatever others write meanwhile."""
    storage, other = open_store(), open_store()
    storage.memories.put([memory("Before.")])
    with storage.snapshot():
        other.memories.put([memory("After.")])
        assert [entry.content for entry in storage.memories.scan(Filter())] == ["Before."]
    assert len(list(storage.memories.scan(Filter()))) == 2


def test_a_disk_that_fills_up_within_an_operation_leaves_nothing_half(open_store: Open) -> None:
    """What is too much is refused; whether the rest of the operation can go on or not, nothing of it is half there."""
    storage = open_store()
    [known] = storage.memories.put([memory("Known.")])
    connection = storage._sqlite.held.connection
    ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
    connection.execute(f"PRAGMA max_page_count = {pages + 20}").fetchall()
    with pytest.raises(StoreError, match=r"no room|as a whole"), storage.operation("Import"):
        storage.memories.put([memory("Small.")])
        with pytest.raises(StoreError, match="no room"):
            storage.memories.put([memory("large " * 100_000)])
        storage.memories.put([memory("Small again.")])
        raise StoreError("There was no room for all of it.")
    for opened in (storage, open_store()):
        assert list(opened.memories.scan(Filter())) == [known]
        assert opened.verify() == []
    connection.execute("PRAGMA max_page_count = 1000000").fetchall()
    assert storage.memories.put([memory("large " * 100_000)])


def test_the_files_are_for_their_owner_alone(open_store: Open, home_path: Path) -> None:
    """Whatever the process would allow others; the log and the shared memory beside the file too."""
    before = os.umask(0)
    try:
        storage = open_store()
        storage.memories.put([memory("Mine.")])
        found = {path.name: path.stat().st_mode & 0o777 for path in home_path.glob("memory.sqlite*")}
    finally:
        os.umask(before)
    names = ("memory.sqlite", "memory.sqlite-wal", "memory.sqlite-shm", "memory.sqlite.made")
    assert found == dict.fromkeys(names, 0o600)


def test_a_closed_connection_is_no_damage(file: Path, storage: SqliteStorage) -> None:
    """Whoever is told of damage builds the file anew."""
    connection = sqlite3.connect(file)
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError) as closed:
        connection.execute("SELECT 1")
    assert not is_damage(closed.value)
    assert "damaged" not in str(in_our_words(closed.value, file))


def test_an_index_built_anew_elsewhere_is_used_at_the_next_call(open_store: Open) -> None:
    """Whoever had the file open before goes on."""
    storage, other = open_store(), open_store()
    [entry] = storage.memories.put([memory("giraffe")])
    assert storage.memories.search(Query(text="giraffe")).candidates
    other.reindex()
    assert [each.id for each in storage.memories.search(Query(text="giraffe")).candidates] == [entry.id]
    [fresh] = storage.memories.put([memory("giraffe again")])
    assert {each.id for each in other.memories.search(Query(text="giraffe")).candidates} == {entry.id, fresh.id}


@pytest.mark.parametrize("becomes", ["gone", "empty"])
def test_a_memory_that_was_lost_is_not_begun_anew_in_silence(open_store: Open, file: Path, becomes: str) -> None:
    """It is told, and is whole again when the file is put back; whoever wants a new one says so."""
    first = open_store()
    [known] = first.memories.put([memory("Known giraffe.")])
    first.close()
    elsewhere = file.rename(file.with_name("elsewhere"))
    if becomes == "empty":
        file.touch()
    with pytest.raises(StoreError, match="put it back"):
        open_store()
    elsewhere.replace(file)
    assert open_store().memories.get([known.id]) == {known.id: known}


def test_a_file_that_is_gone_is_told(storage: SqliteStorage, file: Path) -> None:
    """No empty one is made in its place by whoever had it open."""
    file.unlink()
    with pytest.raises(StoreError, match="is gone"):
        storage.memories.put([memory("Nowhere.")])
    assert not file.exists()


class TestWithoutWriteAheadLogging(StorageConformance):
    """A file system that cannot share memory between processes, as SQLite's own layer without it behaves."""

    @pytest.fixture
    def make_storage(self, open_store: Open, monkeypatch: pytest.MonkeyPatch) -> Open:
        without = partial(find_place, vfs="unix-dotfile")
        monkeypatch.setattr("hardwon.stores.sqlite.storage.find_place", without)
        return open_store

    def test_a_new_storage_has_no_problems(self, make_storage: Callable[[], Storage]) -> None:
        """But for the one that tells of it, once."""
        storage = make_storage()
        storage.memories.put([memory("Kept.")])
        [problem] = storage.problems()
        assert "cannot do write-ahead logging" in problem.what
        assert isinstance(storage, Verified)
        assert storage.verify() == []
