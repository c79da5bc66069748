"""A new index is built beside the one in use, under a name of its own: nobody's open index is written over."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.query import Filter, Query
from hardwon.stores.files.indexing import generations
from hardwon.stores.files.indexing.index_format import FORMAT_VERSION, POINTER, name_of
from hardwon.stores.files.storage import FilesStorage
from hardwon.stores.files.taking_in import freshness
from hardwon.testing.examples import memory

from .conftest import Open, file_of, index_of

ALL = Filter(statuses=None)
DAYS = 24 * 3600
PATIENCE = 120.0
"""Seconds to wait for what happens at once on a machine that is not busy."""


@pytest.fixture
def kept(storage: FilesStorage) -> str:
    entry = memory("Rotate the certificates.", "shop")
    storage.memories.put([entry])
    return entry.id


def indexes(home: Path) -> list[str]:
    return sorted(path.name for path in home.glob("index*.sqlite"))


def test_a_new_index_has_a_new_name_and_the_old_one_goes(storage: FilesStorage, kept: str, home_path: Path) -> None:
    before = index_of(home_path)
    storage.reindex()
    assert index_of(home_path) != before
    assert indexes(home_path) == [index_of(home_path).name]
    assert not list(home_path.glob(f"{before.name}*"))


def test_who_reads_the_old_index_goes_on_and_it_goes_after_them(
    storage: FilesStorage, kept: str, home_path: Path
) -> None:
    old = index_of(home_path)
    with closing(sqlite3.connect(old, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM memories").fetchone() == (1,)
        storage.reindex()
        storage.memories.put([memory("Another.")])
        assert old.exists()
        assert reader.execute("SELECT id FROM memories").fetchall() == [(kept,)]
    storage.reindex()
    assert indexes(home_path) == [index_of(home_path).name]


def test_threads_that_read_are_answered_while_the_index_is_built(
    storage: FilesStorage, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    building, may_end = threading.Event(), threading.Event()
    fill = freshness._fill

    def slow(*arguments: object, **options: object) -> None:
        building.set()
        assert may_end.wait(PATIENCE)
        fill(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(freshness, "_fill", slow)
    thread = threading.Thread(target=storage.reindex)
    thread.start()
    assert building.wait(PATIENCE)
    assert [each.id for each in storage.memories.search(Query(text="certificates")).candidates] == [kept]
    assert list(storage.memories.get([kept])) == [kept]
    may_end.set()
    thread.join()
    assert list(storage.memories.get([kept])) == [kept]


def test_a_build_that_fails_leaves_the_index_in_use(
    storage: FilesStorage, kept: str, home_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = indexes(home_path)

    def fail(*_: object, **__: object) -> None:
        raise StoreError("The disk is full; make room.")

    with monkeypatch.context() as patch, pytest.raises(StoreError, match="disk is full"):
        patch.setattr(freshness, "_fill", fail)
        storage.reindex()
    assert indexes(home_path) == before
    assert list(storage.memories.get([kept])) == [kept]


def test_what_a_killed_build_left_is_never_used_and_goes_with_the_next(
    storage: FilesStorage, kept: str, home_path: Path
) -> None:
    left = home_path / name_of(40)
    left.write_bytes(b"half an index" * 100)
    Path(f"{left}-journal").touch()
    assert list(storage.memories.get([kept])) == [kept]
    storage.reindex()
    assert indexes(home_path) == [name_of(41)]
    assert not list(home_path.glob(f"{left.name}*"))


def test_an_index_of_another_format_is_left_to_the_program_that_uses_it(
    storage: FilesStorage, open_store: Open, kept: str, home_path: Path
) -> None:
    """Two versions of the program side by side each keep their own, and neither builds the other's anew."""
    newer = home_path / f"index-{FORMAT_VERSION + 1}-1.sqlite"
    older = home_path / "index.sqlite"
    pointer = home_path / f"index-{FORMAT_VERSION + 1}.current"
    for path in (newer, older):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    pointer.write_text(newer.name, encoding="utf-8")
    before = {path: path.read_bytes() for path in (newer, older, pointer)}
    storage.reindex()
    open_store().memories.put([memory("More.")])
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("name", ["index.sqlite", "index-3-2.sqlite", "index-damaged-20250101-070000.sqlite"])
def test_an_index_that_no_program_uses_any_more_goes_after_a_month(
    storage: FilesStorage, kept: str, home_path: Path, name: str
) -> None:
    path = home_path / name
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    os.utime(path, (time.time() - 29 * DAYS,) * 2)
    storage.reindex()
    assert path.exists()
    os.utime(path, (time.time() - 31 * DAYS,) * 2)
    storage.reindex()
    assert not path.exists()


@pytest.mark.parametrize("name", ["index.sqlite", "index-3-2.sqlite", "index-damaged-20250101-070000.sqlite"])
@pytest.mark.parametrize("is_open", [False, True])
def test_what_is_forgotten_stands_in_no_former_index(
    storage: FilesStorage, kept: str, home_path: Path, name: str, is_open: bool
) -> None:
    """They are derived, and were kept for another program; one that has its own open at this moment keeps it."""
    path = home_path / name
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE memories AS SELECT 'words' AS content")
        if is_open:
            storage.memories.delete([kept])
            assert path.exists()
            return
    storage.memories.delete([kept])
    assert not path.exists()
    assert not list(home_path.glob(f"{name}-*"))


def test_a_database_of_somebody_else_stays(storage: FilesStorage, kept: str, home_path: Path) -> None:
    theirs = home_path / "index-of-my-books.sqlite"
    theirs.write_bytes(b"")
    os.utime(theirs, (0, 0))
    storage.reindex()
    assert theirs.exists()


def test_building_leaves_no_log_behind(storage: FilesStorage, kept: str, home_path: Path) -> None:
    """A rebuild inside the index in use would leave a write-ahead log as large as the index."""
    storage.memories.put([memory(f"Number {number} of many.") for number in range(200)])
    storage.reindex()
    log = Path(f"{index_of(home_path)}-wal")
    assert not log.exists() or log.stat().st_size < index_of(home_path).stat().st_size / 10


def test_the_pointer_that_went_missing_in_a_power_cut_costs_one_build(
    storage: FilesStorage, open_store: Open, kept: str, home_path: Path
) -> None:
    storage.close()
    (home_path / POINTER).write_bytes(b"")
    assert list(open_store().memories.get([kept])) == [kept]
    assert generations.current_path(home_path) is not None


@pytest.mark.parametrize("part", [1, 2, 3])
def test_however_it_is_built_part_by_part_it_says_the_same(
    storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """Also who keeps an id that several files claim, and what was deleted or moved by hand."""
    entries = [memory(f"Number {number}.", "shop", topics=("ci",)) for number in range(6)]
    storage.memories.put(entries)
    first, second, third, *_ = (file_of(memory_folder, entry) for entry in entries)
    first.with_name("0-earlier-by-name.md").write_bytes(first.read_bytes())
    first.with_name("z-later-by-name.md").write_bytes(first.read_bytes().replace(b"Number", b"Copy"))
    second.rename(second.with_name("another-name.md"))
    third.unlink()
    storage.reindex()
    whole = (list(storage.memories.scan(ALL)), storage.problems())
    monkeypatch.setattr(freshness, "PART", part)
    storage.reindex()
    assert (list(storage.memories.scan(ALL)), storage.problems()) == whole
    assert len(whole[1]) == 2
