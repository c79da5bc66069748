"""What a person wrote or decided survives a power cut, however many files one operation writes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.memory import Source
from hardwon.stores.files import publishing
from hardwon.stores.files.atomic import disk
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import git

MANY = publishing.FEW + 8


class Waits:
    """Notes which files were waited for, in the order of what happened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: set[str] = set()
        self.whole = 0
        fsync = os.fsync

        def note(descriptor: int) -> None:
            self.files.add(Path(f"/proc/self/fd/{descriptor}").readlink().name)
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", note)
        monkeypatch.setattr(disk, "_sync_whole", self._note_whole)
        self.can_sync_whole = True

    def _note_whole(self, folder: Path) -> bool:
        self.whole += self.can_sync_whole
        return self.can_sync_whole


def write(storage: FilesStorage, number: int, *, durable: bool) -> list[str]:
    names = [f"notes/{each}.md" for each in range(number)]
    with storage.operation("Write notes"):
        for name in names:
            storage.documents.write(name, f"Note {name}.", durable=durable)
    return [Path(name).name for name in names]


def test_many_durable_documents_are_waited_for_at_once(storage: FilesStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = Waits(monkeypatch)
    write(storage, MANY, durable=True)
    assert waits.whole == 1


def test_where_the_system_cannot_wait_at_once_each_is_waited_for(
    storage: FilesStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Waits(monkeypatch)
    waits.can_sync_whole = False
    names = write(storage, MANY, durable=True)
    assert {*names, "notes"} <= waits.files


def test_many_memories_that_a_person_told_are_waited_for(
    storage: FilesStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Waits(monkeypatch)
    storage.memories.put([memory(f"Rule {number}.", source=Source(said_by="user")) for number in range(MANY)])
    assert waits.whole == 1


def test_they_are_on_disk_before_the_history_says_so(
    storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage.documents.write("first.md", "First.")
    before = git(memory_folder, "rev-parse", "HEAD")
    seen: list[Any] = []

    def look(folder: Path, paths: Any) -> None:
        seen.append((git(memory_folder, "rev-parse", "HEAD"), all(path.is_file() for path in paths)))

    monkeypatch.setattr(publishing, "sync_file_system", look)
    write(storage, MANY, durable=True)
    assert seen == [(before, True)]


def test_what_can_be_made_again_is_not_waited_for(storage: FilesStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = Waits(monkeypatch)
    names = write(storage, MANY, durable=False)
    names += write(storage, 3, durable=False)
    assert waits.whole == 0
    assert not waits.files & set(names)


def test_a_few_are_waited_for_one_by_one(storage: FilesStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = Waits(monkeypatch)
    write(storage, 3, durable=True)
    assert waits.whole == 0
    assert "notes" in waits.files


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the call")
def test_the_system_is_asked_to_write_all(tmp_path: Path) -> None:
    assert disk._sync_whole(tmp_path)
