"""A power cut: what a person said or decided is on the disk before it is acknowledged; the rest is made anew.

A file that was renamed without having been waited for may be there and empty, or of zeros, afterwards. Which files were
waited for, the system's own calls tell; what happens to all others is tried by breaking each.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.exchange import exchange as exchanged_by_the_system
from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import Source
from hardwon.kernel.proposal import instance_of
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.use_cases.feedback import Verdict, give_feedback
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.review import accept, reject, reword, undo
from hardwon.kernel.use_cases.running.run import run
from hardwon.kernel.whole_file import ASIDE, write_whole
from hardwon.stores.files.atomic import replacing
from hardwon.stores.files.indexing.index_format import POINTER
from hardwon.testing.examples import MOMENT, UNIT_TESTS, complete_proposal, memory, related_lessons

ADA = "ada"


class Disk:
    """Notes what was waited for, and says which renamed files would survive a power cut now."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._synced: set[int] = set()
        self._renamed: dict[str, int] = {}
        self._unsafe_names: dict[str, str] = {}
        self._fsync, self._replace, self._link = os.fsync, os.replace, os.link
        self._exchange = exchanged_by_the_system
        monkeypatch.setattr(os, "fsync", self._note_sync)
        monkeypatch.setattr(os, "replace", self._note_replace)
        monkeypatch.setattr(os, "link", self._note_link)
        monkeypatch.setattr(replacing, "exchange", self._note_exchange)

    def _note_sync(self, descriptor: int) -> None:
        found = os.fstat(descriptor)
        self._synced.add(found.st_ino)
        if stat.S_ISDIR(found.st_mode):
            folder = os.path.realpath(f"/proc/self/fd/{descriptor}")
            self._unsafe_names = {path: at for path, at in self._unsafe_names.items() if at != folder}
        self._fsync(descriptor)

    def _note_replace(self, source: Any, target: Any, **options: Any) -> None:
        inode = Path(source).stat().st_ino
        self._replace(source, target, **options)
        self._note(target, inode)

    def _note_link(self, source: Any, target: Any, **options: Any) -> None:
        self._link(source, target, **options)
        self._note(target, Path(source).stat().st_ino)

    def _note_exchange(self, one: Path, other: Path) -> None:
        inode = one.stat().st_ino
        self._exchange(one, other)
        self._note(other, inode)

    def _note(self, target: Any, inode: int) -> None:
        path = os.path.realpath(target)
        self._renamed[path] = inode
        self._unsafe_names[path] = str(Path(path).parent)

    def unsafe(self, root: Path) -> list[str]:
        """Return the files below a folder that might be empty, or not there, after a power cut."""
        return sorted(
            os.path.relpath(path, os.path.realpath(root))
            for path, inode in self._renamed.items()
            if path.startswith(os.path.realpath(root) + os.sep)
            and Path(path).exists()
            and (inode not in self._synced or path in self._unsafe_names)
        )


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """Return a home with three lessons of one cause and the proposal of their rule."""
    monkeypatch.setenv("HARDWON_NO_BACKGROUND", "1")
    with Home(tmp_path / "home") as home:
        home.create()
        (home.path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        lessons = related_lessons()[:3]
        home.storage.memories.put(lessons)
        covered = tuple(map(instance_of, lessons))
        home.queue.add([complete_proposal(id=new_id(MOMENT), rule=UNIT_TESTS, instances=covered, against=())])
        yield home


def waiting(home: Home) -> Any:
    [proposal] = home.queue.pending()
    return proposal


def accepted(home: Home) -> Any:
    accept(home, waiting(home), by=ADA)
    return next(each for each in home.queue.all() if each.state == "accepted")


def said(home: Home) -> None:
    home.storage.memories.put([memory("The staging database is read-only.", "shop", source=Source(said_by="user"))])


def noted(home: Home) -> None:
    (home.path / "memory" / "digest" / "shop").mkdir(parents=True, exist_ok=True)
    (home.path / "memory" / "digest" / "shop" / "note.md").write_text("By hand.\n", encoding="utf-8")
    home.storage.documents.write("any.md", "Any write gives notes an id.")


WORDS: dict[str, tuple[str, Callable[[Home], object]]] = {
    "a new home": (".", lambda home: Home(home.path / "other").create()),
    "what a person remembers": ("memory/digest", said),
    "an acceptance": ("memory/decisions", accepted),
    "a rule accepted": ("memory/rules", accepted),
    "the lessons that a rule links to": ("memory/digest", accepted),
    "a note that is given an id": ("memory/digest", noted),
    "a rejection": ("memory/decisions", lambda home: reject(home, waiting(home), by=ADA, why="No.")),
    "an undo": ("memory/decisions", lambda home: undo(home, accepted(home), by=ADA)),
    "a reworded proposal": ("memory/review-queue", lambda home: reword(home, waiting(home), "Mine.")),
}


@pytest.mark.parametrize(("folder", "speak"), WORDS.values(), ids=WORDS)
def test_what_a_person_said_is_on_disk_before_it_is_acknowledged(
    home: Home, monkeypatch: pytest.MonkeyPatch, folder: str, speak: Callable[[Home], object]
) -> None:
    """Its file before it has its name, then its name."""
    disk = Disk(monkeypatch)
    speak(home)
    where = home.path / "other" if folder == "." else home.path / folder
    assert any(Path(path).is_relative_to(where.resolve()) for path in disk._renamed), "nothing was written"
    assert disk.unsafe(where) == []


@pytest.mark.parametrize("durable", [True, False])
def test_the_helper_waits_for_the_file_and_for_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    disk = Disk(monkeypatch)
    write_whole(tmp_path / "file", b"words", durable=durable)
    assert disk.unsafe(tmp_path) == ([] if durable else ["file"])


def lived(home: Home) -> None:
    """Do a little of everything that leaves a file beside the memory."""
    accept(home, waiting(home), by=ADA)
    said(home)
    [rule] = [each for each in home.storage.memories.scan(Filter()) if each.kind == "rule"]
    give_feedback(home, rule, Verdict.USEFUL)
    run(home, "command")
    recall(home, Query(text=UNIT_TESTS))


def truth(home: Home) -> list[str]:
    found = sorted(each.model_dump_json() for each in home.storage.memories.scan(Filter(statuses=None)))
    queue = sorted(each.model_dump_json() for each in home.queue.all())
    return [*found, *queue, *(each.id for each in home.storage.ledger.decisions())]


@pytest.mark.parametrize("how", ["empty", "half", "zeros"])
def test_every_file_beside_the_memory_may_be_lost(home: Home, how: str) -> None:
    """Each of them, whatever it is: the next commands answer as before, say nothing wrong, and make it anew."""
    lived(home)
    before = truth(home)
    home.close()
    beside = [path for path in sorted(home.path.rglob("*")) if path.is_file() and _is_derived(home.path, path)]
    assert {POINTER, "generalizer"} <= {path.relative_to(home.path).parts[0] for path in beside}
    for path in beside:
        whole = path.read_bytes()
        path.write_bytes({"empty": b"", "half": whole[: len(whole) // 2], "zeros": bytes(len(whole))}[how])
        told = str(path.relative_to(home.path))
        assert truth(home) == before, told
        run(home, "command")
        assert recall(home, Query(text=UNIT_TESTS)).hits, told
        assert truth(home) == before, told
        home.close()


def _is_derived(root: Path, path: Path) -> bool:
    """Tell whether a file is not the user's own: not the memory, the settings, the home's format, nor the spool."""
    name = path.relative_to(root).parts[0]
    return name not in ("memory", "config.toml", "version", "spool") and not name.endswith(("-wal", "-shm"))


def test_what_a_killed_process_left_is_cleaned_by_the_next_run(home: Home) -> None:
    """Wherever it was writing; but not what another process is writing now."""
    run(home, "command")
    dead = [home.path / f"{ASIDE}999999999-1", home.path / FOLDER / f"{ASIDE}999999999-1"]
    alive = home.path / f"{ASIDE}{os.getpid()}-1"
    for path in (*dead, alive):
        path.write_bytes(b"half a fi")
    run(home, "command")
    assert [path.exists() for path in (*dead, alive)] == [False, False, True]
