"""A home in a read-only folder or on a full disk answers every question, and tells every writer what to do.

Each case runs in a process of its own, as an ordinary user: permissions do not stop root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of, index_of

PROBE = """
import json, resource, sys
from datetime import UTC, datetime
from pathlib import Path

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.testing.examples import memory

home_path, one, other, is_full = sys.argv[1:]
if is_full == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no file may grow, as where no block is left
home = Home(Path(home_path))
storage = home.storage
memories = storage.memories
now = datetime(2026, 5, 1, tzinfo=UTC)
edge = Relation(source=one, kind=RelationKind.RELATES_TO, target=other, asserted_at=now)


def attempt(write):
    try:
        write()
    except HardwonError as error:
        return str(error)
    except OSError as error:
        return f"OSError {error}"
    return None


print(json.dumps({
    "get": {id: entry.content for id, entry in memories.get([one, other]).items()},
    "search": [each.id for each in memories.search(Query(text="payment gateway retry")).candidates],
    "scan": [entry.id for entry in memories.scan(Filter())],
    "topics": [each.topic for each in memories.topics()],
    "relations": [each.target for each in memories.relations(one)],
    "traverse": memories.traverse(one, RelationKind.SUPERSEDES),
    "document": storage.documents.read("review-queue/a.md"),
    "names": storage.documents.names("review-queue/"),
    "decisions": len(storage.ledger.decisions()),
    "activity": len(list(storage.ledger.activity())),
    "sessions": len(storage.journal.sessions()),
    "problems": [each.what for each in storage.problems()],
    "writes": {
        "put": attempt(lambda: memories.put([memory("something new")])),
        "update": attempt(lambda: memories.update(one, {"content": "changed"})),
        "relate": attempt(lambda: memories.relate([edge])),
        "delete": attempt(lambda: memories.delete([one])),
        "document": attempt(lambda: storage.documents.write("review-queue/b.md", "b")),
        "move": attempt(lambda: storage.documents.move("review-queue/a.md", "review-queue/c.md")),
        "activity": attempt(lambda: storage.ledger.append([Activity(kind="shown", at=now)])),
        "reindex": attempt(storage._inner.reindex),
    },
    "after": {id: entry.content for id, entry in memories.get([one, other]).items()},
}))
home.close()
"""


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a home with what it holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lock_up(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)


def unlock(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def probe(home: Path, ids: list[str], *, full: bool) -> Any:
    """Ask and write in a process of its own; return what it was answered."""
    command = [sys.executable, "-c", PROBE, str(home), *ids, "full" if full else ""]
    if os.geteuid() == 0 and not full:  # who may do everything has to give that up first
        if shutil.which("setpriv") is None:
            pytest.skip("root without setpriv can write everywhere")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    if not full:
        lock_up(home)
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    finally:
        unlock(home)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def ids(storage: FilesStorage) -> list[str]:
    """Return two linked memories of a home in which something of everything is kept."""
    one, other = storage.memories.put(
        [memory("payment gateway: retry with the same key", topics=("pay.retry",)), memory("an older way to retry")]
    )
    storage.memories.relate(
        [Relation(source=one.id, kind=RelationKind.SUPERSEDES, target=other.id, asserted_at=MOMENT)]
    )
    storage.documents.write("review-queue/a.md", "a proposal")
    storage.close()
    return [one.id, other.id]


def missing(home: Path) -> None:
    index_of(home).unlink()


def damaged(home: Path) -> None:
    index_of(home).write_bytes(b"no database at all " * 500)


def as_it_is(home: Path) -> None:
    """Leave the index as it is."""


@pytest.mark.parametrize(
    ("index", "full"),
    [(as_it_is, False), (as_it_is, True), (missing, False), (missing, True), (damaged, False)],
)
def test_every_question_is_answered_and_no_write_half_done(
    ids: list[str], home_path: Path, index: Callable[[Path], None], *, full: bool
) -> None:
    """Whatever state the index is in; each refusal is a sentence, and the home is the same to the byte afterwards."""
    index(home_path)
    before = tree(home_path / "memory")
    told = probe(home_path, ids, full=full)
    one, other = ids
    assert told["get"] == {one: "payment gateway: retry with the same key", other: "an older way to retry"}
    assert told["after"] == told["get"]
    assert one in told["search"]
    assert told["scan"] == sorted(ids)
    assert told["topics"] == ["pay.retry"]
    assert told["relations"] == [other]
    assert told["traverse"] == [other]
    assert (told["document"], told["names"]) == ("a proposal", ["review-queue/a.md"])
    assert any("Nothing can be written there" in each for each in told["problems"])
    for name, said in told["writes"].items():
        assert said is not None, name
        assert not said.startswith("OSError"), (name, said)
        assert any(word in said for word in ("permit", "make room")), (name, said)
    assert tree(home_path / "memory") == before


def test_an_edit_by_hand_is_seen_where_the_home_is_read_only(
    ids: list[str], home_path: Path, memory_folder: Path, open_store: Open
) -> None:
    """What was changed or deleted before the folder became read-only is not shown as it was."""
    [path] = memory_folder.rglob(f"*-{ids[0]}.md")
    path.write_text(path.read_text(encoding="utf-8").replace("the same key", "a new key"), encoding="utf-8")
    told = probe(home_path, ids, full=False)
    assert told["get"][ids[0]] == "payment gateway: retry with a new key"
    kept = open_store().memories.get(ids)
    assert kept[ids[0]].content == "payment gateway: retry with a new key"
    assert file_of(memory_folder, kept[ids[1]]).is_file()


def test_when_there_is_room_again_the_same_open_store_writes(
    storage: FilesStorage, home_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long-lived process that met a full disk goes on as soon as it can."""
    [entry] = storage.memories.put([memory("payment gateway: retry")])
    storage._opened.workspace.index.stand_in("no room")  # what a full disk leads to
    assert storage.memories.get([entry.id])[entry.id].content == "payment gateway: retry"
    assert any("no room" in each.what for each in storage.problems())
    changed = storage.memories.update(entry.id, {"content": "payment gateway: retry once"})
    assert storage.memories.get([entry.id])[entry.id] == changed
    assert storage.problems() == []
