"""A damaged file is told and never taken for another; what is derived is made anew from what is true, never back."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.examples import MOMENT, complete_decision, complete_memory, memory
from hardwon.testing.fakes import FixedClock

from .conftest import Open

EVERYTHING = Filter(statuses=None)


def alter(file: Path, *statements: str) -> None:
    """Change the file as another program would."""
    connection = sqlite3.connect(file)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def filled(storage: SqliteStorage) -> list[MemoryEntry]:
    """Put memories with everything that is derived of them, and change one."""
    entries = [
        complete_memory(),
        *(memory(f"Giraffe number {number}.", topics=(f"a.b{number}",), tags=("t",)) for number in range(20)),
    ]
    storage.memories.put(entries)
    edge = Relation(source=entries[1].id, kind=RelationKind.RELATES_TO, target=entries[2].id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    storage.memories.update(entries[3].id, {"content": "Giraffe that changed."})
    storage.ledger.decide(complete_decision())
    return list(storage.memories.scan(EVERYTHING))


def test_what_the_store_wrote_is_whole(storage: SqliteStorage) -> None:
    filled(storage)
    assert storage.verify() == []


DERIVED = {
    "terms": "UPDATE memories SET terms = 'elephant' WHERE number = 4",
    "a fact": "UPDATE memories SET status = 'archived' WHERE number = 4",
    "a vector's key": "UPDATE memories SET vector_keys = '' WHERE number = 4",
    "a topic": "DELETE FROM topics WHERE memory = 4",
    "a topic's time": "UPDATE topics SET at = 0 WHERE memory = 4",
    "a tag": "INSERT INTO tags (value, memory) VALUES ('wrong', 4)",
    "a label of nothing": "INSERT INTO tags (value, memory) VALUES ('wrong', 4000)",
    "totals": "UPDATE search_totals SET documents = 7",
    "postings": "INSERT INTO search_postings(search_postings) VALUES ('delete-all')",
}


@pytest.mark.parametrize("statement", DERIVED.values(), ids=DERIVED.keys())
def test_what_is_derived_wrongly_is_told_and_made_anew(open_store: Open, file: Path, statement: str) -> None:
    """What is true stays as it is, to the last field, and so do its former states."""
    first = open_store()
    entries = filled(first)
    versions = first.memories.versions()
    first.close()
    alter(file, statement)
    storage = open_store()
    [problem] = storage.verify()
    assert problem.where == str(file)
    assert "hardwon reindex" in problem.what
    storage.reindex()
    assert storage.verify() == []
    assert list(storage.memories.scan(EVERYTHING)) == entries
    assert storage.memories.versions() == versions
    assert len(storage.memories.search(Query(text="giraffe", limit=100)).candidates) == 20


WRONG_CHUNKS = {
    "another document": ("UPDATE search_bitmaps SET documents = x'0100' WHERE term = 'giraff'", "who holds giraff"),
    "no bitmap": ("UPDATE search_bitmaps SET documents = 'none' WHERE term = 'giraff'", "who holds giraff"),
    "a project less": ("DELETE FROM search_bitmaps WHERE term LIKE ' %'", "what lies in "),
    "another count": ("UPDATE search_terms SET documents = 7 WHERE term = 'giraff'", "how many hold giraff"),
    "known too late": ("UPDATE search_chunks SET asserted_at = 9e9", "since when "),
    "held too late": ("UPDATE search_chunks SET valid_at = 9e9", "since when "),
}


@pytest.mark.parametrize(("statement", "told"), WRONG_CHUNKS.values(), ids=WRONG_CHUNKS.keys())
def test_full_chunks_are_compared_with_the_memories(
    storage: SqliteStorage, file: Path, monkeypatch: pytest.MonkeyPatch, statement: str, told: str
) -> None:
    """All of what is written of them: otherwise a memory is not found in its project, or at a time, and nobody is told.

    Also after some of them changed, were forgotten and came anew.
    """
    for name, value in {"CHUNK": 256, "SIZE": 32, "_SPARSE": 4, "FEWEST": 1}.items():
        monkeypatch.setattr(f"hardwon.stores.search.bitmaps.{name}", value)
    entries = [memory(f"Giraffe number {number}.") for number in range(300)]
    storage.memories.put(entries)
    storage.memories.update(entries[3].id, {"content": "An elephant."})
    storage.memories.delete([entries[5].id, entries[299].id])
    storage.memories.put([memory(f"Another giraffe, {number}.") for number in range(300)])
    assert storage.verify() == []
    alter(file, statement)
    [problem] = storage.verify()
    assert told in problem.what
    storage.reindex()
    assert storage.verify() == []


DAMAGED = {
    "a memory": "UPDATE memories SET entry = '{' WHERE number = 4",
    "a memory's fields": """UPDATE memories SET entry = '{"colour": 1}' WHERE number = 4""",
    "an edge": "UPDATE relations SET relation = 'x'",
    "a decision": "UPDATE decisions SET decision = '[]'",
    "a former state": "UPDATE versions SET content = 'forged'",
}


@pytest.mark.parametrize("statement", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_row_that_cannot_be_read_is_told(storage: SqliteStorage, file: Path, statement: str) -> None:
    """With its table, and that a backup has it; no index can give it back."""
    filled(storage)
    alter(file, statement)
    [problem] = storage.verify()
    assert "restore a backup" in problem.what


def test_an_index_is_not_built_over_a_memory_that_cannot_be_read(storage: SqliteStorage, file: Path) -> None:
    """The failure names it, and all stays as it was."""
    entries = filled(storage)
    alter(file, DAMAGED["a memory"])
    with pytest.raises(StoreError, match="is damaged"):
        storage.reindex()
    assert storage.memories.get([entries[-1].id]) == {entries[-1].id: entries[-1]}
    assert len(storage.memories.search(Query(text="giraffe", limit=100)).candidates) == 20


def spoil(file: Path, which: Callable[[str], bool], seed: int = 1) -> None:
    """Overwrite a page of a table as a failing disk would."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    tables = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall()
    connection.close()
    page = next(root for name, root in tables if which(name))
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(random.Random(seed).randbytes(size))


def test_what_can_be_read_of_a_damaged_file_is_kept(open_store: Open, file: Path) -> None:
    """The index of ids is gone: every memory is read by its row; the damaged file is set aside, byte by byte."""
    first = open_store()
    entries = filled(first)
    first.close()
    spoil(file, lambda name: name == "sqlite_autoindex_memories_1")
    before = file.read_bytes()
    storage = open_store()
    [problem] = storage.verify()
    assert "damaged" in problem.what
    storage.reindex()
    assert list(storage.memories.scan(EVERYTHING)) == entries
    assert storage.verify() == []
    [told] = storage.problems()
    assert Path(told.where).read_bytes() == before
    assert "; 0 memories of it could not be read" in told.what
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_read_of_a_damaged_file_is_counted(open_store: Open, file: Path) -> None:
    """A page of memories is gone; the others stay, and whoever had the file open reads the new one."""
    first = open_store()
    entries = first.memories.put([memory(f"{number} " + "words " * 300) for number in range(40)])
    decision = complete_decision()
    first.ledger.decide(decision)
    with sqlite3.connect(file) as connection:
        ((leaf,),) = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf' LIMIT 1 OFFSET 5"
        ).fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    connection.close()
    first.close()
    with file.open("r+b") as opened:
        opened.seek((leaf - 1) * size)
        opened.write(b"\xff" * size)
    storage = open_store()
    storage.reindex()
    kept = list(storage.memories.scan(EVERYTHING))
    lost = len(entries) - len(kept)
    assert 0 < lost < 10
    assert all(entry in entries for entry in kept)
    [told] = storage.problems()
    assert f"; {lost} memories of it could not be read" in told.what
    assert storage.ledger.decisions() == [decision]
    assert storage.verify() == []


def test_numbers_of_what_could_not_be_read_are_not_given_again(open_store: Open, file: Path) -> None:
    """What is derived beside the file goes by them: a new memory would be taken for the lost one."""
    first = open_store()
    filled(first)
    [last] = first.memories.put([memory("the last one")])
    first.memories.delete([last.id])
    first.close()
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM removals")  # as where the page with the last of them is damaged
        before = connection.execute("SELECT name, value FROM counters ORDER BY name").fetchall()
    connection.close()
    spoil(file, lambda name: name == "sqlite_autoindex_memories_1")
    storage = open_store()
    storage.reindex()
    storage.close()
    with sqlite3.connect(file) as connection:
        after = connection.execute("SELECT name, value FROM counters ORDER BY name").fetchall()
    connection.close()
    assert all(now >= then for (_, now), (_, then) in zip(after, before, strict=True))


def test_a_kill_while_a_damaged_file_is_replaced_leaves_one_of_the_two(
    open_store: Open, file: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never none, in whose place the next one would begin an empty memory; repeated, it goes on."""
    first = open_store()
    entries = filled(first)
    first.close()
    spoil(file, lambda name: name == "sqlite_autoindex_memories_1")
    storage = open_store()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("hardwon.stores.sqlite.salvaging.os.replace", killed)
        with pytest.raises(KeyboardInterrupt):
            storage.reindex()
    assert file.exists()
    again = open_store()
    clock.advance(seconds=1)
    again.reindex()
    assert list(again.memories.scan(EVERYTHING)) == entries


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_a_file_that_is_none_is_refused_and_left(open_store: Open, file: Path, content: bytes) -> None:
    """It is the truth, or was: nothing is made in its place."""
    file.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        open_store()
    assert file.read_bytes() == content


@pytest.mark.parametrize("lost", [Path.unlink, lambda file: file.write_bytes(b"")], ids=["gone", "empty"])
def test_a_log_without_its_file_is_not_thrown_away(
    open_store: Open, file: Path, lost: Callable[[Path], object]
) -> None:
    """What was acknowledged may stand in it alone; SQLite would begin anew over it."""
    storage = open_store()
    filled(storage)
    log = file.with_name(f"{file.name}-wal")
    kept = log.read_bytes()
    assert kept
    storage.close()
    lost(file)
    log.write_bytes(kept)
    with pytest.raises(StoreError, match="while its log is there"):
        open_store()
    assert log.read_bytes() == kept


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_or_a_folder_in_its_place_is_told_at_once(open_store: Open, file: Path) -> None:
    """To open a pipe would be to wait for ever for its other end."""
    for make in (os.mkfifo, os.mkdir):
        make(file)
        with pytest.raises(StoreError, match="is no file; move it away"):
            open_store()
        file.rename(file.with_name(make.__name__))


def test_another_programs_database_is_refused_and_left(open_store: Open, file: Path) -> None:
    """Tables of ours are not added to it."""
    alter(file, "CREATE TABLE theirs (a)")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="no memory of hardwon"):
        open_store()
    assert file.read_bytes() == before
