"""A process that is killed at any moment, or a disk that is full, loses nothing that was acknowledged."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hardwon.kernel import whole_file
from hardwon.kernel.errors import StoreError
from hardwon.kernel.query import Filter
from hardwon.stores.files import publishing
from hardwon.stores.files.git import git_index
from hardwon.stores.files.git.repository import Repository
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import Open, git

WRITER = """
import sys
from pathlib import Path
from hardwon.kernel.home import Home
from hardwon.testing.examples import memory
home = Home(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(10_000):
    kept = home.storage.memories.put([memory(f"{sys.argv[2]} {number}.", "shop", topics=("ci",))])
    home.storage.memories.update(kept[0].id, {"confidence": 0.75})
    print(kept[0].id, flush=True)
"""


def writer(home: Path, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(home), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def assert_whole(storage: FilesStorage, folder: Path) -> None:
    """Nothing is odd, nothing is left over, and the history is what is on disk, all of it ours."""
    assert storage.problems() == []
    assert not list(folder.rglob(f"{whole_file.ASIDE}*"))
    assert git(folder, "status", "--short") == ""
    assert "by hand" not in git(folder, "log", "--format=%s")
    assert git(folder, "fsck", "--strict", "--no-dangling") == ""


def test_kill_at_random_moments_loses_nothing_acknowledged(
    open_store: Open, home_path: Path, memory_folder: Path
) -> None:
    moments = random.Random(7)
    acknowledged: list[str] = []
    for round_number in range(8):
        process = writer(home_path, f"Round {round_number}")
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        if round_number % 2:  # every other round in the midst of writing, also on a slow machine
            acknowledged += process.stdout.readline().split()
        time.sleep(moments.uniform(0.0, 0.5))
        process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.read().split()
        process.wait()
        process.stdout.close()
    storage = open_store()
    found = storage.memories.get(acknowledged)
    assert len(found) == len(acknowledged) > 0
    assert all(entry.confidence == 0.75 for entry in found.values())
    storage.memories.put([memory("After.")])
    assert_whole(storage, memory_folder)
    before = sorted(entry.model_dump_json() for entry in storage.memories.scan(Filter(statuses=None)))
    storage.reindex()
    assert sorted(entry.model_dump_json() for entry in storage.memories.scan(Filter(statuses=None))) == before


class Killed(BaseException):
    """What a test raises where a process would be killed; no code of ours catches it to tidy up."""


STEPS = [
    (publishing, "write_intent"),
    (publishing, "write_expected"),
    (Repository, "move_branch"),
    (publishing, "_know_files"),
    (git_index, "follow"),
    (publishing, "clear_intent"),
]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("owner", "name"), STEPS, ids=[name for _, name in STEPS])
def test_a_change_cut_off_between_any_two_steps_is_whole_or_not_there(
    open_store: Open,
    memory_folder: Path,
    home_path: Path,
    owner: object,
    name: str,
    when: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    storage = open_store()
    first = memory("First.", "shop")
    storage.memories.put([first])
    original = getattr(owner, name)

    def cut_off(*arguments: object, **options: object) -> object:
        if when == "after":
            original(*arguments, **options)
        raise Killed

    second = memory("Second.", "shop")
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(owner, name, cut_off)
        with storage.operation("Cut off"):
            storage.memories.put([second])
            storage.memories.update(first.id, {"content": "Changed."})
    again = open_store()
    again.memories.put([memory("Third.")])
    found = {entry.content for entry in again.memories.scan(Filter())}
    began = (home_path / "intent.json").exists() or (name, when) != ("write_intent", "before")
    assert found == ({"Changed.", "Second.", "Third."} if began else {"First.", "Third."})
    assert_whole(again, memory_folder)
    assert not (home_path / "intent.json").exists()


def test_a_persons_edit_of_a_half_written_change_stays(
    open_store: Open, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = open_store()
    [entry] = storage.memories.put([memory("First.", "shop")])
    [path] = memory_folder.rglob(f"*{entry.id}.md")

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(publishing, "write_expected", killed)
        storage.memories.update(entry.id, {"content": "Ours."})
    path.write_text(path.read_text(encoding="utf-8").replace("First.", "Theirs."), encoding="utf-8")
    again = open_store()
    again.memories.put([memory("Next.")])
    assert again.memories.get([entry.id])[entry.id].content == "Theirs."
    assert [line for line in git(memory_folder, "log", "--format=%s").splitlines() if "by hand" in line]
    assert "Ours." in git(memory_folder, "log", "-p")


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_full_disk_is_an_error_and_changes_nothing(
    open_store: Open, memory_folder: Path, fails_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = open_store()
    first = memory("First.", "shop")
    storage.memories.put([first])
    before = {path: path.read_bytes() for path in memory_folder.rglob("*.md")}
    calls = 0
    write = whole_file._write_all

    def full(descriptor: int, data: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls == fails_at + 1:  # the first is the intent
            raise OSError(28, "No space left on device")
        write(descriptor, data)

    with monkeypatch.context() as patch, pytest.raises(StoreError, match="No space left"):
        patch.setattr(whole_file, "_write_all", full)
        with storage.operation("Too much"):
            storage.memories.put([memory("Second.", "shop")])
            storage.memories.update(first.id, {"content": "Changed."})
    assert {path: path.read_bytes() for path in memory_folder.rglob("*.md")} == before
    assert list(storage.memories.scan(Filter())) == [first]
    storage.memories.put([memory("Third.")])
    assert_whole(storage, memory_folder)


def test_what_a_person_says_is_on_disk_before_it_has_its_name(
    storage: FilesStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fsync of the file, its name, fsync of the folder."""
    events: list[str] = []
    sync, link = os.fsync, os.link

    def fsync(descriptor: int) -> None:
        events.append("sync")
        sync(descriptor)

    def name(path: Path, target: Path) -> None:
        events.append(target.suffix)
        link(path, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "link", name)
    storage.memories.put([memory("Mine.")])
    assert events[events.index(".md") - 1 : events.index(".md") + 2] == ["sync", ".md", "sync"]


def test_a_repository_whose_making_was_cut_off_is_made(open_store: Open, memory_folder: Path) -> None:
    """Git writes HEAD last: until then there is none, for who looks on as for who comes after a kill."""
    (memory_folder / ".git" / "objects").mkdir(parents=True)
    storage = open_store()
    assert storage.problems() == []
    assert not list(storage.memories.scan(Filter()))
    storage.memories.put([memory("One.", "shop")])
    assert_whole(storage, memory_folder)


@pytest.mark.parametrize("name", ["_know_files", "_follow"])
def test_what_was_being_forgotten_is_not_taken_for_deleted_by_hand(
    open_store: Open, memory_folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed once the file is gone, before the index knows: it is forgotten, and not kept as a retired memory."""
    storage = open_store()
    gone, stays, moves = storage.memories.put([memory(text, topics=("a",)) for text in ("Gone.", "Stays.", "Moves.")])
    storage.close()
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(publishing, name, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        opened = open_store()
        with opened.operation("Forget one and move another"):
            opened.memories.delete([gone.id])
            opened.memories.update(moves.id, {"topics": ("b",)})
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    storage = open_store()
    moved = moves.model_copy(update={"topics": ("b",)})
    assert list(storage.memories.scan(Filter(statuses=None))) == sorted([stays, moved], key=lambda each: each.id)
    assert not (memory_folder / "deleted-by-hand.jsonl").exists()
    storage.memories.put([memory("Next.")])
    assert_whole(storage, memory_folder)


def test_what_is_true_already_is_no_error(
    open_store: Open, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full once the change is in files and history: it is acknowledged, and the rest is made up for."""

    def full(*_: object) -> bool:
        raise StoreError("No space left on device.")

    storage = open_store()
    first = memory("First.")
    storage.memories.put([first])
    with monkeypatch.context() as patch:
        patch.setattr(git_index, "follow", full)
        second = memory("Second.")
        assert storage.memories.put([second]) == [second]
    with monkeypatch.context() as patch:
        patch.setattr(git_index, "follow", full)
        assert set(open_store().memories.get([first.id, second.id])) == {first.id, second.id}
    storage.memories.put([memory("Third.")])
    assert_whole(storage, memory_folder)


def test_a_history_that_cannot_be_written_is_an_error_in_our_words(
    storage: FilesStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever git or the system says: a sentence, and nothing is written."""
    import pygit2

    storage.memories.put([memory("First.")])
    for error in (pygit2.GitError("failed to write out file"), OSError("No space left on device")):

        def refuse(*_: object, error: Exception = error) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr("hardwon.stores.files.git.repository.changed_tree", refuse)
            with pytest.raises(StoreError, match="make room"):
                storage.memories.put([memory("Second.")])
        assert len(list(storage.memories.scan(Filter()))) == 1


@pytest.mark.parametrize("lock", ["config.lock", "HEAD.lock"])
def test_a_kill_while_the_history_is_made_locks_nobody_out(open_store: Open, memory_folder: Path, lock: str) -> None:
    """There is no HEAD yet, and a lock that nobody has open."""
    (memory_folder / ".git").mkdir(parents=True)
    (memory_folder / ".git" / lock).touch()
    kept = open_store().memories.put([memory("First.")])[0]
    assert open_store().memories.get([kept.id])
    assert git(memory_folder, "status", "--short") == ""
