"""Copies in conflict, placeholders and junk of sync tools and editors: one note is one memory, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter
from hardwon.stores.files.notes.copies import is_conflict_copy, is_unfinished
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import Open, file_of, git, index_of

ALL = Filter(statuses=None)
COPIES = {
    "Syncthing": "{}.sync-conflict-20260316-101112-ABCDEF7.md",
    "Dropbox": "{} (Anna's conflicted copy 2026-03-16).md",
    "Dropbox, Chinese": "{} (安娜 的冲突副本 2026-03-16).md",
    "Nextcloud": "{} (conflicted copy 2026-03-16 101112).md",
    "ownCloud": "{}_conflict-20260316-101112.md",
    "Obsidian Sync": "{} (Conflicted copy laptop 202603161011).md",
    "Seafile": "{} (SFConflict anna@example.org 2026-03-16-10-11-12).md",
}
"""How sync tools name the version that lost, by tool."""


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [entry] = storage.memories.put([memory("Rotate the certificates.", "farm", topics=("tls",))])
    storage.close()
    return entry


def problems(storage: FilesStorage) -> dict[str, str]:
    """Return what is wrong, by the name of the file."""
    return {Path(each.where.partition(":")[0]).name: each.what for each in storage.problems()}


def test_a_copy_in_conflict_is_told_and_its_original_stays_the_memory(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """Also when the index is built anew and when it is committed as the person's: the copy is theirs to settle."""
    original = file_of(memory_folder, lesson)
    copies = [original.with_name(pattern.format(original.stem)) for pattern in COPIES.values()]
    for copy in copies:
        copy.write_text(original.read_text(encoding="utf-8").replace("Rotate", f"Renew {copy.name}"), encoding="utf-8")
    before = [copy.read_bytes() for copy in copies]
    storage = open_store()
    assert [each.content for each in storage.memories.scan(ALL)] == ["Rotate the certificates."]
    told = problems(storage)
    assert all("copy in conflict" in told[copy.name] for copy in copies)
    storage.memories.put([memory("Another.", "farm")])
    storage.reindex()
    assert storage.memories.get([lesson.id])[lesson.id].content == "Rotate the certificates."
    assert problems(storage) == told
    assert [copy.read_bytes() for copy in copies] == before
    assert [git(memory_folder, "show", f"HEAD:{copy.relative_to(memory_folder)}").encode() for copy in copies] == before


def test_a_persons_own_name_wins_over_every_copy_whatever_comes_first_by_name(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, home_path: Path
) -> None:
    """A new index knows no path yet, and ` (` comes before `.` in the alphabet."""
    original = file_of(memory_folder, lesson)
    renamed = original.rename(original.with_name("certificates.md"))
    for pattern in COPIES.values():
        copy = renamed.with_name(pattern.format("certificates"))
        copy.write_text(renamed.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    index_of(home_path).unlink()
    storage = open_store()
    assert [each.content for each in storage.memories.scan(ALL)] == ["Rotate the certificates."]
    assert len(problems(storage)) == len(COPIES)


def test_a_copy_that_alone_is_left_is_the_memory(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    """One device deleted the note while another changed it: what is left of it is not thrown away."""
    original = file_of(memory_folder, lesson)
    copy = original.with_name(COPIES["Syncthing"].format(original.stem))
    copy.write_text(original.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    original.unlink()
    storage = open_store()
    kept = storage.memories.get([lesson.id])[lesson.id]
    assert (kept.content, kept.status) == ("Renew the certificates.", Status.ACTIVE)


def test_a_copy_of_a_note_without_id_is_no_second_memory(open_store: Open, memory_folder: Path) -> None:
    """It is adopted as soon as somebody gives it a name of its own."""
    folder = memory_folder / "digest" / "farm"
    folder.mkdir(parents=True)
    (folder / "note.md").write_text("Water the seedlings.\n", encoding="utf-8")
    copy = folder / COPIES["Nextcloud"].format("note")
    copy.write_text("Water the seedlings at noon.\n", encoding="utf-8")
    storage = open_store()
    storage.memories.put([memory("Another.", "farm")])
    assert {each.content for each in storage.memories.scan(ALL)} == {"Water the seedlings.", "Another."}
    assert "copy in conflict" in problems(storage)[copy.name]
    assert copy.read_text(encoding="utf-8") == "Water the seedlings at noon.\n"
    copy.rename(folder / "noon.md")
    storage = open_store()
    assert "Water the seedlings at noon." in {each.content for each in storage.memories.scan(ALL)}
    assert problems(storage) == {}


def test_a_placeholder_of_icloud_is_no_deletion(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, home_path: Path
) -> None:
    """The content is elsewhere until somebody opens the file: the memory stays, and what would change it is refused."""
    path = file_of(memory_folder, lesson)
    content = path.read_bytes()
    path.unlink()
    path.with_name(f".{path.name}.icloud").write_bytes(b"bplist00")
    storage = open_store()
    assert storage.memories.get([lesson.id]) == {lesson.id: lesson}
    with pytest.raises(HardwonError):
        storage.memories.update(lesson.id, {"content": "Changed while it was away."})
    storage.memories.put([memory("Another.", "farm")])
    assert "Delete by hand" not in git(memory_folder, "log", "--format=%s")
    path.with_name(f".{path.name}.icloud").unlink()
    path.write_bytes(content)
    assert storage.memories.get([lesson.id]) == {lesson.id: lesson}


JUNK = (
    "note.md~", "note.md.swp", "note.md.tmp", "note.md.part", "note.md.partial", "note.md.bak", "note.md.!sync",
    ".#note.md", "#note.md#", "~$note.md", ".~note.md", "._note.md", ".syncthing.note.md.tmp", "NOTE.MD.TMP",
    "~syncthing~note.md.tmp", ".note.md.icloud", "note.md.crdownload", ".note.md.swp",
)  # fmt: skip


def test_what_editors_and_sync_tools_leave_is_not_looked_at(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """It is neither a memory nor committed."""
    path = file_of(memory_folder, lesson)
    for name in JUNK:
        assert is_unfinished(name)
        path.with_name(name).write_bytes(path.read_bytes())
    storage = open_store()
    assert [each.id for each in storage.memories.scan(ALL)] == [lesson.id]
    assert problems(storage) == {}
    storage.memories.put([memory("Another.", "farm")])
    kept = git(memory_folder, "ls-files")
    assert [name for name in JUNK if name in kept] == []


@pytest.mark.parametrize(
    "name",
    ["note.md", "conflict.md", "sync-conflict.md", "note 2.md", "On conflicted copies.md", "~ideas.md", "#1 rule.md",
     "copy (1).md", "冲突副本.md"],
)  # fmt: skip
def test_a_name_that_only_speaks_of_conflicts_is_a_note_like_others(name: str) -> None:
    assert not is_conflict_copy(name)
    assert not is_unfinished(name)
