"""The archive: everything of a home, and nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.archive import is_archive, read_archive
from hardwon.kernel.use_cases.exporting import archive_records, as_line
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.projects import load_projects, save_projects
from hardwon.kernel.use_cases.remembering import forget
from hardwon.kernel.use_cases.restoring import restore
from hardwon.kernel.use_cases.review import accept, undo
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import (
    MOMENT,
    complete_decision,
    complete_memory,
    complete_proposal,
    instance,
    memory,
    related_lessons,
)
from hardwon.testing.fakes import open_fake_home
from hardwon.testing.rule_changes import retire


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with one of everything."""
    home = open_fake_home(tmp_path / "full")
    lessons = related_lessons()
    old = memory("an old truth", "shop", status=Status.ARCHIVED)
    gone = memory("a wrong idea", "shop", idempotency_key="import:gone")
    home.storage.memories.put([complete_memory(), *lessons, old, gone])
    home.storage.memories.relate(
        [
            Relation(source=lessons[0].id, kind=RelationKind.SUPERSEDES, target=old.id, asserted_at=MOMENT, note="新"),
            Relation(source=lessons[1].id, kind=RelationKind.RELATES_TO, target=lessons[2].id, asserted_at=MOMENT),
        ]
    )
    home.queue.add([complete_proposal()])
    home.queue.settle(complete_proposal(state=ProposalState.REJECTED))
    home.storage.ledger.decide(complete_decision())
    shown = Activity(kind="shown", at=MOMENT, memory=old.id, details={"score": 0.5})
    home.storage.ledger.append([shown, shown, Activity(kind="embed", at=MOMENT)])
    save_projects(home, ProjectBook({"acme/shop": "shop"}))
    home.storage.journal.write([entry(turn("t-1")), entry(turn("t-2", "s-2"), taken_by="import-1")])
    home.storage.journal.retract(MOMENT, session="s-2")
    forget(home, gone)
    return home


def export(home: Home, path: Path) -> Path:
    """Write an archive of a home."""
    path.write_text("".join(as_line(record) + "\n" for record in archive_records(home)), encoding="utf-8")
    return path


def test_an_archive_of_the_imported_archive_is_the_same(home: Home, tmp_path: Path) -> None:
    """Byte for byte: memories of every status, links, proposals, decisions, activity, projects, what was forgotten."""
    first = export(home, tmp_path / "first.jsonl")
    other = open_fake_home(tmp_path / "other")
    restored = restore(other, read_archive(first))
    assert (len(restored.taken), restored.relations, restored.proposals, restored.decisions) == (6, 2, 2, 1)
    assert restored.turns == 2
    assert export(other, tmp_path / "second.jsonl").read_bytes() == first.read_bytes()
    kinds = {json.loads(line)["type"] for line in first.read_text(encoding="utf-8").splitlines()}
    assert kinds == {"archive", "alias", "memory", "relation", "proposal", "decision", "turn", "activity", "forgotten"}


def test_importing_ones_own_archive_changes_nothing(home: Home, tmp_path: Path) -> None:
    """Once or twice."""
    first = export(home, tmp_path / "first.jsonl")
    for _ in range(2):
        restored = restore(home, read_archive(first))
        assert (len(restored.taken), restored.known) == (0, 6)
    assert export(home, tmp_path / "second.jsonl").read_bytes() == first.read_bytes()


def test_what_was_changed_since_stays_as_it_is(home: Home, tmp_path: Path) -> None:
    """An archive is older than the hand that edits the memory."""
    archive = read_archive(export(home, tmp_path / "a.jsonl"))
    entry = archive.memories[-1]
    home.storage.memories.update(entry.id, {"content": "newer words"})
    save_projects(home, ProjectBook({"acme/shop": "another"}))
    restore(home, archive)
    assert find_memory(home, entry.id).content == "newer words"
    assert load_projects(home).aliases == {"acme/shop": "another"}


def test_what_was_forgotten_since_stays_forgotten_unless_told(home: Home, tmp_path: Path) -> None:
    """With its links left out, and with them back when it is taken back."""
    archive = read_archive(export(home, tmp_path / "a.jsonl"))
    edge = archive.relations[0]
    forget(home, find_memory(home, edge.source))
    assert restore(home, archive).forgotten == 1
    with pytest.raises(NotFound):
        find_memory(home, edge.source)
    assert len(restore(home, archive, forgotten_too=True).taken) == 1
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

    restore(other, read_archive(archive))

    assert "swordfish" in archive.read_text(encoding="utf-8")
    assert "swordfish" not in export(other, tmp_path / "newer.jsonl").read_text(encoding="utf-8")


def test_an_archive_makes_nobody_forget(home: Home, tmp_path: Path) -> None:
    """What was forgotten there and lives here stays here."""
    other = open_fake_home(tmp_path / "other")
    alive = memory("a wrong idea", "shop", idempotency_key="import:gone")
    other.storage.memories.put([alive])
    restore(other, read_archive(export(home, tmp_path / "a.jsonl")))
    assert find_memory(other, alive.id) == alive
    assert restore(other, read_archive(export(other, tmp_path / "b.jsonl"))).forgotten == 0


def test_links_find_what_was_imported_here_under_another_id(home: Home, tmp_path: Path) -> None:
    """The same import was made on two machines."""
    archive = read_archive(export(home, tmp_path / "a.jsonl"))
    other = open_fake_home(tmp_path / "other")
    here = complete_memory().model_copy(update={"id": "0" * 18})
    other.storage.memories.put([here])
    there = find_memory(home, "ticket-17")
    archive.relations.append(
        Relation(source=there.id, kind=RelationKind.RELATES_TO, target=related_lessons()[0].id, asserted_at=MOMENT)
    )
    archive.relations[-1] = archive.relations[-1].model_copy(update={"target": archive.relations[0].source})
    restore(other, archive)
    assert [edge.source for edge in other.storage.memories.relations(here.id)] == [here.id]


def test_proposals_and_decisions_find_what_was_imported_here_under_another_id(home: Home, tmp_path: Path) -> None:
    """Lessons for and against, the rule that was written, and the revisions that were decided on."""
    there = find_memory(home, "ticket-17")
    archive = read_archive(export(home, tmp_path / "a.jsonl"))
    archive.proposals.append(
        complete_proposal(id="k3m9q2x7ab", instances=(instance(there),), against=(instance(there),))
    )
    archive.decisions.append(
        complete_decision("k3m9q2x7ab", rule=there.id, revisions={there.id: there.revision, "elsewhere": "r1"})
    )
    other = open_fake_home(tmp_path / "other")
    here = complete_memory().model_copy(update={"id": "0" * 18})
    other.storage.memories.put([here])

    restore(other, archive)

    proposal = other.queue.find("k3m9q2x7ab")
    assert [each.id for each in (*proposal.instances, *proposal.against)] == [here.id, here.id]
    (decision,) = other.storage.ledger.decisions("k3m9q2x7ab")
    assert decision.rule == here.id
    assert decision.revisions == {here.id: there.revision, "elsewhere": "r1"}


def test_what_was_restored_can_be_undone_though_its_rule_has_another_id_here(home: Home, tmp_path: Path) -> None:
    """What stood before a decision goes by the ids of the home that it is in."""
    change = retire(home)
    accept(home, change, by="ada")
    (rule_there,) = home.storage.memories.get([change.targets[0].id]).values()
    archive = read_archive(export(home, tmp_path / "a.jsonl"))
    other = open_fake_home(tmp_path / "other")
    (here,) = other.storage.memories.put([rule_there.model_copy(update={"id": "0" * 18})])

    restore(other, archive)
    undo(other, other.queue.find(change.id), by="ada")

    assert other.storage.memories.get([here.id])[here.id].status is Status.ACTIVE


def test_a_dry_run_changes_nothing(home: Home, tmp_path: Path) -> None:
    """And says how much would come."""
    other = open_fake_home(tmp_path / "other")
    restored = restore(other, read_archive(export(home, tmp_path / "a.jsonl")), dry_run=True)
    assert len(restored.taken) == 6
    assert other.storage.kept.entries == {}


@pytest.mark.parametrize(
    "line",
    [
        b"{not json",
        b"[]",
        b"7",
        b'{"type": "dream"}',
        b'{"no": "type"}',
        b'{"type": "memory", "id": "x"}',
        b'{"type": "alias", "name": "x"}',
        b'{"type": "turn", "session": "s"}',
        b'{"type": "turn", "harness": "h", "session": "s", "turn": 7, "taken_by": "", "said": "", "messages": []}',
        b'{"type": "turn", "harness": "h", "session": "s", "turn": "t", "taken_by": "", "said": "", "messages": [],'
        b' "at": "noon"}',
        b'{"type": "turn", "harness": "h", "session": "s", "turn": "t", "taken_by": "", "said": "", "messages": 7,'
        b' "at": 7}',
        b"\xff\xfe",
        b"[" * 5000,
    ],
)
def test_a_broken_line_is_told_and_stops_nothing(home: Home, tmp_path: Path, line: bytes) -> None:
    """By its number."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], line + b"\r\n", b"\n", *lines[2:]]))
    archive = read_archive(path)
    assert len(archive.memories) == 6
    assert [problem.where for problem in archive.failed] == [f"{path}:3"]


def test_a_newer_archive_is_refused_whole(tmp_path: Path) -> None:
    """Half of what it says would be lost."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"type": "archive", "format": "hardwon-archive", "version": 2}\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match="upgrade"):
        read_archive(path)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('{"type": "archive", "format": "hardwon-archive", "version": 1}\n', True),
        ('\ufeff{"type":"archive","format":"hardwon-archive","version":1}\r\n', True),
        ('{"content": "a lesson"}\n', False),
        ("# Lessons\n", False),
        ("[" * 100_000, False),
        ("", False),
    ],
)
def test_an_archive_is_known_by_its_first_line(tmp_path: Path, head: str, expected: bool) -> None:
    """Whatever the file is called."""
    path = tmp_path / "file"
    path.write_text(head, encoding="utf-8")
    assert is_archive(path) is expected


def test_an_export_makes_no_home(tmp_path: Path) -> None:
    """Where there is none, that is said."""
    with pytest.raises(NotFound):
        next(iter(archive_records(Home(tmp_path / "none"))))
    assert not (tmp_path / "none").exists()


def test_every_record_says_its_type(home: Home) -> None:
    """And is one line of JSON."""
    records: list[dict[str, Any]] = list(archive_records(home))
    assert records[0] == {"type": "archive", "format": "hardwon-archive", "version": 1}
    assert all("\n" not in as_line(record) and json.loads(as_line(record)) == record for record in records)
