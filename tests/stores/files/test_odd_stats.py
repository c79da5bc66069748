"""Whatever time or inode a file system gives to a file stops nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hardwon.kernel.query import Filter
from hardwon.stores.files.storage import FilesStorage
from hardwon.stores.search.statements import stat_values
from hardwon.testing.examples import memory


@pytest.mark.parametrize("at", [300_000_000_000, -100_000_000_000, 9_300_000_000])
def test_a_file_of_any_time_stops_nothing(storage: FilesStorage, memory_folder: Path, at: float) -> None:
    """As a broken archive or clock leaves one; it says when it was written, which is nearly never."""
    storage.memories.put([memory("Rotate the certificates.")])
    note = memory_folder / "digest" / "_global" / "note.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("A note about the carburettor.\n", encoding="utf-8")
    try:
        os.utime(note, (at, at))
    except (OSError, OverflowError) as error:
        pytest.skip(f"this file system has no such time: {error}")
    found = {entry.content.strip() for entry in storage.memories.scan(Filter(statuses=None))}
    assert found == {"Rotate the certificates.", "A note about the carburettor."}
    storage.memories.put([memory("Another.")])
    assert storage.problems() == []
    storage.reindex()
    assert len(list(storage.memories.scan(Filter(statuses=None)))) == 3


def test_inodes_of_64_bits_are_told_apart() -> None:
    """As network file systems have them; SQLite keeps whole numbers with a sign."""
    stats = [stat_values(1, 2, inode) for inode in (1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1)]
    assert len(set(stats)) == len(stats)
    with closing(sqlite3.connect(":memory:")) as connection:
        for each in stats:
            assert connection.execute("SELECT ?, ?, ?", each).fetchone() == each
