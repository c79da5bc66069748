"""Lists beside the memories, a record a line, may be spoiled: what can be read counts, and nothing stops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.forgotten import load_forgotten
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open

SPOILED = {
    "cut short": b'{"id": "x", "tr',
    "no JSON": b"<<<<<<< HEAD",
    "zeros, as after a power cut": b"\0" * 512,
    "a list": b"[]",
    "a list of pairs": b'[["at", 1]]',
    "a number": b"5",
    "a text": b'"x"',
    "null": b"null",
    "nested without end": b"[" * 100_000,
    "another shape": b'{"kind": 5, "at": {}, "trace": [], "version": "x", "id": []}',
}
spoiled = pytest.mark.parametrize("line", SPOILED.values(), ids=SPOILED)


@spoiled
def test_a_spoiled_line_of_activity_is_passed_over(storage: FilesStorage, home_path: Path, line: bytes) -> None:
    """So is a folder in a month's place, as a sync tool may leave one."""
    storage.ledger.append([Activity(kind="shown", at=MOMENT)])
    [path] = (home_path / "activity").iterdir()
    path.write_bytes(line + b"\n" + path.read_bytes())
    (home_path / "activity" / "2001-01.jsonl").mkdir()
    storage.ledger.append([Activity(kind="shown", at=MOMENT)])
    assert len(list(storage.ledger.activity())) == 2


@spoiled
def test_a_spoiled_line_of_the_forgotten_is_passed_over(storage: FilesStorage, home_path: Path, line: bytes) -> None:
    storage.documents.write("forgotten.jsonl", json.dumps({"trace": "first"}) + "\n")
    path = home_path / "memory" / "forgotten.jsonl"
    path.write_bytes(line.replace(b"\0", b" ") + b"\n" + path.read_bytes())
    home = Home(home_path)
    home.__dict__["storage"] = storage
    assert load_forgotten(home) == {"first"}


@spoiled
def test_a_spoiled_line_of_the_deleted_is_reported_and_stops_nothing(
    storage: FilesStorage, open_store: Open, home_path: Path, line: bytes
) -> None:
    kept = storage.memories.put([memory("Kept.", "shop")])
    (home_path / "memory" / "deleted-by-hand.jsonl").write_bytes(line + b"\n")
    other = open_store()
    assert list(other.memories.scan(Filter())) == kept
    [problem] = other.problems()
    assert problem.where.endswith("deleted-by-hand.jsonl:1")
    other.memories.put([memory("More.", "shop")])
