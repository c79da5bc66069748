"""A secret that a person writes into a file by hand is reported, and goes neither into index nor history."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Redacted
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, complete_memory, memory
from hardwon.testing.planted_secrets import planted_secrets

from .conftest import Open, file_of, git

SECRET = planted_secrets()["github-personal"]
ALL = Filter(statuses=None)


@pytest.fixture
def lesson(storage: FilesStorage) -> MemoryEntry:
    [kept] = storage.memories.put([memory("Rotate the certificates.\n\nBefore they expire.", "shop")])
    return kept


@pytest.fixture
def spoiled(storage: FilesStorage, memory_folder: Path, lesson: MemoryEntry) -> Path:
    """Return the file of a lesson into which somebody wrote a secret."""
    path = file_of(memory_folder, lesson)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Before", f"With {SECRET}, before"), encoding="utf-8")
    return path


class NoRedactor:
    """Takes out nothing."""

    name = "none"

    def redact(self, text: str) -> Redacted:
        return Redacted(text)


def history(memory_folder: Path) -> str:
    """Return all texts that git keeps, reachable or not."""
    repository = pygit2.Repository(memory_folder)
    texts = [repository[id].read_raw().decode("utf-8", "replace") for id in repository]
    repository.free()
    return "\n".join(texts)


def write_another(storage: FilesStorage) -> None:
    storage.memories.put([memory("Flush before renaming.", "shop")])


def test_it_is_told_with_its_file_line_and_sort(open_store: Open, spoiled: Path) -> None:
    [problem] = open_store().problems()
    line = 1 + spoiled.read_text(encoding="utf-8").split(SECRET)[0].count("\n")
    assert problem.where == f"{spoiled}:{line}"
    assert "GitHub token" in problem.what
    assert SECRET not in problem.what


def test_what_the_file_said_before_is_found_and_the_secret_is_not(
    open_store: Open, spoiled: Path, lesson: MemoryEntry, home_path: Path
) -> None:
    storage = open_store()
    write_another(storage)
    assert storage.memories.get([lesson.id])[lesson.id].content == lesson.content
    assert not storage.memories.search(Query(text=SECRET)).candidates
    storage.close()
    assert not any(SECRET.encode() in path.read_bytes() for path in home_path.glob("*.sqlite*"))


def test_it_is_not_committed_and_the_file_is_left_as_it_is(
    open_store: Open, spoiled: Path, memory_folder: Path
) -> None:
    """Not with what we write beside it either."""
    before = spoiled.read_bytes()
    write_another(open_store())
    assert SECRET not in history(memory_folder)
    assert spoiled.read_bytes() == before
    assert spoiled.name in git(memory_folder, "status", "--short")


def test_a_new_note_with_a_secret_is_no_memory(open_store: Open, memory_folder: Path) -> None:
    note = memory_folder / "digest" / "shop" / "note.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"The staging key is {SECRET}.\n", encoding="utf-8")
    storage = open_store()
    write_another(storage)
    assert [entry.content for entry in storage.memories.scan(ALL)] == ["Flush before renaming."]
    assert [problem.where for problem in storage.problems()] == [f"{note}:1"]
    assert SECRET not in history(memory_folder)
    assert note.read_text(encoding="utf-8") == f"The staging key is {SECRET}.\n"


def test_any_other_document_with_a_secret_stays_out_of_the_history(open_store: Open, memory_folder: Path) -> None:
    memory_folder.mkdir(parents=True)
    (memory_folder / "notes.txt").write_text(f"{SECRET}\n", encoding="utf-8")
    write_another(open_store())
    assert SECRET not in history(memory_folder)


def test_nothing_is_written_into_such_a_file(open_store: Open, spoiled: Path, lesson: MemoryEntry) -> None:
    """It would bring the secret into the history; the sentence says which file is to be mended."""
    before = spoiled.read_bytes()
    with pytest.raises(UnreadableFile, match="GitHub token"):
        open_store().memories.update(lesson.id, {"tags": ("tls",)})
    assert spoiled.read_bytes() == before


def test_links_to_its_memory_are_kept_beside_it(
    open_store: Open, spoiled: Path, lesson: MemoryEntry, memory_folder: Path
) -> None:
    """A rule can be made of it; the link back is written when the file is mended."""
    storage = open_store()
    [rule] = storage.memories.put([memory("Renew early.", kind="rule")])
    edge = Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    assert storage.memories.relations(lesson.id) == [edge]
    assert SECRET not in history(memory_folder)


def test_mended_it_is_taken_in_and_committed(
    open_store: Open, spoiled: Path, lesson: MemoryEntry, memory_folder: Path
) -> None:
    write_another(open_store())
    spoiled.write_text(spoiled.read_text(encoding="utf-8").replace(SECRET, "care"), encoding="utf-8")
    storage = open_store()
    write_another(storage)
    assert "With care, before" in storage.memories.get([lesson.id])[lesson.id].content
    assert storage.problems() == []
    assert "With care, before" in history(memory_folder)
    assert git(memory_folder, "status", "--short") == ""


def test_a_new_index_knows_it_too(open_store: Open, spoiled: Path, lesson: MemoryEntry, home_path: Path) -> None:
    storage = open_store()
    storage.reindex()
    assert storage.memories.get([lesson.id])[lesson.id].content == lesson.content
    [problem] = storage.problems()
    assert problem.where.startswith(str(spoiled))


def test_a_forgotten_one_is_gone(open_store: Open, spoiled: Path, lesson: MemoryEntry, memory_folder: Path) -> None:
    open_store().memories.delete([lesson.id])
    assert not spoiled.exists()
    assert SECRET not in history(memory_folder)


def test_what_we_write_ourselves_is_never_taken_for_one(open_store: Open) -> None:
    """Whatever the fields are called in the file."""
    storage = open_store()
    entry = complete_memory().model_copy(update={"idempotency_key": "import:tgdnse8zcdn1jxxr"})
    storage.memories.put([entry])
    storage.reindex()
    assert storage.problems() == []
    assert storage.memories.get([entry.id]) == {entry.id: entry}


def test_what_an_earlier_program_let_in_is_found_by_doctor(open_store: Open, memory_folder: Path) -> None:
    """And is out of the index after the `reindex` that it asks for; out of the history only a person can take it."""
    earlier = open_store()
    earlier._opened.workspace.redactor = NoRedactor
    [kept] = earlier.memories.put([memory(f"The staging key is {SECRET}.", "shop")])
    earlier.close()
    storage = open_store()
    [problem] = storage.verify()
    assert "reindex" in problem.what
    storage.reindex()
    assert storage.memories.get([kept.id]) == {}
    [problem] = storage.problems()
    assert problem.where.startswith(str(file_of(memory_folder, kept)))
