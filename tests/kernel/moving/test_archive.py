"""The archive: everything of a home, and nothing twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.moving.archive_lines import END, HEAD, as_line
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.reading import TYPES
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.kernel.use_cases.projects import load_projects, save_projects
from hardwon.kernel.use_cases.remembering import forget
from hardwon.testing.examples import (
    complete_proposal,
    instance,
    memory,
)
from hardwon.testing.fakes import open_fake_home

from .conftest import export, values


def test_an_archive_of_the_imported_archive_is_the_same(home: Home, tmp_path: Path) -> None:
    """Byte for byte: memories of every status, links, proposals, decisions, activity, projects, what was forgotten."""
    first = export(home, tmp_path / "first.jsonl")
    other = open_fake_home(tmp_path / "other")
    restored = restore(other, first)
    assert (restored.taken, restored.relations, restored.proposals, restored.decisions) == (6, 3, 2, 1)
    assert (restored.turns, restored.versions, restored.documents, restored.activity) == (2, 3, 1, 2)
    assert restored.failed == []
    assert export(other, tmp_path / "second.jsonl").read_bytes() == first.read_bytes()
    kinds = {json.loads(line)["type"] for line in first.read_text(encoding="utf-8").splitlines()}
    assert kinds == {HEAD, END, *TYPES} - {"vector"}


def test_importing_ones_own_archive_changes_nothing(home: Home, tmp_path: Path) -> None:
    """Once or twice."""
    first = export(home, tmp_path / "first.jsonl")
    for _ in range(2):
        restored = restore(home, first)
        assert (restored.taken, restored.known) == (0, 6)
    assert export(home, tmp_path / "second.jsonl").read_bytes() == first.read_bytes()


def test_what_was_changed_since_stays_as_it_is(home: Home, tmp_path: Path) -> None:
    """An archive is older than the hand that edits the memory."""
    archive = export(home, tmp_path / "a.jsonl")
    entry = values(archive, "memory")[-1]
    home.storage.memories.update(entry.id, {"content": "newer words"})
    save_projects(home, ProjectBook({"acme/shop": "another"}))
    restore(home, archive)
    assert find_memory(home, entry.id).content == "newer words"
    assert load_projects(home).aliases == {"acme/shop": "another"}


def test_what_was_forgotten_since_stays_forgotten_unless_told(home: Home, tmp_path: Path) -> None:
    """With its links left out, and with them back when it is taken back."""
    archive = export(home, tmp_path / "a.jsonl")
    edge = next(each for each in values(archive, "relation") if each.retracted_at is None)
    forget(home, find_memory(home, edge.source))
    assert restore(home, archive).forgotten == 1
    with pytest.raises(NotFound):
        find_memory(home, edge.source)
    assert restore(home, archive, forgotten_too=True).taken == 1
    assert home.storage.memories.relations(edge.source)
    assert restore(home, archive).forgotten == 0


def test_what_was_forgotten_here_does_not_come_back_in_a_proposal_of_the_archive(home: Home, tmp_path: Path) -> None:
    """The archive is older than the forgetting, and quotes the memory in a proposal."""
    (secret,) = home.storage.memories.put([memory("The password is swordfish.", "shop")])
    home.queue.add([complete_proposal(instances=(instance(secret),))])
    archive = export(home, tmp_path / "older.jsonl")
    other = open_fake_home(tmp_path / "other")
    other.storage.memories.put([secret])
    forget(other, secret)

    restore(other, archive)

    assert "swordfish" in archive.read_text(encoding="utf-8")
    assert "swordfish" not in export(other, tmp_path / "newer.jsonl").read_text(encoding="utf-8")


def test_an_archive_makes_nobody_forget(home: Home, tmp_path: Path) -> None:
    """What was forgotten there and lives here stays here."""
    other = open_fake_home(tmp_path / "other")
    alive = memory("a wrong idea", "shop", idempotency_key="import:gone")
    other.storage.memories.put([alive])
    restore(other, export(home, tmp_path / "a.jsonl"))
    assert find_memory(other, alive.id) == alive
    assert restore(other, export(other, tmp_path / "b.jsonl")).forgotten == 0


def test_a_dry_run_changes_nothing(home: Home, tmp_path: Path) -> None:
    """And says how much would come."""
    other = open_fake_home(tmp_path / "other")
    restored = restore(other, export(home, tmp_path / "a.jsonl"), dry_run=True)
    assert restored.taken == 6
    assert list(other.storage.memories.scan(Filter(statuses=None))) == []


def test_an_archive_of_the_first_version_is_still_read(home: Home, tmp_path: Path) -> None:
    """It has no seal, no former states and no documents."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if json.loads(line)["type"] not in ("archive", "version", "document", "end")]
    head = '{"type":"archive","format":"hardwon-archive","version":1}'
    path.write_text("".join(f"{line}\n" for line in [head, *kept]), encoding="utf-8")
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert (restored.taken, restored.relations, restored.proposals, restored.failed) == (6, 3, 2, [])


def test_vectors_come_along_when_asked_for(home: Home, tmp_path: Path) -> None:
    """By space, and only once."""
    home.storage.vectors.keep("model@1", {"key": to_bytes([0.6, 0.8])})
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{line}\n" for line in archive_lines(home, [], vectors=True)), encoding="utf-8")
    other = open_fake_home(tmp_path / "other")
    assert (restore(other, path).vectors, restore(other, path).vectors) == (1, 0)
    assert other.storage.vectors.fetch("model@1", ["key"]) == {"key": to_bytes([0.6, 0.8])}


def test_an_export_makes_no_home(tmp_path: Path) -> None:
    """Where there is none, that is said."""
    with pytest.raises(NotFound):
        next(archive_lines(Home(tmp_path / "none"), []))
    assert not (tmp_path / "none").exists()


def test_every_record_says_its_type(home: Home) -> None:
    """And is one line of JSON, the first the head and the last the seal over all before it."""
    lines = list(archive_lines(home, []))
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert records[0] == {"type": "archive", "format": "hardwon-archive", "version": 2}
    assert all("\n" not in line and as_line(record) == line for line, record in zip(lines, records, strict=True))
    before = "".join(f"{line}\n" for line in lines[:-1])
    assert records[-1]["sha256"] == hashlib.sha256(before.encode()).hexdigest()
    assert sum(records[-1]["records"].values()) == len(lines) - 1
