"""Asks a home that cannot be written to, in a process of its own, as an ordinary user: permissions do not stop root."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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


def probe(home: Path, ids: list[str], *, full: bool | None) -> Any:
    """Ask and write in a process of its own, on a full disk or in a read-only folder (None: neither).

    Return what it was answered.
    """
    command = [sys.executable, "-c", PROBE, str(home), *ids, "full" if full else ""]
    if os.geteuid() == 0 and not full:  # who may do everything has to give that up first
        if shutil.which("setpriv") is None:
            pytest.skip("root without setpriv can write everywhere")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    if full is False:
        lock_up(home)
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    finally:
        if full is False:
            unlock(home)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
