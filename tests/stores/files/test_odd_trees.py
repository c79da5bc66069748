"""What else can lie in a folder, or be wrong with a repository, stops nothing and loses nothing."""

from __future__ import annotations

import os
import shutil
import unicodedata
from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.stores.files.atomic import disk
from hardwon.stores.files.git.pack import MANY
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import Open, file_of, git, index_of

ALL = Filter(statuses=None)


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [kept] = storage.memories.put([memory("Rotate the certificates.", "shop", topics=("ci.deploy",))])
    return kept


def contents(storage: FilesStorage) -> set[str]:
    return {entry.content for entry in storage.memories.scan(ALL)}


def assert_goes_on(storage: FilesStorage, folder: Path) -> None:
    """Require that the next change is made, and the history is whole and says what is on disk."""
    storage.memories.put([memory("Goes on.")])
    assert "Goes on." in contents(storage)
    assert git(folder, "status", "--short") == ""
    assert git(folder, "fsck", "--strict", "--no-dangling") == ""


def test_links_in_a_circle_and_out_of_the_memory_are_not_followed(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_text("Not of the memory.\n", encoding="utf-8")
    shop = memory_folder / "digest" / "shop"
    (shop / "loop").symlink_to(shop)
    (shop / "self.md").symlink_to(shop / "self.md")
    (shop / "outside.md").symlink_to(tmp_path / "outside.md")
    storage = open_store()
    assert contents(storage) == {lesson.content}
    storage.memories.put([memory("Goes on.")])
    assert storage.problems() == []


def test_a_folder_named_like_a_file_is_a_folder(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    entry = memory("Same name.", "shop")
    (memory_folder / "digest" / "shop" / f"same-name-{entry.id}.md").mkdir()
    storage = open_store()
    storage.memories.put([entry])
    assert entry.content in contents(open_store())
    assert_goes_on(storage, memory_folder)


@pytest.mark.parametrize("was", ["a file", "a folder"])
def test_a_file_and_a_folder_may_change_places(open_store: Open, memory_folder: Path, was: str) -> None:
    storage = open_store()
    storage.memories.put([memory("First.", "shop")])
    place = memory_folder / "digest" / "shop" / "note.md"
    one, other = ("One.\n", "Other.\n")
    if was == "a file":
        place.write_text(one, encoding="utf-8")
    else:
        place.mkdir()
        (place / "inside.md").write_text(one, encoding="utf-8")
    storage = open_store()
    storage.memories.put([memory("Second.", "shop")])
    assert one.strip() in contents(storage)
    if was == "a file":
        place.unlink()
        place.mkdir()
        (place / "inside.md").write_text(other, encoding="utf-8")
    else:
        shutil.rmtree(place)
        place.write_text(other, encoding="utf-8")
    storage = open_store()
    assert_goes_on(storage, memory_folder)
    assert other.strip() in contents(storage)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_reported(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    path = file_of(memory_folder, lesson)
    path.write_bytes(path.read_bytes() + b"More.\n")
    path.chmod(0)
    storage = open_store()
    assert contents(storage) == {lesson.content}
    assert "cannot be opened" in storage.problems()[0].what
    storage.memories.put([memory("Goes on.")])
    path.chmod(0o600)
    assert any("More." in content for content in contents(open_store()))


def test_a_huge_attachment_is_left_to_the_person(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    with (memory_folder / "digest" / "shop" / "video.mp4").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    storage = open_store()
    storage.memories.put([memory("Goes on.")])
    assert storage.problems() == []
    assert "video" not in git(memory_folder, "ls-files")


def test_a_memory_that_grew_huge_keeps_what_it_said_and_is_reported(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """It is on disk, so nothing says that it was deleted."""
    path = file_of(memory_folder, lesson)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.truncate(50 * 1024 * 1024)
    storage = open_store()
    assert contents(storage) == {lesson.content}
    storage.memories.put([memory("Goes on.")])
    assert "Delete by hand" not in git(memory_folder, "log", "--format=%s")
    [problem] = storage.problems()
    assert problem.where == str(path) and "16 MB" in problem.what
    path.write_bytes(whole)
    assert open_store().problems() == []


def test_a_memory_too_large_for_a_file_is_refused_with_a_sentence(
    storage: FilesStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LARGEST", 1000)
    with pytest.raises(InvalidInput, match="split"):
        storage.memories.put([memory("x" * 1000)])
    with pytest.raises(InvalidInput, match="split"):
        storage.documents.write("big.md", "x" * 1001)
    assert contents(storage) == set()


NAMES = [
    "two\nlines.md",
    "tab\tand \"quotes\" and 'more'.md",
    "🦀🧑‍🚒 emoji.md",
    "e\u0301 combining.md",
    "-rf.md",
    "$(touch x); `y`.md",
    "trailing space .md",
    "back\\slash.md",
    "über 中文 кириллица.MD",
]


def test_files_may_have_any_name(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    """Each is a note; it is committed, changed, and deleted under the name that it has."""
    folder = memory_folder / "digest" / "shop"
    for number, name in enumerate(NAMES):
        (folder / name).write_text(f"Note {number}.\n", encoding="utf-8")
    storage = open_store()
    assert {f"Note {number}." for number in range(len(NAMES))} <= contents(storage)
    for entry in list(storage.memories.scan(ALL)):
        storage.memories.update(entry.id, {"tags": ("seen",)})
    assert all(entry.tags == ("seen",) for entry in open_store().memories.scan(ALL))
    assert all((folder / name).is_file() for name in NAMES)
    assert_goes_on(open_store(), memory_folder)
    for name in NAMES:
        (folder / name).unlink()
    assert_goes_on(open_store(), memory_folder)


def test_two_names_that_look_alike_are_two_files(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    folder = memory_folder / "digest" / "shop"
    for form in ("NFC", "NFD"):
        (folder / unicodedata.normalize(form, "café.md")).write_text(f"{form}.\n", encoding="utf-8")
    if len(list(folder.glob("caf*"))) < 2:
        pytest.skip("this file system takes both names for one")
    storage = open_store()
    storage.memories.put([memory("Another.")])
    assert {"NFC.", "NFD."} <= contents(open_store())
    assert_goes_on(open_store(), memory_folder)


def test_a_name_in_no_encoding_is_left_to_the_person_also_in_the_history(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, home_path: Path
) -> None:
    name = os.fsencode(memory_folder / "digest" / "shop") + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(name)).write_bytes(b"Latin-1 name.\n")
    except OSError:
        pytest.skip("this file system takes no such name")
    git(memory_folder, "add", ".")
    git(memory_folder, "commit", "-qm", "Mine")
    for _ in range(2):
        storage = open_store()
        assert contents(storage) == {lesson.content}
        storage.close()
        index_of(home_path).unlink()
    assert_goes_on(open_store(), memory_folder)
    assert Path(os.fsdecode(name)).exists()


def test_a_file_replaced_while_it_is_read_is_read_again(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(memory_folder, lesson)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Rotate", "Renew"), encoding="utf-8")
    read = Path.read_bytes

    def slow(self: Path) -> bytes:
        data = read(self)
        if self == path:
            monkeypatch.undo()
            aside = path.with_name("aside.tmp")
            aside.write_text(text.replace("Rotate", "Replace"), encoding="utf-8")
            aside.rename(path)
        return data

    monkeypatch.setattr(Path, "read_bytes", slow)
    open_store().problems()
    storage = open_store()
    assert contents(storage) == {"Replace the certificates."}
    assert_goes_on(storage, memory_folder)


def test_a_detached_head_takes_commits(open_store: Open, memory_folder: Path, lesson: MemoryEntry) -> None:
    git(memory_folder, "checkout", "-q", "--detach")
    assert_goes_on(open_store(), memory_folder)
    assert git(memory_folder, "log", "-1", "--format=%s") == "Remember: Goes on.\n"
    assert git(memory_folder, "branch", "--show-current") == ""


def test_an_empty_branch_that_was_checked_out_takes_commits(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry
) -> None:
    """`git checkout --orphan` keeps the files and knows no commit."""
    git(memory_folder, "checkout", "-q", "--orphan", "fresh")
    storage = open_store()
    assert_goes_on(storage, memory_folder)
    assert lesson.content in contents(storage)


def test_a_memory_whose_history_lies_elsewhere_works(
    open_store: Open, memory_folder: Path, home_path: Path, lesson: MemoryEntry, tmp_path: Path
) -> None:
    """A worktree or submodule: `.git` is a file that says where."""
    shutil.move(memory_folder, tmp_path / "main")
    git(tmp_path / "main", "worktree", "add", "-q", "-b", "device", str(memory_folder))
    storage = open_store()
    storage.memories.put([memory(f"Lesson {number}.", "shop") for number in range(MANY + 1)])
    assert_goes_on(storage, memory_folder)
    assert len(git(memory_folder, "log", "--format=%s").splitlines()) == 4


@pytest.mark.parametrize("setting", ["core.bare=true", "core.ignoreCase=true"])
def test_settings_in_the_repository_itself_stop_nothing(
    open_store: Open, memory_folder: Path, lesson: MemoryEntry, setting: str
) -> None:
    name, _, value = setting.partition("=")
    git(memory_folder, "config", name, value)
    storage = open_store()
    storage.memories.put([memory("Goes on.", "shop")])
    git(memory_folder, "config", "--unset", name)
    assert_goes_on(open_store(), memory_folder)


def test_nobody_at_home_still_has_a_name(
    storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No HOME, no account: the edit is committed all the same."""

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    path = file_of(memory_folder, lesson)
    path.write_text(path.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    storage.memories.update(lesson.id, {"tags": ("tls",)})
    assert "Edit by hand" in git(memory_folder, "log", "--format=%s")
