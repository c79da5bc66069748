"""Import takes what can be taken, says what could not and why, and changes nothing when it is repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.import_format import memory_of
from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases import importing
from hardwon.kernel.use_cases.importing import FileImport, files_below, import_files
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.remembering import forget, remember
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FakeReader, open_fake_home


class RecordReader:
    """Gives the records that a test put into it."""

    def __init__(self, records: list[Mapping[str, Any] | Problem]) -> None:
        self.records = records

    def accepts(self, path: Path) -> bool:
        return path.suffix == ".records"

    def read(self, path: Path) -> Iterator[Mapping[str, Any] | Problem]:
        yield from self.records


@pytest.fixture
def reader() -> RecordReader:
    return RecordReader([])


@pytest.fixture
def home(tmp_path: Path, reader: RecordReader) -> Iterator[Home]:
    with open_fake_home(tmp_path / "home", readers={"lines": FakeReader(), "records": reader}) as home:
        yield home


def lessons(folder: Path, text: str, name: str = "team.lessons") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def take(home: Home, *paths: Path, **options: Any) -> list[FileImport]:
    return import_files(home, paths, project_of=dict.fromkeys(paths, "shop"), **options)


def everything(home: Home) -> list[MemoryEntry]:
    return list(home.storage.memories.scan(Filter(statuses=None)))


def test_an_import_is_one_change_and_is_told_in_the_ledger(home: Home, tmp_path: Path) -> None:
    [report] = take(home, lessons(tmp_path, "Pin the runner.\n固定版本。\n"))
    assert [entry.content for entry in report.taken] == ["Pin the runner.", "固定版本。"]
    assert {entry.scope.project for entry in everything(home)} == {"shop"}
    assert home.storage.kept.history == ["Import 2 memories from team.lessons"]  # type: ignore[attr-defined]
    [activity] = home.storage.ledger.activity("import")
    assert activity.details["taken"] == 2


def test_importing_twice_changes_nothing(home: Home, tmp_path: Path) -> None:
    """Whatever happened to the memories since: they are known."""
    path = lessons(tmp_path, "Pin the runner.\nRetry with backoff.\n")
    take(home, path)
    home.storage.memories.update(everything(home)[0].id, {"content": "Edited.", "status": Status.ARCHIVED})
    before = everything(home)
    [report] = take(home, path)
    assert (report.taken, report.known) == ([], 2)
    assert everything(home) == before


def test_what_another_import_took_a_moment_ago_is_told_as_known(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both looked before either wrote; the store keeps one, and the second says so."""
    file = lessons(tmp_path, "Pin the runner.\n固定版本。\n")
    take(home, lessons(tmp_path, "Pin the runner.\n", "other.lessons"))
    monkeypatch.setattr(importing, "_known_keys", lambda *_, **__: set())

    [report] = take(home, file)

    assert ([entry.content for entry in report.taken], report.known) == (["固定版本。"], 1)


def test_a_dry_run_tells_the_same_and_changes_nothing(home: Home, tmp_path: Path) -> None:
    path = lessons(tmp_path, "Pin the runner.\nPin the runner.\n---\n")
    [dry] = take(home, path, dry_run=True)
    assert everything(home) == []
    [real] = take(home, path)
    assert (len(dry.taken), dry.known, dry.failed) == (len(real.taken), real.known, real.failed) == (1, 1, real.failed)


def test_what_cannot_be_taken_stops_nothing(home: Home, tmp_path: Path) -> None:
    """Of several files, and of several records in one, each is said with its place."""
    good = lessons(tmp_path, "Pin the runner.\n---\nRetry.\n")
    broken = tmp_path / "broken.lessons"
    broken.write_bytes(b"\xff\xfe")
    foreign = lessons(tmp_path, "x", "picture.png")
    reports = take(home, broken, good, foreign)
    assert [len(report.taken) for report in reports] == [0, 2, 0]
    assert [len(report.failed) for report in reports] == [1, 1, 1]
    assert reports[1].failed[0].where == f"{good}:2"
    assert "No reader takes such a file (there are: lines, records)" in reports[2].failed[0].what
    assert len(everything(home)) == 2


def test_a_given_id_stands_for_one_text(home: Home, tmp_path: Path, reader: RecordReader) -> None:
    """Twice the same is one memory; two texts under one id are an error, since one of them would be lost."""
    same = {"id": 7, "content": "Pin."}
    reader.records = [same, same, {"id": "7", "content": "Other."}]
    [report] = take(home, lessons(tmp_path, "", "a.records"))
    assert ([entry.external_id for entry in report.taken], report.known) == (["7"], 1)
    assert "The id “7” stands at" in report.failed[0].what


def test_the_name_of_a_project_makes_no_second_memory(home: Home, tmp_path: Path) -> None:
    path = lessons(tmp_path, "Pin the runner.\n")
    import_files(home, [path], project_of={path: "old-name"})
    save_projects(home, ProjectBook({"old-name": "shop"}))
    [report] = take(home, path)
    assert (report.taken, report.known) == ([], 1)


def test_what_was_forgotten_on_purpose_does_not_come_back(home: Home, tmp_path: Path) -> None:
    """Unless it is asked for; nothing of its text is kept in between."""
    path = lessons(tmp_path, "A secret about giraffes.\n")
    take(home, path)
    forget(home, everything(home)[0])
    assert everything(home) == []
    assert not any("giraffe" in (home.storage.documents.read(name) or "") for name in home.storage.documents.names(""))
    [report] = take(home, path)
    assert (report.taken, report.forgotten) == ([], 1)
    [report] = take(home, path, forgotten_too=True)
    assert [entry.content for entry in everything(home)] == ["A secret about giraffes."]


def test_remembering_twice_is_remembering_once(home: Home) -> None:
    """What lies in the archive stands again; what was forgotten is wanted after all."""
    admitted = remember(home, memory("Pin the runner.", "shop"))
    kept, new = admitted.entry, admitted.is_new
    assert new
    home.storage.memories.update(kept.id, {"status": Status.ARCHIVED})
    admitted = remember(home, memory("Pin the runner.", "shop"))
    again, new = admitted.entry, admitted.is_new
    assert (again.id, again.status, new) == (kept.id, Status.ACTIVE, False)
    forget(home, again)
    assert remember(home, memory("Pin the runner.", "shop")).is_new
    assert len(everything(home)) == 1


def test_a_folder_means_the_files_that_a_reader_accepts(home: Home, tmp_path: Path) -> None:
    """Hidden folders and other people's packages are passed over; links to folders are not followed."""
    folder = tmp_path / "project"
    for name in ("docs", ".git", "node_modules"):
        (folder / name).mkdir(parents=True)
        lessons(folder / name, "x")
    lessons(folder, "x", "picture.png")
    (folder / "docs" / "loop").symlink_to(folder)
    assert list(files_below(home, folder)) == [folder / "docs" / "team.lessons"]


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({}, "content"),
        ({"content": "  "}, "content"),
        ({"content": 7}, "content"),
        ({"content": "x", "confidence": 2}, "confidence"),
        ({"content": "x", "kind": "poem"}, "kind"),
        ({"content": "x", "tags": [1]}, "tags"),
        ({"content": "x", "valid_at": "yesterday"}, "valid_at"),
        ({"content": "x", "valid_at": "2026"}, "valid_at"),
        ({"content": "x", "valid_at": "1764460800"}, "valid_at"),
        ({"content": "x", "valid_at": 1764460800}, "valid_at"),
        ({"content": "x", "valid_until": True}, "valid_until"),
        ({"content": "x", "valid_until": "2026-02-30"}, "valid_until"),
        ({"content": "x", "scope": "shop"}, "global or project"),
        ({"content": "x", "lesson": "x"}, "lesson"),
        ({"content": "x", "lesson": {"moral": "x"}}, "moral"),
        ({"content": "x", "source": 7}, "source"),
        ({"content": "x", "id": 1.5}, "id"),
        ({"content": "x", "topic": ".".join("x" * 9)}, "topics"),
    ],
)
def test_a_wrong_record_names_its_field(record: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        memory_of(record, project=None, now=MOMENT)


def test_a_record_is_taken_with_all_it_says() -> None:
    """Windows line ends become plain ones, what the format does not know goes to the metadata."""
    record = {
        "id": "t-1",
        "kind": "rule",
        "content": "Pin\r\nthe runner. \n",
        "project": "acme/shop",
        "topic": "delivery.ci",
        "tags": "ci",
        "valid_at": "2026-01-02",
        "source": "docs/ci.md",
        "lesson": {"principle": "Pin."},
        "severity": 3,
    }
    entry = memory_of(record, project="other", now=MOMENT)
    assert (entry.kind, entry.content, entry.external_id) == (Kind.RULE, "Pin\nthe runner.", "t-1")
    assert (entry.scope.project, entry.topics, entry.tags) == ("acme/shop", ("delivery.ci",), ("ci",))
    assert (entry.source.said_by, entry.source.file) == ("import", "docs/ci.md")
    assert entry.lesson.principle == "Pin."
    assert entry.metadata == {"severity": 3}
    assert entry.times.asserted_at == MOMENT
