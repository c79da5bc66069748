"""What changed on disk is seen, also where no stat shows it, and a look keeps what makes the next one quick."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.stores.files.atomic import disk
from hardwon.stores.files.storage import FilesStorage
from hardwon.stores.files.taking_in import looking, taking
from hardwon.stores.files.workspace import Workspace
from hardwon.testing.examples import memory

from .conftest import Open, file_of, git

ALL = Filter(statuses=tuple(Status))


def edit_unseen(path: Path) -> None:
    """Edit a file in place so that its size, its time and its inode stay, as within one tick of the clock."""
    before = path.stat()
    with path.open("r+b") as file:
        text = file.read()
        file.seek(0)
        file.write(text.replace(b"Rotate", b"Revoke"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (before.st_size, before.st_mtime_ns, before.st_ino) == (after.st_size, after.st_mtime_ns, after.st_ino)


def not_recent(mtime_ns: int, now: int) -> bool:
    """Say that the tick is over."""
    return False


def contents(storage: FilesStorage) -> list[str]:
    return [entry.content for entry in storage.memories.scan(ALL)]


def fingerprints(storage: FilesStorage) -> dict[str, bytes | None]:
    return dict(storage._opened.workspace.index.rows("SELECT folder, seen FROM folders"))


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    entry = memory("Rotate the certificates.", "shop")
    storage.memories.put([entry])
    return entry


def test_an_edit_within_the_tick_of_our_own_write_is_seen(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    edit_unseen(file_of(memory_folder, lesson))
    assert contents(open_store()) == ["Revoke the certificates."]


def test_an_edit_within_the_tick_of_another_edit_is_seen(
    storage: FilesStorage, open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    path.write_bytes(path.read_bytes() + b"\nBy hand.\n")
    assert contents(open_store()) == ["Rotate the certificates.\n\nBy hand."]
    edit_unseen(path)
    assert contents(open_store()) == ["Revoke the certificates.\n\nBy hand."]


def test_an_edit_that_no_stat_shows_is_not_written_over(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry
) -> None:
    edit_unseen(file_of(memory_folder, lesson))
    assert storage.memories.update(lesson.id, {"tags": ("tls",)}).content == "Revoke the certificates."
    assert "Edit by hand" in git(memory_folder, "log", "--format=%s")


def test_a_file_that_is_read_again_long_after_its_change_is_trusted(
    storage: FilesStorage,
    open_store: Open,
    memory_folder: Path,
    lesson: MemoryEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = file_of(memory_folder, lesson)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    monkeypatch.setattr(disk, "is_recent", not_recent)
    open_store().memories.get([])
    recent = "SELECT count(*) FROM files WHERE recent = 1 AND path LIKE '%rotate%'"
    assert storage._opened.workspace.index.rows(recent)[0][0] == 0


def test_a_file_that_was_settled_is_not_read_again(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "is_recent", not_recent)
    open_store().memories.get([])
    read: list[Path] = []
    plain = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: [read.append(path), plain(path)][1])
    assert contents(open_store()) == [lesson.content]
    assert file_of(memory_folder, lesson) not in read


def test_a_folder_that_is_as_known_is_compared_as_one(
    storage: FilesStorage, open_store: Open, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store().memories.get([])
    assert all(fingerprints(storage).values())
    monkeypatch.setattr(looking, "_compare", lambda *_: pytest.fail("a folder was compared file by file"))
    assert contents(open_store()) == [lesson.content]


def test_a_folder_is_compared_again_once_one_of_its_files_changed(
    storage: FilesStorage, open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """Also when the disk is put back to what it was: the rows are not."""
    path = file_of(memory_folder, lesson)
    before, stat = path.read_bytes(), path.stat()
    open_store().memories.get([])
    with path.open("r+b") as file:
        file.write(before.replace(b"Rotate", b"Replace"))
    assert contents(open_store()) == ["Replace the certificates."]
    with path.open("r+b") as file:
        file.write(before)
        file.truncate()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert path.stat().st_ino == stat.st_ino
    assert contents(open_store()) == [lesson.content]


def test_a_folder_that_goes_with_all_its_files_is_missed_and_then_forgotten(
    storage: FilesStorage, open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    folder = file_of(memory_folder, lesson).parent
    name = folder.relative_to(memory_folder).as_posix()
    open_store().memories.get([])
    shutil.rmtree(folder)
    again = open_store()
    assert again.memories.get([lesson.id])[lesson.id].status is Status.ARCHIVED
    again.memories.put([memory("Goes on.", "other")])
    open_store().memories.get([])
    assert name not in fingerprints(open_store())


def test_opening_looks_at_no_file(
    home_path: Path, open_store: Open, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first read does: opening a hundred thousand memories is as quick as opening one."""
    monkeypatch.setattr(looking, "walk", lambda root: pytest.fail("the tree was walked"))
    storage = open_store()
    assert storage.memories.get([lesson.id]) == {lesson.id: lesson}


def test_a_checkout_is_seen_at_once_also_where_no_look_is_due(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry
) -> None:
    storage.memories.update(lesson.id, {"content": "Changed."})
    storage._opened.freshness._took = 1000.0
    storage._opened.freshness._looked_at = time.monotonic()
    git(memory_folder, "checkout", "-q", "HEAD~1")
    assert contents(storage) == [lesson.content]


@pytest.mark.parametrize("ask", ["scan", "get", "update"])
def test_an_edit_that_keeps_size_and_time_is_seen_long_after_the_file_was_read(
    open_store: Open, memory_folder: Path, monkeypatch: pytest.MonkeyPatch, ask: str
) -> None:
    """A sync tool, or a program that gives a file its old time back: only its inode's own time tells."""
    monkeypatch.setattr(disk, "is_recent", not_recent)
    lesson = memory("Rotate the certificates.", "shop")
    open_store().memories.put([lesson])
    assert contents(open_store()) == [lesson.content]
    edit_unseen(file_of(memory_folder, lesson))
    memories = open_store().memories
    found = {
        "scan": lambda: next(iter(memories.scan(ALL))),
        "get": lambda: memories.get([lesson.id])[lesson.id],
        "update": lambda: memories.update(lesson.id, {"tags": ("tls",)}),
    }[ask]()
    assert found.content == "Revoke the certificates."


def test_files_whose_mode_or_links_alone_changed_are_not_taken_in_anew(
    open_store: Open, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup that links to every file, a `chmod` of all: what they say is compared once, and no more."""
    monkeypatch.setattr(disk, "is_recent", not_recent)
    kept = open_store().memories.put([memory(f"Lesson {number}.", "shop") for number in range(5)])
    assert len(contents(open_store())) == 5
    for entry in kept:
        file_of(memory_folder, entry).chmod(0o640)
    monkeypatch.setattr(taking, "read_file", lambda *_: pytest.fail("a file is taken in anew"))
    assert len(contents(open_store())) == 5
    monkeypatch.setattr(Workspace, "has_content", lambda *_: pytest.fail("a file is read twice"))
    assert len(contents(open_store())) == 5


def test_what_hardwon_writes_it_knows_without_reading_it_again(
    open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new name of a file that was written aside is a change of its own, and ours."""
    monkeypatch.setattr(disk, "is_recent", not_recent)
    storage = open_store()
    kept = storage.memories.put([memory("Lesson.", "shop")])[0]
    storage.memories.update(kept.id, {"content": "Another lesson."})
    monkeypatch.setattr(Workspace, "has_content", lambda *_: pytest.fail("a file is read"))
    assert contents(open_store()) == ["Another lesson."]
