"""What a power cut must not take waits for the disk: a person's words and decisions; the rest waits for no disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.memory import Source
from hardwon.kernel.records import Activity
from hardwon.stores.sqlite import database, syncing
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.conformance.journal import AT, entry, turn
from hardwon.testing.examples import MOMENT, complete_decision, memory

MACHINE = Source(said_by="agent")


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files that were waited for, as they come."""
    files: list[Path] = []
    monkeypatch.setattr(database, "sync", files.append)
    return files


PERSONAL: dict[str, Callable[[SqliteStorage], object]] = {
    "a memory that a user said": lambda storage: storage.memories.put([memory("By hand.")]),
    "a decision": lambda storage: storage.ledger.decide(complete_decision()),
    "a document": lambda storage: storage.documents.write("projects.toml", "x", durable=True),
    "an operation around": lambda storage: _together(storage),
}
OTHERS: dict[str, Callable[[SqliteStorage], object]] = {
    "a memory that an agent learned": lambda storage: storage.memories.put([memory("Learned.", source=MACHINE)]),
    "activity": lambda storage: storage.ledger.append([Activity(kind="shown", at=MOMENT)]),
    "turns": lambda storage: storage.journal.write([entry(turn())]),
}


def _together(storage: SqliteStorage) -> None:
    with storage.operation("Accept"):
        storage.memories.put([memory("A rule.", source=MACHINE)])
        storage.ledger.decide(complete_decision())


@pytest.mark.parametrize("write", PERSONAL.values(), ids=PERSONAL.keys())
def test_a_persons_words_wait_for_the_disk(
    storage: SqliteStorage, file: Path, synced: list[Path], write: Callable[[SqliteStorage], object]
) -> None:
    """Once, when the operation has ended."""
    write(storage)
    assert synced == [Path(f"{file}-wal")]


@pytest.mark.parametrize("write", OTHERS.values(), ids=OTHERS.keys())
def test_what_can_be_learned_again_does_not(
    storage: SqliteStorage, synced: list[Path], write: Callable[[SqliteStorage], object]
) -> None:
    write(storage)
    assert synced == []


def test_what_is_forgotten_is_gone_from_the_disk(storage: SqliteStorage, file: Path, synced: list[Path]) -> None:
    """Its words are neither in the file nor in its log, also where it was changed before, and it stays forgotten."""
    [secret, stays] = storage.memories.put([memory("hunter2 in the words of old"), memory("stays")])
    storage.memories.update(secret.id, {"content": "hunter2 in newer words"})
    storage.journal.write([entry(turn("t-9", said="hunter2 was said"))])
    storage.journal.retract(AT, session="s-1")
    synced.clear()
    storage.memories.delete([secret.id])
    assert synced
    held = b"".join(path.read_bytes() for path in file.parent.glob("memory.sqlite*"))
    assert b"hunter2" not in held
    assert stays.content.encode() in held


def test_what_is_forgotten_while_somebody_reads_is_gone_at_the_next_write(
    storage: SqliteStorage, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that stays holds nobody up for long, and needs the log until it is done."""
    monkeypatch.setattr(database, "BRIEFLY", 0.01)
    [secret] = storage.memories.put([memory("hunter2 in the words of old")])
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memories").fetchall()
    storage.memories.delete([secret.id])
    reader.close()
    storage.memories.put([memory("the next")])
    held = b"".join(path.read_bytes() for path in file.parent.glob("memory.sqlite*"))
    assert b"hunter2" not in held


def test_a_log_that_cannot_be_emptied_is_told(storage: SqliteStorage, file: Path) -> None:
    """It is forgotten all the same, and nobody is told that nothing was written."""

    class Failing:
        def execute(self, _: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(StoreError, match="It was written, but"):
        syncing.empty_log(cast("sqlite3.Connection", Failing()), file, 0)


def test_a_disk_that_fails_is_told(storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written stands, and its writer knows that it may not last."""

    def fails(path: Path) -> None:
        raise StoreError(f"{path} may not survive a power cut.")

    monkeypatch.setattr(database, "sync", fails)
    entry = memory("By hand.")
    with pytest.raises(StoreError, match="power cut"):
        storage.memories.put([entry])
    assert storage.memories.get([entry.id]) == {entry.id: entry}
