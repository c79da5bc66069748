"""What everyday tasks find is measured before anybody relies on it, and not at every fifth put."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.query import Query
from hardwon.kernel.settings import Settings
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.examples import memory


def opened(folder: Path) -> SqliteStorage:
    home = Home(folder, settings=Settings(store="sqlite", embedder="none"))
    home.path.mkdir(exist_ok=True)
    return SqliteStorage(home)


def measured(storage: SqliteStorage) -> int:
    """Return among how many memories it was measured last."""
    return int(storage._sqlite.rows("SELECT documents FROM search_usual LIMIT 1")[0][0])


def put(storage: SqliteStorage, count: int) -> None:
    storage.memories.put([memory(f"The build needs the driver {number}.") for number in range(count)])


def test_what_is_owed_is_measured_by_the_next_search(tmp_path: Path) -> None:
    """A fifth more waits for it; twice as many do not."""
    storage = opened(tmp_path / "home")
    put(storage, 20)
    put(storage, 6)
    assert measured(storage) == 20
    storage.memories.search(Query(text="driver"))
    assert measured(storage) == 26
    put(storage, 27)
    assert measured(storage) == 53
    storage.close()


def test_what_is_owed_is_measured_when_the_store_is_closed(tmp_path: Path) -> None:
    """So that another process, which only reads, finds what holds."""
    storage = opened(tmp_path / "home")
    put(storage, 20)
    put(storage, 6)
    storage.close()
    storage.close()
    again = opened(tmp_path / "home")
    assert measured(again) == 26
    again.close()


def test_a_search_waits_for_no_writer_to_measure(tmp_path: Path) -> None:
    """Inside an operation and while another process writes, it answers with what was measured last."""
    storage, other = opened(tmp_path / "home"), opened(tmp_path / "home")
    put(storage, 20)
    put(storage, 6)
    with other.operation("Write for long"):
        other.documents.write("a note", "of another process")
        assert storage.memories.search(Query(text="driver")).candidates
        assert measured(storage) == 20
    with storage.operation("Search inside"):
        assert storage.memories.search(Query(text="driver")).candidates
    storage.memories.search(Query(text="driver"))
    assert measured(storage) == 26
    storage.close()
    other.close()


def test_a_store_whose_file_is_gone_can_be_closed(tmp_path: Path) -> None:
    """What is owed to a file that nobody has any more is owed to nobody."""
    storage = opened(tmp_path / "home")
    put(storage, 20)
    put(storage, 6)
    held = storage._sqlite.held
    for file in (tmp_path / "home").glob("memory.sqlite*"):
        file.unlink()
    storage.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        held.connection.execute("SELECT 1")
