"""What a person deletes stays known and restorable, also without the index; what they forget stays forgotten."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hardwon.kernel.errors import NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.importing import import_files
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.kernel.use_cases.remembering import forget
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of, git

ALL = Filter(statuses=None)
RECORD = "deleted-by-hand.jsonl"


def without_index(home: Path) -> None:
    for path in home.glob("index-*"):
        path.unlink()


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [kept] = storage.memories.put([memory("Rotate the certificates.", "shop", topics=("ci.deploy",))])
    return kept


@pytest.fixture
def rule(storage: FilesStorage, lesson: MemoryEntry) -> Relation:
    [kept] = storage.memories.put([memory("Renew before expiry.", kind="rule")])
    edge = Relation(source=kept.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    return edge


def delete_by_hand(open_store: Open, folder: Path, lesson: MemoryEntry) -> Path:
    """Delete a memory's file as a person, and let a command that writes commit it; return where it was."""
    path = file_of(folder, lesson)
    path.unlink()
    open_store().memories.put([memory("Something else.")])
    return path


@pytest.mark.parametrize("from_end", ["source", "target"])
def test_a_deleted_memory_outlives_the_index_and_comes_back_whole_with_its_links(
    open_store: Open, home_path: Path, memory_folder: Path, lesson: MemoryEntry, rule: Relation, from_end: str
) -> None:
    """Delete, a command, remove the index, a command, restore as the memory itself says: as if nothing had been."""
    storage = open_store()
    entry = storage.memories.get([getattr(rule, from_end)])[getattr(rule, from_end)]
    path = delete_by_hand(open_store, memory_folder, entry)
    without_index(home_path)
    storage = open_store()
    retired = find_memory_in(storage, entry.id)
    assert (retired.status, retired.content) == (Status.ARCHIVED, entry.content)
    assert retired.metadata["deleted_by_hand"] == path.relative_to(memory_folder).as_posix()
    assert storage.problems() == []
    assert entry.id not in [each.id for each in storage.memories.scan(Filter())]
    git(memory_folder, *retired.metadata["restore_with"].replace("'", "").split()[1:])
    again = open_store()
    assert find_memory_in(again, entry.id) == entry
    assert again.memories.relations(lesson.id) == [rule]
    again.memories.put([memory("A third.")])
    assert (memory_folder / RECORD).read_bytes() == b""
    assert again.problems() == []
    assert git(memory_folder, "status", "--short") == ""


def find_memory_in(storage: FilesStorage, id: str) -> MemoryEntry:
    return storage.memories.get([id])[id]


def test_a_retired_memory_is_the_same_with_a_new_index_as_before(
    open_store: Open, home_path: Path, memory_folder: Path, lesson: MemoryEntry
) -> None:
    delete_by_hand(open_store, memory_folder, lesson)
    before = [entry.model_dump_json() for entry in open_store().memories.scan(ALL)]
    without_index(home_path)
    assert [entry.model_dump_json() for entry in open_store().memories.scan(ALL)] == before


def test_a_file_that_was_moved_and_then_deleted_is_known_by_the_place_that_the_history_has(
    open_store: Open, home_path: Path, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    moved = path.rename(memory_folder / "digest" / "shop" / path.name)
    assert find_memory_in(open_store(), lesson.id).topics == ()
    moved.unlink()
    open_store().memories.put([memory("Something else.")])
    without_index(home_path)
    retired = find_memory_in(open_store(), lesson.id)
    assert retired.status is Status.ARCHIVED
    git(memory_folder, *retired.metadata["restore_with"].replace("'", "").split()[1:])
    assert find_memory_in(open_store(), lesson.id) == lesson


def test_a_note_that_only_its_writer_committed_is_restorable_too(
    open_store: Open, home_path: Path, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """It never had an id in it: the one that follows from its path and time is kept."""
    note = memory_folder / "digest" / "shop" / "mine.md"
    note.write_text("A note of mine.\n", encoding="utf-8")
    [kept] = [each for each in open_store().memories.scan(ALL) if each.content == "A note of mine."]
    git(memory_folder, "add", "--all")
    git(memory_folder, "commit", "-qm", "Mine")
    note.unlink()
    open_store().memories.put([memory("Something else.")])
    without_index(home_path)
    retired = find_memory_in(open_store(), kept.id)
    assert (retired.status, retired.times.asserted_at) == (Status.ARCHIVED, kept.times.asserted_at)
    assert "mine.md" in retired.metadata["restore_with"]


def test_the_record_names_no_word_of_what_was_deleted(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    delete_by_hand(open_store, memory_folder, lesson)
    [line] = (memory_folder / RECORD).read_text(encoding="utf-8").splitlines()
    assert json.loads(line).keys() == {"version", "id", "path", "commit", "content", "at"}
    assert git(memory_folder, "log", "-3", "--format=%s").splitlines()[1:] == [
        "Note what was deleted by hand",
        f"Delete by hand: {file_name(line)}",
    ]


def file_name(line: str) -> str:
    return str(json.loads(line)["path"]).rpartition("/")[2]


def test_a_deletion_reaches_a_clone(open_store: Open, memory_folder: Path, lesson: MemoryEntry, tmp_path: Path) -> None:
    """A second device never had the file and knows the memory as retired."""
    delete_by_hand(open_store, memory_folder, lesson)
    Home(tmp_path / "other").create()
    git(tmp_path, "clone", "-q", str(memory_folder), "other/memory")
    (tmp_path / "other" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    with Home(tmp_path / "other") as other:
        assert find_memory(other, lesson.id).status is Status.ARCHIVED


def test_forgetting_a_retired_memory_removes_its_line(
    open_store: Open, home_path: Path, memory_folder: Path, lesson: MemoryEntry
) -> None:
    delete_by_hand(open_store, memory_folder, lesson)
    open_store().memories.delete([lesson.id])
    assert (memory_folder / RECORD).read_bytes() == b""
    without_index(home_path)
    assert lesson.id not in open_store().memories.get([lesson.id])


def test_whoever_removes_the_line_lets_go_of_the_memory(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    delete_by_hand(open_store, memory_folder, lesson)
    (memory_folder / RECORD).write_bytes(b"")
    storage = open_store()
    assert storage.memories.get([lesson.id]) == {}
    storage.memories.put([memory("After.")])
    assert (memory_folder / RECORD).read_bytes() == b""


def test_a_record_that_cannot_be_read_is_left_alone_and_reported(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    delete_by_hand(open_store, memory_folder, lesson)
    with (memory_folder / RECORD).open("a", encoding="utf-8") as record:
        record.write("<<<<<<< HEAD\n")
    broken = (memory_folder / RECORD).read_bytes()
    storage = open_store()
    storage.memories.put([memory("After.")])
    assert (memory_folder / RECORD).read_bytes() == broken
    [problem] = storage.problems()
    assert problem.where.endswith(f"{RECORD}:2")
    assert find_memory_in(storage, lesson.id).status is Status.ARCHIVED


def test_two_devices_that_delete_by_hand_merge(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, tmp_path: Path
) -> None:
    """Both lines stand after `git pull`, without a conflict."""
    storage = open_store()
    [other] = storage.memories.put([memory("Another lesson.", "farm")])
    home = tmp_path / "other"
    Home(home).create()
    (home / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    git(tmp_path, "clone", "-q", str(memory_folder), "other/memory")
    delete_by_hand(open_store, memory_folder, lesson)
    with Home(home) as device:
        file_of(home / "memory", other).unlink()
        device.storage.memories.put([memory("From the other.")])
        git(home / "memory", "pull", "-q", "--no-rebase", "--no-edit")
        device.close()
        retired = {each.id for each in device.storage.memories.scan(Filter(statuses=(Status.ARCHIVED,)))}
        assert retired == {lesson.id, other.id}
        assert device.storage.problems() == []


@pytest.fixture
def home(home_path: Path) -> Home:
    return Home(home_path)


@pytest.mark.parametrize("format", ["lessons", "archive"])
def test_no_import_brings_a_forgotten_memory_back_unless_told(
    home: Home, memory_folder: Path, tmp_path: Path, format: str
) -> None:
    """The same file again, or an export from before; on this device, after a rebuild, and on a clone."""
    source = tmp_path / "lessons.jsonl"
    source.write_text('{"id": "L-1", "content": "A secret word: giraffe."}\n', encoding="utf-8")
    import_files(home, [source], project_of={})
    archive = tmp_path / "archive.jsonl"
    archive.write_text("".join(f"{line}\n" for line in archive_lines(home, [])), encoding="utf-8")
    forget(home, find_memory(home, "L-1"))
    assert not [path for path in memory_folder.rglob("*") if path.is_file() and b"giraffe" in path_text(path)]

    def bring_back(home: Home, *, forgotten_too: bool = False) -> None:
        if format == "lessons":
            import_files(home, [source], project_of={}, forgotten_too=forgotten_too)
        else:
            restore(home, archive, forgotten_too=forgotten_too)

    home.close()
    without_index(home.path)
    bring_back(home)
    with pytest.raises(NotFound):
        find_memory(home, "L-1")
    shutil.copytree(home.path, tmp_path / "clone")
    with Home(tmp_path / "clone") as clone:
        bring_back(clone)
        with pytest.raises(NotFound):
            find_memory(clone, "L-1")
    bring_back(home, forgotten_too=True)
    assert find_memory(home, "L-1").content == "A secret word: giraffe."
    home.close()


def path_text(path: Path) -> bytes:
    return b"" if ".git" in path.parts else path.read_bytes()
