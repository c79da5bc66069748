"""While a store stays open, a person edits: their words are theirs in the history before ours touch the same file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.atomic.lock import WritersLock
from hardwon.stores.files.storage import FilesStorage
from hardwon.stores.files.taking_in import freshness
from hardwon.stores.files.taking_in.freshness import Freshness
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of, git


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [kept] = storage.memories.put([memory("Rotate the certificates.", "shop", topics=("ci.deploy",))])
    return kept


@pytest.fixture
def not_due(storage: FilesStorage, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no look at all files be due any more: what is seen now is seen without one."""
    monkeypatch.setattr(Freshness, "_is_due", lambda _: False)


def edit(path: Path, old: str = "Rotate", new: str = "Renew") -> None:
    """Edit in place, as many editors do."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def subjects(folder: Path) -> list[str]:
    return git(folder, "log", "--format=%an: %s").splitlines()


def test_an_update_keeps_an_edit_of_the_same_file(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None
) -> None:
    path = file_of(memory_folder, lesson)
    edit(path)
    new = storage.memories.update(lesson.id, {"tags": ("tls",)})
    assert (new.content, new.tags) == ("Renew the certificates.", ("tls",))
    ours, theirs, *_ = subjects(memory_folder)
    assert ours.startswith("hardwon: ")
    assert not theirs.startswith("hardwon: ") and theirs.endswith(f": Edit by hand: {path.name}")
    assert git(memory_folder, "status", "--short") == ""


@pytest.mark.parametrize("changes", [{"tags": ("tls",)}, {"content": "Ours."}])
def test_an_edit_that_left_size_and_time_as_they_were_is_not_written_over(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, changes: dict[str, Any]
) -> None:
    """As of a program that gives a file its old time back: no look sees it, but whoever writes there does."""
    path = file_of(memory_folder, lesson)
    os.utime(path, (MOMENT.timestamp(),) * 2)
    assert storage.memories.get([lesson.id])
    edit(path, "Rotate", "Switch")
    os.utime(path, (MOMENT.timestamp(),) * 2)
    storage.memories.update(lesson.id, changes)
    _, theirs, *_ = subjects(memory_folder)
    assert theirs.endswith(f": Edit by hand: {path.name}")
    former = "Switch the certificates."
    assert former in [each.entry.content for each in storage.memories.versions([lesson.id])]


@pytest.mark.parametrize("end", ["source", "target"])
def test_a_link_keeps_an_edit_of_either_file(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None, end: str
) -> None:
    [other] = storage.memories.put([memory("Another.", "shop")])
    edit(file_of(memory_folder, lesson))
    source, target = (lesson, other) if end == "source" else (other, lesson)
    relation = Relation(source=source.id, kind=RelationKind.SUPERSEDES, target=target.id, asserted_at=MOMENT)
    storage.memories.relate([relation])
    assert storage.memories.get([lesson.id])[lesson.id].content == "Renew the certificates."
    assert "Edit by hand" in subjects(memory_folder)[1]
    edit(file_of(memory_folder, lesson), "Renew", "Replace")
    storage.memories.unrelate([relation], MOMENT)
    assert "Replace the" in file_of(memory_folder, lesson).read_text(encoding="utf-8")
    assert "Edit by hand" in subjects(memory_folder)[1]


def test_a_forgotten_neighbour_takes_no_edit_with_it(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None
) -> None:
    """An edge that a person wrote into the file a moment ago stays when another edge of it goes."""
    first, second = storage.memories.put([memory("First.", "shop"), memory("Second.", "shop")])
    storage.memories.relate(
        [Relation(source=lesson.id, kind=RelationKind.SUPERSEDES, target=first.id, asserted_at=MOMENT)]
    )
    path = file_of(memory_folder, lesson)
    old = [line for line in path.read_text(encoding="utf-8").splitlines() if first.id in line and "kind" in line]
    assert len(old) == 1
    edit(path, old[0], old[0] + "\n" + old[0].replace(first.id, second.id))
    storage.memories.delete([first.id])
    assert [each.target for each in storage.memories.relations(lesson.id)] == [second.id]


def test_a_forgotten_memory_leaves_its_last_edit_in_the_history(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None
) -> None:
    path = file_of(memory_folder, lesson)
    edit(path)
    storage.memories.delete([lesson.id])
    assert not path.exists()
    assert "Edit by hand" in subjects(memory_folder)[1]


@pytest.mark.parametrize("name", ["index.md", "review-queue/p1.md"])
def test_a_document_or_generated_file_is_committed_as_edited_before_it_is_written_over(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None, name: str
) -> None:
    storage.documents.write("review-queue/p1.md", "One.\n")
    path = memory_folder / name
    path.write_text("My own words.\n", encoding="utf-8")
    storage.documents.write("review-queue/p1.md", "Two.\n")
    storage.memories.put([memory("Another.", "farm")])
    assert "My own words." not in path.read_text(encoding="utf-8")
    assert any("Edit by hand" in each for each in subjects(memory_folder))
    assert "My own words." in git(memory_folder, "log", "-p")


def test_an_operation_that_fails_leaves_the_edit_committed_and_the_index_true(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None
) -> None:
    edit(file_of(memory_folder, lesson))
    with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
        storage.memories.update(lesson.id, {"tags": ("tls",)})
        raise ZeroDivisionError
    storage.memories.put([memory("Next.")])
    entry = storage.memories.get([lesson.id])[lesson.id]
    assert (entry.content, entry.tags) == ("Renew the certificates.", ())
    assert [each.rpartition(": ")[0].rpartition(": ")[2] for each in subjects(memory_folder)][1] == "Edit by hand"
    assert storage.problems() == []
    assert git(memory_folder, "status", "--short") == ""


def test_a_write_elsewhere_sees_files_that_came_went_or_have_another_name(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, not_due: None
) -> None:
    [gone] = storage.memories.put([memory("Gone.", "farm")])
    path = file_of(memory_folder, lesson)
    path.rename(path.with_name("renamed.md"))
    file_of(memory_folder, gone).unlink()
    (memory_folder / "digest" / "shop" / "a note.md").write_text("A note of mine.\n", encoding="utf-8")
    storage.memories.put([memory("Another.", "shop")])
    assert {each.content for each in storage.memories.scan(Filter())} == {
        "Rotate the certificates.",
        "A note of mine.",
        "Another.",
    }
    assert git(memory_folder, "status", "--short") == ""


def test_an_edit_of_another_file_is_taken_in_by_the_next_command(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, not_due: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(file_of(memory_folder, lesson))
    monkeypatch.undo()
    again = open_store()
    assert again.memories.get([lesson.id])[lesson.id].content == "Renew the certificates."
    again.memories.put([memory("Another.")])
    assert "Edit by hand" in subjects(memory_folder)[1]


def test_an_edit_that_a_busy_reader_left_is_taken_in_by_the_next_write(
    storage: FilesStorage, home_path: Path, memory_folder: Path, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(file_of(memory_folder, lesson))
    monkeypatch.setattr(freshness, "PATIENCE", 0.01)
    monkeypatch.setattr(Freshness, "_is_due", lambda _: True)
    with WritersLock(home_path / "lock").held():
        assert [each.content for each in storage.memories.scan(Filter())] == [lesson.content]
    monkeypatch.setattr(Freshness, "_is_due", lambda _: False)
    storage.memories.put([memory("Another.", "farm")])
    assert "Edit by hand" in subjects(memory_folder)[1]


@pytest.mark.parametrize("name", ["notes.tmp", "notes.md~", "folder/notes.bak"])
def test_a_document_is_never_named_like_what_an_editor_leaves(storage: FilesStorage, name: str) -> None:
    """Such files are not looked at, so a document would be lost from the history at the next look."""
    with pytest.raises(InvalidInput):
        storage.documents.write(name, "text")
