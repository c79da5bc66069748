"""What a writer need not wait for is done in the background, once, and nothing is lost however it ends."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel import background
from hardwon.kernel.background import OFF_VARIABLE
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.stores.files import upkeep
from hardwon.stores.files.git import git_index, packing
from hardwon.stores.files.git.repository import Repository
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import Open, git

UPKEEP = """
import sys
from hardwon.stores.files import upkeep
from hardwon.stores.files.git import packing
packing.MANY_LOOSE = 0
upkeep.main(sys.argv[1])
"""
SECONDS_TO_WAIT = 30.0


def until(is_so: Callable[[], bool]) -> float:
    """Wait until something is so; return how many seconds it took."""
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() - begun < SECONDS_TO_WAIT
        time.sleep(0.01)
    return time.monotonic() - begun


def objects(folder: Path) -> set[str]:
    """Return the names of all objects, referred to or not, each read and checked by git."""
    listed = git(folder, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    assert git(folder, "fsck", "--strict", "--no-dangling") == ""
    return set(listed.split())


def loose(folder: Path) -> list[Path]:
    return [path for path in (folder / ".git" / "objects").glob("??/*") if len(path.name) == 38]


def packs(folder: Path) -> list[Path]:
    return list((folder / ".git" / "objects" / "pack").glob("*.pack"))


def write_some(storage: FilesStorage, count: int, name: str = "Lesson") -> list[MemoryEntry]:
    return [storage.memories.put([memory(f"{name} {number}.", "shop", topics=("ci",))])[0] for number in range(count)]


def test_packing_keeps_every_object_also_those_that_nothing_refers_to(
    storage: FilesStorage, memory_folder: Path
) -> None:
    write_some(storage, 10)
    repository = Repository(memory_folder)
    orphan = repository.keep(b"referred to by nothing")
    before = objects(memory_folder)
    gone = packing.pack_loose(repository)
    assert gone == len(before) and orphan in before
    assert not loose(memory_folder)
    assert objects(memory_folder) == before
    write_some(storage, 3, "After")
    assert storage.problems() == []


def test_an_open_store_finds_what_was_packed_meanwhile(storage: FilesStorage, memory_folder: Path) -> None:
    [entry] = write_some(storage, 1)
    packing.pack_loose(Repository(memory_folder))
    assert storage.memories.update(entry.id, {"content": "Changed."}).content == "Changed."
    assert "Lesson 0." in git(memory_folder, "log", "-p")


def test_many_packs_become_one(storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MANY_PACKS", 3)
    repository = Repository(memory_folder)
    for number in range(4):
        write_some(storage, 2, f"Pack {number}")
        packing.pack_loose(repository)
    assert len(packs(memory_folder)) == 4
    assert packing.is_due(memory_folder / ".git")
    before = objects(memory_folder)
    packing.pack_loose(repository)
    assert len(packs(memory_folder)) == 1
    assert objects(memory_folder) == before
    write_some(storage, 2, "After")


def test_a_kept_pack_stays(storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git's own sign for it: a `.keep` beside it."""
    monkeypatch.setattr(packing, "MANY_PACKS", 0)
    write_some(storage, 2)
    packing.pack_loose(Repository(memory_folder))
    [kept] = packs(memory_folder)
    kept.with_suffix(".keep").touch()
    write_some(storage, 2, "More")
    packing.pack_loose(Repository(memory_folder))
    assert kept in packs(memory_folder)


@pytest.mark.parametrize("at", ["the pack is written", "a file goes"])
def test_packing_cut_off_loses_nothing(
    storage: FilesStorage, memory_folder: Path, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_some(storage, 5)
    before = objects(memory_folder)
    unlink, left = Path.unlink, 3

    def cut_off(path: Path, missing_ok: bool = False) -> None:
        nonlocal left
        left -= 1
        if at == "the pack is written" or left < 0:
            raise KeyboardInterrupt
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "unlink", cut_off)
        packing.pack_loose(Repository(memory_folder))
    assert objects(memory_folder) == before
    packing.pack_loose(Repository(memory_folder))
    assert not loose(memory_folder)
    assert objects(memory_folder) == before


def test_a_damaged_object_stays_where_it_is(storage: FilesStorage, memory_folder: Path) -> None:
    """Packing does not stumble over it, and hides nothing from `git fsck`."""
    write_some(storage, 2)
    repository = Repository(memory_folder)
    broken = memory_folder / ".git" / "objects" / "17" / ("0" * 38)
    broken.parent.mkdir(exist_ok=True)
    broken.write_bytes(b"")
    packing.pack_loose(repository)
    assert loose(memory_folder) == [broken]


def test_killed_packing_beside_a_writer_loses_nothing(
    storage: FilesStorage, home_path: Path, memory_folder: Path
) -> None:
    moments = random.Random(11)
    written: list[MemoryEntry] = []
    for round_number in range(6):
        process = subprocess.Popen([sys.executable, "-c", UPKEEP, str(home_path)])
        written += write_some(storage, 4, f"Round {round_number}")
        time.sleep(moments.uniform(0.0, 0.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([sys.executable, "-c", UPKEEP, str(home_path)], check=True)
    assert len(storage.memories.get([entry.id for entry in written])) == len(written)
    assert objects(memory_folder)
    assert git(memory_folder, "status", "--short") == ""
    assert len(git(memory_folder, "log", "--format=%s").splitlines()) == len(written) + 1


def test_packing_is_started_when_it_is_due_and_only_if_allowed(
    storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []
    monkeypatch.setattr(upkeep, "start_upkeep", started.append)
    write_some(storage, 3)
    assert started == []
    monkeypatch.setattr(packing, "MANY_LOOSE", -1)
    write_some(storage, 1, "Due")
    assert len(started) == 1
    monkeypatch.undo()
    monkeypatch.setenv(OFF_VARIABLE, "1")
    assert not upkeep.start_upkeep(memory_folder.parent)


@pytest.fixture
def in_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git's index be large from the first file on, and processes be started."""
    monkeypatch.setattr(git_index, "LARGE", 0)
    monkeypatch.delenv(OFF_VARIABLE)


def test_a_large_git_index_is_written_after_the_operation_by_another_process(
    storage: FilesStorage, home_path: Path, memory_folder: Path, in_background: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_some(storage, 1)
    until(lambda: not git_index.is_behind(home_path))
    monkeypatch.setattr(git_index, "follow", None)  # whoever writes it here fails
    write_some(storage, 4, "Later")
    until(lambda: not git_index.is_behind(home_path))
    assert git(memory_folder, "status", "--short") == ""
    until(lambda: not upkeep.is_running(home_path))
    assert storage.problems() == []


def test_an_index_that_fell_behind_keeps_what_a_person_staged(
    open_store: Open, home_path: Path, memory_folder: Path, in_background: None
) -> None:
    storage = open_store()
    write_some(storage, 1)
    until(lambda: not git_index.is_behind(home_path))
    (memory_folder / ".hidden").write_text("staged\n", encoding="utf-8")
    git(memory_folder, "add", ".hidden")
    write_some(storage, 2, "Later")
    until(lambda: not git_index.is_behind(home_path))
    assert git(memory_folder, "status", "--short") == "A  .hidden\n"


@pytest.mark.parametrize("noted", ["whole", "torn", "of an unknown commit"])
def test_the_next_writer_mends_an_index_whose_process_was_killed(
    storage: FilesStorage, home_path: Path, memory_folder: Path, noted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(git_index, "LARGE", 0)
        patch.setattr(background, "is_allowed", lambda: True)
        patch.setattr(upkeep, "start_upkeep", lambda _: None)
        write_some(storage, 2)
    assert git(memory_folder, "status", "--short") != ""
    assert len(storage.problems()) == 1
    note = home_path / git_index.BEHIND_FILE
    if noted == "torn":
        note.write_bytes(b'{"ver')
    elif noted != "whole":
        note.write_text('{"version": 1, "commit": "' + "1" * 40 + '"}', encoding="utf-8")
    write_some(storage, 1, "After")
    assert git(memory_folder, "status", "--short") == ""
    assert storage.problems() == []


def test_two_do_not_keep_up_at_once(home_path: Path, storage: FilesStorage, in_background: None) -> None:
    with background.alone(home_path / upkeep.LOCK_FILE) as free:
        assert free and upkeep.is_running(home_path)
        assert not upkeep.start_upkeep(home_path)
    assert not upkeep.is_running(home_path)


def test_background_work_needs_nothing_of_where_the_user_stands(
    storage: FilesStorage, home_path: Path, tmp_path: Path, in_background: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `json.py` in the folder is not imported, and the folder may go."""
    where = tmp_path / "where"
    where.mkdir()
    (where / "json.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    monkeypatch.chdir(where)
    write_some(storage, 1)
    until(lambda: not git_index.is_behind(home_path))
    monkeypatch.chdir(tmp_path)
    assert list(storage.memories.scan(Filter()))
    assert [path.name for path in where.iterdir()] == ["json.py"]
