"""A person edits, renames, moves, copies and deletes files as they like; the memory follows, and loses nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, StoreError
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of, git, index_of

ALL = Filter(statuses=None)


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [kept] = storage.memories.put([memory("Rotate the certificates.", "shop", topics=("ci.deploy",), tags=("tls",))])
    return kept


def test_an_edited_text_is_read_and_found(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    path = file_of(memory_folder, lesson)
    path.write_text(path.read_text(encoding="utf-8").replace("certificates", "giraffes"), encoding="utf-8")
    store = open_store().memories
    assert store.get([lesson.id])[lesson.id].content == "Rotate the giraffes."
    assert [each.id for each in store.search(Query(text="giraffes")).candidates] == [lesson.id]
    assert not store.search(Query(text="certificates")).candidates


def test_an_open_store_never_returns_the_text_from_before_an_edit(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    path.write_text(path.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    assert storage.memories.get([lesson.id])[lesson.id].content == "Renew the certificates."


def test_a_renamed_file_is_the_same_memory(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    path = file_of(memory_folder, lesson)
    path.rename(path.with_name("my own name.md"))
    storage = open_store()
    assert list(storage.memories.scan(ALL)) == [lesson]
    assert storage.problems() == []


def test_moving_a_file_changes_its_home_topic(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    path = file_of(memory_folder, lesson)
    folder = memory_folder / "digest" / "shop" / "security" / "tls"
    folder.mkdir(parents=True)
    path.rename(folder / path.name)
    moved = open_store().memories.get([lesson.id])[lesson.id]
    assert moved.topics == ("security.tls",)
    assert moved.model_copy(update={"topics": lesson.topics}) == lesson


def test_moving_a_file_below_archive_archives_it(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    path = file_of(memory_folder, lesson)
    folder = memory_folder / "archive" / "digest" / "shop" / "ci" / "deploy"
    folder.mkdir(parents=True)
    path.rename(folder / path.name)
    storage = open_store()
    archived = storage.memories.get([lesson.id])[lesson.id]
    assert archived == lesson.model_copy(update={"status": Status.ARCHIVED})
    (folder / path.name).rename(path)
    assert storage.memories.get([lesson.id]) == {lesson.id: lesson}


def test_a_deleted_file_retires_its_memory_and_its_return_restores_it(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    data = path.read_bytes()
    path.unlink()
    storage = open_store()
    retired = storage.memories.get([lesson.id])[lesson.id]
    assert retired.status is Status.ARCHIVED
    assert retired.times.retracted_at is not None
    assert retired.metadata["deleted_by_hand"].endswith(path.name)
    assert list(storage.memories.scan(Filter())) == []
    assert not storage.memories.search(Query(text="certificates")).candidates
    with pytest.raises(Conflict, match="deleted by hand"):
        storage.memories.update(lesson.id, {"content": "x"})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    assert list(open_store().memories.scan(ALL)) == [lesson]


def test_git_restores_what_was_deleted_by_hand_whole_with_its_links(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    storage = open_store()
    rule = memory("Renew before expiry.", kind="rule")
    edge = Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)
    storage.memories.put([rule])
    storage.memories.relate([edge])
    path = file_of(memory_folder, lesson)
    path.unlink()
    storage.memories.put([memory("Something else.")])
    assert "Delete by hand" in git(memory_folder, "log", "--format=%s")
    assert git(memory_folder, "status", "--short") == ""
    git(memory_folder, "checkout", "HEAD~3", "--", path.relative_to(memory_folder).as_posix())
    again = open_store()
    assert again.memories.get([lesson.id]) == {lesson.id: lesson}
    assert again.memories.relations(lesson.id) == [edge]
    assert again.problems() == []


def test_many_vanished_files_are_not_followed_until_asked(open_store: Open, memory_folder: Path) -> None:
    storage = open_store()
    kept = storage.memories.put([memory(f"Lesson {number}.", "shop") for number in range(30)])
    aside = memory_folder.parent / "aside"
    (memory_folder / "digest" / "shop").rename(aside)
    storage = open_store()
    assert len(list(storage.memories.scan(Filter()))) == 30
    [problem] = storage.problems()
    assert "30 files vanished" in problem.what and "--follow-deletions" in problem.what
    storage.memories.put([memory("Another.", "farm")])
    assert "Delete by hand" not in git(memory_folder, "log", "--format=%s")
    aside.rename(memory_folder / "digest" / "shop")
    assert open_store().problems() == []
    shutil.rmtree(memory_folder / "digest" / "shop")
    storage = open_store()
    storage.reindex(follow_deletions=True)
    assert storage.problems() == []
    assert len(list(storage.memories.scan(Filter()))) == 1
    assert len(storage.memories.get([each.id for each in kept])) == 30


def test_vanished_files_are_not_followed_by_a_new_index_either(
    open_store: Open, home_path: Path, memory_folder: Path
) -> None:
    open_store().memories.put([memory(f"Lesson {number}.", "shop") for number in range(30)])
    shutil.rmtree(memory_folder / "digest")
    index_of(home_path).unlink()
    storage = open_store()
    assert len(list(storage.memories.scan(Filter()))) == 30
    assert "vanished" in storage.problems()[0].what


@pytest.mark.parametrize("how", ["missing", "empty", "without history"])
def test_a_memory_that_is_not_there_is_kept_in_the_index_and_never_begun_anew(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, how: str
) -> None:
    aside = memory_folder.parent / "aside"
    if how == "without history":
        (memory_folder / ".git").rename(aside)
    else:
        memory_folder.rename(aside)
        if how == "empty":
            memory_folder.mkdir()
    storage = open_store()
    assert list(storage.memories.scan(Filter())) == [lesson]
    assert "not there" in storage.problems()[0].what
    [note] = storage.memories.search(Query(text="certificates")).notes
    assert "this is what was known" in note
    with pytest.raises(StoreError, match="mount it"):
        storage.memories.put([memory("x")])
    with pytest.raises(StoreError, match="follow-deletions"):
        storage.reindex()
    assert not (memory_folder / ".git").exists()
    assert list(open_store().memories.scan(Filter())) == [lesson]


@pytest.mark.parametrize("how", ["refused", "a file", "a broken link", "a link"])
def test_a_folder_that_cannot_be_looked_into_loses_nothing(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = memory_folder / "digest" / "shop"
    if how == "refused":
        look = os.open

        def refuse(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
            if str(path).rstrip("/") == str(folder):
                raise PermissionError
            return look(path, flags, mode, **more)

        monkeypatch.setattr(os, "open", refuse)
    else:
        aside = folder.rename(memory_folder.parent / "aside")
        if how == "a file":
            folder.write_bytes(b"")
        else:
            folder.symlink_to(aside if how == "a link" else memory_folder.parent / "nowhere")
    storage = open_store()
    assert list(storage.memories.scan(Filter())) == [lesson]
    storage.memories.put([memory("Another.", "farm")])
    assert "Delete by hand" not in git(memory_folder, "log", "--format=%s")


def test_what_editors_and_sync_tools_leave_is_no_memory(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    for name in (f".{path.name}.swp", f"{path.name}~", f".#{path.name}", f"{path.name}.tmp", "x.md.part", ".hidden.md"):
        path.with_name(name).write_bytes(path.read_bytes())
    storage = open_store()
    assert list(storage.memories.scan(ALL)) == [lesson]
    assert storage.problems() == []


def test_an_editor_that_renames_over_makes_one_change(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    aside = path.with_name("new.tmp")
    aside.write_text(path.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    path.rename(path.with_name(path.name + "~"))
    aside.rename(path)
    assert [each.content for each in open_store().memories.scan(ALL)] == ["Renew the certificates."]


def test_an_update_after_an_edit_keeps_both(storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry) -> None:
    path = file_of(memory_folder, lesson)
    edited = path.read_text(encoding="utf-8").replace("tags: [tls]", "tags:\n- tls # mine\nmood: 1.10 # keep")
    path.write_text(edited, encoding="utf-8")
    new = storage.memories.update(lesson.id, {"content": "New text."})
    assert new.metadata == {"mood": "1.10"}
    text = path.read_text(encoding="utf-8")
    assert text == edited.replace("Rotate the certificates.", "New text.")
    log = git(memory_folder, "log", "--format=%an|%s")
    assert log.splitlines()[1].endswith(f"|Edit by hand: {path.name}")
    assert not log.splitlines()[1].startswith("hardwon|")


def test_an_update_that_expects_what_was_before_an_edit_is_a_conflict(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    path.write_text(path.read_text(encoding="utf-8") + "A line more.\n", encoding="utf-8")
    with pytest.raises(Conflict):
        storage.memories.update(lesson.id, {"content": "Stale."}, expected_revision=lesson.revision)
    assert path.read_text(encoding="utf-8").endswith("A line more.\n")


def test_a_save_between_reading_and_writing_is_never_overwritten(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    with pytest.raises(Conflict, match="meanwhile"), storage.operation("Change"):
        storage.memories.update(lesson.id, {"content": "Ours."})
        path.write_text(path.read_text(encoding="utf-8") + "Saved by an editor.\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").endswith("Saved by an editor.\n")
    assert storage.memories.get([lesson.id])[lesson.id].content.endswith("Saved by an editor.")
