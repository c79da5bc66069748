"""Processes and threads that write at once lose nothing; a reader never waits for them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hardwon.kernel.errors import StoreBusy
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.stores.files.atomic.lock import PATIENCE, WritersLock
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of, git, index_of

WRITER = """
import json, sys
from pathlib import Path
from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.records import Activity
from hardwon.testing.examples import MOMENT, memory
home, name, shared = Home(Path(sys.argv[1])), sys.argv[2], sys.argv[3]
store = home.storage.memories
sys.stdin.readline()
made, conflicts = [], 0
for number in range(20):
    made += [each.id for each in store.put([memory(f"{name} {number}.", "shop", topics=("ci",))])]
    home.storage.ledger.append([Activity(kind="shown", at=MOMENT, memory=made[-1])])
    while True:
        known = store.get([shared])[shared]
        try:
            store.update(shared, {"tags": (*known.tags, f"{name}-{number}")}, expected_revision=known.revision)
            break
        except Conflict:
            conflicts += 1
print(json.dumps({"made": made, "conflicts": conflicts}))
home.close()
"""


def start(home: Path, name: str, shared: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(home), name, shared]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_processes_that_write_at_once_lose_nothing(open_store: Open, home_path: Path, memory_folder: Path) -> None:
    """Two processes add twenty lessons each, and both change the same lesson twenty times, reading before writing."""
    storage = open_store()
    [shared] = storage.memories.put([memory("Shared.", "shop")])
    processes = [start(home_path, name, shared.id) for name in ("a", "b")]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    made = [id for answer in answers for id in answer["made"]]
    assert len(storage.memories.get(made)) == 40
    wanted = {f"{name}-{number}" for name in "ab" for number in range(20)}
    assert set(storage.memories.get([shared.id])[shared.id].tags) == wanted
    assert len(list(storage.ledger.activity("shown"))) == 40
    storage.memories.put([memory("After.")])
    assert storage.problems() == []
    assert git(memory_folder, "status", "--short") == ""
    assert "by hand" not in git(memory_folder, "log", "--format=%s")


HOLDER = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def held(home_path: Path, storage: FilesStorage) -> object:
    """Hold the writers' lock in another process, as a long write does."""
    storage.memories.put([memory("One.")])
    command = [sys.executable, "-c", HOLDER, str(home_path / "lock")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.communicate("done\n")


def test_a_writer_that_waits_too_long_is_told_so(held: object, home_path: Path) -> None:
    lock = WritersLock(home_path / "lock")
    begun = time.monotonic()
    with pytest.raises(StoreBusy, match="try again"), lock.held(0.2):
        pass
    assert time.monotonic() - begun >= 0.2


def test_a_reader_does_not_wait_for_a_writer(
    held: object, open_store: Open, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where files changed that the index does not know yet: it answers with what it knows."""
    [path] = memory_folder.rglob("digest/**/*.md")
    path.write_text(path.read_text(encoding="utf-8").replace("One.", "Edited."), encoding="utf-8")
    pauses: list[float] = []
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: (pauses.append(seconds), sleep(seconds)))
    assert len(list(open_store().memories.scan(Filter()))) == 1
    assert sum(pauses) < PATIENCE / 10


def test_the_lock_ends_with_its_process(held: subprocess.Popen[str], storage: FilesStorage) -> None:
    held.kill()
    held.wait()
    storage.memories.put([memory("Two.")])


def test_activity_that_a_crash_cut_short_is_passed_over(storage: FilesStorage, home_path: Path) -> None:
    storage.ledger.append([Activity(kind="shown", at=MOMENT)])
    [path] = (home_path / "activity").iterdir()
    with path.open("a", encoding="utf-8") as file:
        file.write('{"v": 1, "kind": "sho')
    storage.ledger.append([Activity(kind="shown", at=MOMENT)])
    assert len(list(storage.ledger.activity())) == 2


KEEPER = """
import sys
from pathlib import Path
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.testing.examples import memory
home = Home(Path(sys.argv[1]))
store = home.storage.memories
print("ready", flush=True)
sys.stdin.readline()
for number in range(25):
    [entry] = store.put([memory(f"{sys.argv[2]} {number}.", "shop")])
    assert entry.id in {each.id for each in store.scan(Filter())}, "what was written a moment ago is not found"
    print(entry.id, flush=True)
home.close()
"""


def test_an_index_that_is_built_anew_under_writers_and_readers_loses_nothing_and_stops_nobody(
    open_store: Open, home_path: Path
) -> None:
    """As often as it is built, also when its side files are taken away meanwhile; what is open goes to the new one."""
    storage = open_store()
    storage.memories.put([memory("First.", "shop")])
    command = [sys.executable, "-c", KEEPER, str(home_path)]
    keepers = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for name in "ab"
    ]
    for keeper in keepers:
        assert keeper.stdout is not None and keeper.stdin is not None
        assert keeper.stdout.readline() == "ready\n"
        keeper.stdin.write("go\n")
        keeper.stdin.flush()
    for _ in range(4):
        storage.reindex()
        assert storage.memories.topics() == []
        for path in home_path.glob("index-*.sqlite-shm"):
            if path.stem != index_of(home_path).stem:
                path.unlink(missing_ok=True)
    made = [keeper.communicate(timeout=120)[0].split() for keeper in keepers]
    assert [keeper.returncode for keeper in keepers] == [0, 0]
    assert [len(each) for each in made] == [25, 25]
    assert len(list(storage.memories.scan(Filter()))) == 51
    assert storage.verify() == []
    storage.reindex()
    assert len(list(storage.memories.scan(Filter()))) == 51
    assert [path.name for path in home_path.glob("index-*.sqlite")] == [index_of(home_path).name]


@pytest.mark.parametrize("cut", [0.0, 0.3, 0.9])
def test_a_file_that_is_cut_off_stops_no_other(open_store: Open, memory_folder: Path, cut: float) -> None:
    storage = open_store()
    kept = storage.memories.put([memory(f"Lesson {number}.", "shop") for number in range(3)])
    path = file_of(memory_folder, kept[0])
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * cut)])
    again = open_store()
    assert {each.content for each in again.memories.scan(Filter())} >= {"Lesson 1.", "Lesson 2."}
    again.memories.put([memory("Goes on.", "shop")])
    assert again.memories.update(kept[1].id, {"content": "Changed."}).content == "Changed."
