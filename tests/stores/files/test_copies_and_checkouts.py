"""Copies of files, and what git does to them: no id is ever held twice, and every checkout is taken in."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import Open, file_of, git

ALL = Filter(statuses=None)


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [kept] = storage.memories.put([memory("Rotate the certificates.", "shop", topics=("ci.deploy",), tags=("tls",))])
    return kept


def test_a_copy_is_reported_and_the_known_file_keeps_the_id(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    copy = path.with_name("a copy (1).md")
    copy.write_text(path.read_text(encoding="utf-8").replace("Rotate", "Copy"), encoding="utf-8")
    storage = open_store()
    assert list(storage.memories.scan(ALL)) == [lesson]
    [problem] = storage.problems()
    assert copy.name in problem.where and path.name in problem.what
    storage.reindex()
    assert list(storage.memories.scan(ALL)) == [lesson]
    path.unlink()
    assert open_store().memories.get([lesson.id])[lesson.id].content == "Copy the certificates."


def test_a_copy_whose_id_is_taken_out_becomes_a_memory_of_its_own(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    copy = path.with_name("copy.md")
    copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert len(open_store().problems()) == 1
    lines = copy.read_text(encoding="utf-8").splitlines(keepends=True)
    copy.write_text("".join(line for line in lines if not line.startswith("id:")), encoding="utf-8")
    storage = open_store()
    assert storage.problems() == []
    assert len(list(storage.memories.scan(ALL))) == 2


def test_a_new_index_lets_the_original_keep_its_id_although_the_copy_is_first_by_name(
    open_store: Open, home_path: Path, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """Both are in the history by then."""
    path = file_of(memory_folder, lesson)
    path.with_name("a copy.md").write_bytes(path.read_bytes())
    path.write_text(path.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    open_store().memories.put([memory("Another.")])
    before = {each.content for each in open_store().memories.scan(ALL)}
    for index in home_path.glob("index-*"):
        index.unlink()
    storage = open_store()
    assert {each.content for each in storage.memories.scan(ALL)} == before
    [problem] = storage.problems()
    assert problem.where.endswith("a copy.md")


def test_a_moved_original_keeps_its_id_although_a_copy_stands_in_the_history(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    path = file_of(memory_folder, lesson)
    path.with_name("a copy.md").write_bytes(path.read_bytes())
    open_store().memories.put([memory("Another.")])
    (memory_folder / "digest" / "shop" / "security").mkdir(parents=True)
    path.rename(memory_folder / "digest" / "shop" / "security" / path.name)
    storage = open_store()
    assert storage.memories.get([lesson.id])[lesson.id].topics == ("security",)
    [problem] = storage.problems()
    assert problem.where.endswith("a copy.md")


def test_git_pull_is_taken_in(open_store: Open, memory_folder: Path, tmp_path: Path, lesson: MemoryEntry) -> None:
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(memory_folder), str(other))
    theirs = file_of(other, lesson)
    theirs.write_text(theirs.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    git(other, "commit", "-qam", "Renew")
    git(memory_folder, "pull", "-q", str(other), "main")
    storage = open_store()
    assert [each.content for each in storage.memories.scan(ALL)] == ["Renew the certificates."]
    storage.memories.put([memory("After the pull.")])
    assert "Edit by hand" not in git(memory_folder, "log", "--format=%s")
    assert git(memory_folder, "status", "--short") == ""


def test_git_reset_is_taken_in(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    storage = open_store()
    [later] = storage.memories.put([memory("Later.")])
    storage.close()
    git(memory_folder, "reset", "-q", "--hard", "HEAD~1")
    storage = open_store()
    assert list(storage.memories.scan(Filter())) == [lesson]
    assert storage.memories.get([later.id])[later.id].status is Status.ARCHIVED
    assert storage.problems() == []
