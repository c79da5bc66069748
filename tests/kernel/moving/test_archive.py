"""The archive: everything of a home, and nothing twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Value
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.moving import restoring
from hardwon.kernel.use_cases.moving.archive_lines import END, HEAD, as_line
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.reading import TYPES, Read, is_archive, read_archive
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.kernel.use_cases.projects import load_projects, save_projects
from hardwon.kernel.use_cases.remembering import forget
from hardwon.kernel.use_cases.review import accept, undo
from hardwon.testing.examples import (
    MOMENT,
    complete_decision,
    complete_memory,
    complete_proposal,
    instance,
    memory,
)
from hardwon.testing.fakes import open_fake_home
from hardwon.testing.rule_changes import retire

from .conftest import fill


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with one of everything."""
    home = open_fake_home(tmp_path / "full")
    fill(home)
    return home


def export(home: Home, path: Path) -> Path:
    """Write an archive of a home."""
    path.write_text("".join(f"{line}\n" for line in archive_lines(home, [])), encoding="utf-8")
    return path


def added(archive: Path, *values: tuple[str, Value]) -> Path:
    """Put records into an archive before its end, as a program that joins archives might."""
    lines = archive.read_text(encoding="utf-8").splitlines()[:-1]
    lines += [as_line({"type": type, **value.model_dump(mode="json")}) for type, value in values]
    archive.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return archive


def values(archive: Path, type: str) -> list[Any]:
    """Return what an archive has of one type."""
    return [read.value for read in read_archive(archive, (type,)) if isinstance(read, Read)]


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


def test_links_find_what_was_imported_here_under_another_id(home: Home, tmp_path: Path) -> None:
    """The same import was made on two machines."""
    archive = export(home, tmp_path / "a.jsonl")
    other = open_fake_home(tmp_path / "other")
    here = complete_memory().model_copy(update={"id": "0" * 18})
    other.storage.memories.put([here])
    there, target = find_memory(home, "ticket-17"), values(archive, "relation")[0].source
    edge = Relation(source=there.id, kind=RelationKind.RELATES_TO, target=target, asserted_at=MOMENT)
    restore(other, added(archive, ("relation", edge)))
    assert [edge.source for edge in other.storage.memories.relations(here.id)] == [here.id]


def test_proposals_and_decisions_find_what_was_imported_here_under_another_id(home: Home, tmp_path: Path) -> None:
    """Lessons for and against, the rule that was written, and the revisions that were decided on."""
    there = find_memory(home, "ticket-17")
    proposed = complete_proposal(id="k3m9q2x7ab", instances=(instance(there),), against=(instance(there),))
    decided = complete_decision("k3m9q2x7ab", rule=there.id, revisions={there.id: there.revision, "elsewhere": "r1"})
    archive = export(home, tmp_path / "a.jsonl")
    archive = added(archive, ("proposal", proposed), ("decision", decided))
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
    archive = export(home, tmp_path / "a.jsonl")
    other = open_fake_home(tmp_path / "other")
    (here,) = other.storage.memories.put([rule_there.model_copy(update={"id": "0" * 18})])

    restore(other, archive)
    undo(other, other.queue.find(change.id), by="ada")

    assert other.storage.memories.get([here.id])[here.id].status is Status.ACTIVE


def test_a_dry_run_changes_nothing(home: Home, tmp_path: Path) -> None:
    """And says how much would come."""
    other = open_fake_home(tmp_path / "other")
    restored = restore(other, export(home, tmp_path / "a.jsonl"), dry_run=True)
    assert restored.taken == 6
    assert list(other.storage.memories.scan(Filter(statuses=None))) == []


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
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert restored.taken == 6
    broken, changed = restored.failed
    assert broken.where == f"{path}:3"
    assert "seals" in changed.what


def test_a_newer_archive_is_refused_whole(home: Home, tmp_path: Path) -> None:
    """Half of what it says would be lost; also where an older one stands before it in the file."""
    path = export(home, tmp_path / "a.jsonl")
    other = open_fake_home(tmp_path / "other")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"type": "archive", "format": "hardwon-archive", "version": 3}\n')
    with pytest.raises(InvalidInput, match="upgrade"):
        restore(other, path)
    assert list(other.storage.memories.scan(Filter(statuses=None))) == []


@pytest.mark.parametrize("cut", [1, 2, 7, 15])
def test_an_archive_that_was_cut_short_is_noticed(home: Home, tmp_path: Path, cut: int) -> None:
    """What is there is taken, and it is said that something is missing, wherever it was cut."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-cut]))
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert restored.taken == sum(b'"type":"memory"' in line for line in lines[:-cut])
    (problem,) = restored.failed
    assert "breaks off" in problem.what


@pytest.mark.parametrize("change", ["a word", "a line"])
def test_an_archive_that_was_changed_is_noticed(home: Home, tmp_path: Path, change: str) -> None:
    """By its seal, though every line of it can be read."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = [line.replace("an old truth", "an old lie") for line in lines]
    path.write_text("".join(changed if change == "a word" else [*lines[:-3], *lines[-2:]]), encoding="utf-8")
    (problem,) = restore(open_fake_home(tmp_path / "other"), path).failed
    assert "seals" in problem.what


def test_what_a_transport_makes_of_line_ends_breaks_no_seal(home: Home, tmp_path: Path) -> None:
    """Nor a mark of the encoding at the beginning, nor two archives in one file."""
    path = export(home, tmp_path / "a.jsonl")
    data = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + data)
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert (restored.failed, restored.taken) == ([], 6)


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


def test_former_states_stay_with_a_memory_that_has_another_id_here(home: Home, tmp_path: Path) -> None:
    """Where it is the same in all else; where it went another way here, they were never believed here."""
    archive = export(home, tmp_path / "a.jsonl")
    there = find_memory(home, "ticket-17")
    for words, expected in ((there.content, 1), ("Something else.", 0)):
        other = open_fake_home(tmp_path / f"other-{expected}")
        other.storage.memories.put([there.model_copy(update={"id": "0" * 18, "content": words})])
        restore(other, archive)
        former = other.storage.memories.versions(["0" * 18])
        assert [(each.memory, each.entry.id) for each in former] == [("0" * 18, "0" * 18)] * expected


def test_two_memories_of_one_idempotency_key_in_an_archive_are_one(home: Home, tmp_path: Path) -> None:
    """Two homes' archives were joined; what speaks of either speaks of the one that is kept."""
    archive = export(home, tmp_path / "a.jsonl")
    there, source = find_memory(home, "ticket-17"), values(archive, "relation")[0].source
    twin = there.model_copy(update={"id": "z" * 18})
    edge = Relation(source=source, kind=RelationKind.RELATES_TO, target=twin.id, asserted_at=MOMENT)
    other = open_fake_home(tmp_path / "other")
    restore(other, added(archive, ("memory", twin), ("relation", edge)))
    assert source in {each.source for each in other.storage.memories.relations(there.id)}


def test_a_large_archive_is_taken_in_parts_and_goes_on_where_it_was_cut_off(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever part fails, a repetition brings the rest, and nothing twice."""
    monkeypatch.setattr(restoring, "ONE_CHANGE", 0)
    monkeypatch.setattr(restoring, "AT_ONCE", 2)
    first = export(home, tmp_path / "first.jsonl")
    other = open_fake_home(tmp_path / "other")
    for part in range(1, 40):
        failing = Failing(other.storage, part)
        monkeypatch.setitem(other.__dict__, "storage", failing)
        try:
            restore(other, first)
            break
        except ZeroDivisionError:
            continue
    else:
        pytest.fail("the import never came to its end")
    assert part > 5
    assert export(other, tmp_path / "second.jsonl").read_bytes() == first.read_bytes()


class Failing:
    """A storage whose operations fail from a certain one on."""

    def __init__(self, storage: Any, after: int) -> None:
        self._storage: Any = storage._storage if isinstance(storage, Failing) else storage
        self._left = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    def operation(self, why: str) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ZeroDivisionError
        return self._storage.operation(why)


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
