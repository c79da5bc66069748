"""A branch or HEAD that a power cut emptied stops no reading; the next write mends it, and never begins anew."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreError
from hardwon.kernel.query import Filter, Query
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import Open, git

JUNK = {"empty": b"", "zeros": b"\0" * 41, "junk": b"\xff junk\n", "half": b"1234567"}
FILES = ("HEAD", "refs/heads/main")


@pytest.fixture
def last(storage: FilesStorage, memory_folder: Path) -> str:
    """Keep two lessons; return the last commit."""
    storage.memories.put([memory("Rotate the certificates.", "shop")])
    storage.memories.put([memory("Feed the giraffe.", "zoo")])
    storage.close()
    return git(memory_folder, "rev-parse", "HEAD").strip()


def spoil(folder: Path, name: str, data: bytes | None) -> None:
    path = folder / ".git" / name
    path.unlink() if data is None else path.write_bytes(data)


def found(storage: FilesStorage) -> int:
    return len(storage.memories.search(Query(text="giraffe")).candidates)


def assert_whole(folder: Path, last: str, commits: int) -> None:
    assert git(folder, "status", "--short") == ""
    assert git(folder, "fsck", "--strict", "--no-dangling") == ""
    assert len(git(folder, "log", "--format=%s").splitlines()) == commits
    assert git(folder, "merge-base", "HEAD", last).strip() == last


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("data", JUNK.values(), ids=JUNK.keys())
def test_reading_goes_on_and_the_next_write_mends(
    open_store: Open, memory_folder: Path, last: str, name: str, data: bytes
) -> None:
    spoil(memory_folder, name, data)
    storage = open_store()
    assert len(list(storage.memories.scan(Filter()))) == 2 and found(storage) == 1
    [problem] = storage.problems()
    assert problem.where.endswith(name)
    storage.memories.put([memory("Goes on.")])
    assert storage.problems() == []
    assert_whole(memory_folder, last, 4)


def test_both_at_once_and_a_branch_that_is_gone_are_mended(open_store: Open, memory_folder: Path, last: str) -> None:
    spoil(memory_folder, "HEAD", b"")
    spoil(memory_folder, "refs/heads/main", None)
    open_store().memories.put([memory("Goes on.")])
    assert_whole(memory_folder, last, 4)


def test_the_branch_that_was_checked_out_is_found_again(open_store: Open, memory_folder: Path, last: str) -> None:
    git(memory_folder, "checkout", "-q", "-b", "device")
    spoil(memory_folder, "HEAD", b"")
    open_store().memories.put([memory("Goes on.")])
    assert git(memory_folder, "branch", "--show-current").strip() == "device"
    assert_whole(memory_folder, last, 4)


@pytest.mark.parametrize("lost", ["log", "index"])
def test_one_memory_of_the_last_commit_is_enough(
    open_store: Open, memory_folder: Path, home_path: Path, last: str, lost: str
) -> None:
    """The index knows it, and so does git's log of the branch."""
    spoil(memory_folder, "refs/heads/main", b"")
    if lost == "log":
        shutil.rmtree(memory_folder / ".git" / "logs")
    else:
        for path in home_path.glob("index-*"):
            path.unlink()
    storage = open_store()
    assert found(storage) == 1
    storage.memories.put([memory("Goes on.")])
    assert_whole(memory_folder, last, 4)


def test_reindex_mends_as_well(open_store: Open, memory_folder: Path, last: str) -> None:
    spoil(memory_folder, "refs/heads/main", b"")
    storage = open_store()
    storage.reindex()
    assert storage.problems() == []
    assert_whole(memory_folder, last, 3)


def test_a_commit_that_nobody_remembers_is_asked_for_and_nothing_begun_anew(
    open_store: Open, memory_folder: Path, home_path: Path, last: str
) -> None:
    branch = memory_folder / ".git" / "refs" / "heads" / "main"
    branch.write_bytes(b"")
    shutil.rmtree(memory_folder / ".git" / "logs")
    for path in home_path.glob("index-*"):
        path.unlink()
    storage = open_store()
    assert found(storage) == 1
    with pytest.raises(StoreError, match=re.escape("git fsck --lost-found")):
        storage.memories.put([memory("Goes on.")])
    assert branch.read_bytes() == b""
    assert found(storage) == 1
    branch.write_text(last, encoding="ascii")
    storage.memories.put([memory("Goes on.")])
    assert_whole(memory_folder, last, 4)


def test_a_store_that_is_open_mends_too(open_store: Open, memory_folder: Path, last: str) -> None:
    storage = open_store()
    storage.memories.put([memory("One more.")])
    spoil(memory_folder, "refs/heads/main", b"")
    assert found(storage) == 1
    storage.memories.put([memory("Goes on.")])
    assert_whole(memory_folder, last, 5)
