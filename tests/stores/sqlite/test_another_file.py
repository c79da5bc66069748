"""Another file takes the place of the open one: nobody reads half of each, or writes into the one that is gone."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

from hardwon.kernel.query import Filter
from hardwon.testing.examples import memory

from .conftest import Open


def test_another_file_in_its_place_is_what_is_read_and_written(open_store: Open, file: Path, tmp_path: Path) -> None:
    """A backup that was put back while a store is open; nothing is written into the one that is gone."""
    storage = open_store()
    [first] = storage.memories.put([memory("First.")])
    (tmp_path / "backup").mkdir()
    storage.backup(tmp_path / "backup")
    storage.memories.put([memory("Second.")])
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink()
    (tmp_path / "backup" / file.name).replace(file)
    assert list(storage.memories.scan(Filter())) == [first]
    [third] = storage.memories.put([memory("Third.")])
    assert set(open_store().memories.get([first.id, third.id])) == {first.id, third.id}


def test_a_thread_keeps_its_state_while_another_finds_a_new_file(open_store: Open, file: Path, tmp_path: Path) -> None:
    """What it reads is whole, as it began; only then it reads the new file."""
    storage = open_store()
    [first] = storage.memories.put([memory("First.")])
    (tmp_path / "backup").mkdir()
    storage.backup(tmp_path / "backup")
    [second] = storage.memories.put([memory("Second.")])
    found: list[set[str]] = []

    def look() -> None:
        found.append({each.id for each in storage.memories.scan(Filter())})

    with storage.snapshot():
        look()
        for ending in ("-wal", "-shm"):
            Path(f"{file}{ending}").unlink()
        (tmp_path / "backup" / file.name).replace(file)
        other = threading.Thread(target=look)
        other.start()
        other.join()
        look()
    look()
    assert found == [{first.id, second.id}, {first.id}, {first.id, second.id}, {first.id}]


def test_who_waited_for_the_writer_of_a_file_that_was_replaced_writes_into_the_new_one(
    open_store: Open, file: Path, tmp_path: Path
) -> None:
    """What is acknowledged is in the file that the next one opens."""
    storage = open_store()
    (tmp_path / "backup").mkdir()
    storage.backup(tmp_path / "backup")
    another = sqlite3.connect(file, isolation_level=None)
    another.execute("BEGIN IMMEDIATE")
    entry = memory("Acknowledged.")
    writer = threading.Thread(target=lambda: storage.memories.put([entry]))
    writer.start()
    time.sleep(0.1)  # however long: a writer that does not wait yet is as good
    for ending in ("", "-wal", "-shm"):
        Path(f"{file}{ending}").rename(tmp_path / f"old{ending}")
    (tmp_path / "backup" / file.name).rename(file)
    another.close()
    writer.join()
    assert open_store().memories.get([entry.id]) == {entry.id: entry}
