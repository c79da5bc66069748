"""A file that cannot be parsed is left alone byte for byte, reported with its line, and stops nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of, git
from .test_frontmatter import REFUSED, SAMPLES, TAKEN

ALL = Filter(statuses=None)


def test_all_broken_files_at_once_are_reported_once_each_and_the_good_ones_taken(
    open_store: Open, memory_folder: Path
) -> None:
    store = open_store()
    store.memories.put([memory("Good one.", "shop")])
    folder = memory_folder / "digest" / "shop"
    for name in REFUSED:
        (folder / name).write_bytes((SAMPLES / name).read_bytes())
    store.memories.put([memory("Good two.", "shop")])
    (folder / "zzz.md").write_text("A good note after them.", encoding="utf-8")
    storage = open_store()
    assert {each.content for each in storage.memories.scan(ALL)} == {
        "Good one.",
        "Good two.",
        "A good note after them.",
    }
    problems = storage.problems()
    assert sorted(each.where for each in problems) == sorted(
        f"{folder / name}:{line}" for name, (line, _) in REFUSED.items()
    )
    storage.memories.put([memory("Good three.", "shop")])
    storage.reindex()
    assert len(storage.problems()) == len(REFUSED)
    for name in REFUSED:
        assert (folder / name).read_bytes() == (SAMPLES / name).read_bytes()
    assert git(memory_folder, "status", "--short") == ""


@pytest.mark.parametrize("name", TAKEN)
def test_every_valid_sample_is_a_memory_that_can_be_changed(open_store: Open, memory_folder: Path, name: str) -> None:
    folder = memory_folder / "digest" / "shop" / "ci"
    folder.mkdir(parents=True)
    (folder / name).write_bytes((SAMPLES / name).read_bytes())
    storage = open_store()
    [entry] = storage.memories.scan(ALL)
    assert (entry.scope.project, entry.topics) == ("shop", ("ci",))
    before = (folder / name).read_bytes()
    changed = storage.memories.update(entry.id, {"confidence": 0.9, "lesson": {"principle": "Test first: always."}})
    assert storage.memories.get([entry.id]) == {entry.id: changed}
    after = (folder / name).read_bytes()
    for line in before.splitlines():
        assert line in after
    assert after.count(b"hardwon: 1") == 1
    storage.reindex()
    assert storage.memories.get([entry.id]) == {entry.id: changed}


def test_hidden_text_is_taken_and_reported(open_store: Open, memory_folder: Path) -> None:
    folder = memory_folder / "digest" / "shop"
    folder.mkdir(parents=True)
    innocent = ("zwj_persian_khmer_ok.md", "rtl_mixed.md")
    for number, name in enumerate(("bidi_override.md", "tag_block_hidden.md", *innocent)):
        data = (SAMPLES / name).read_bytes().replace(b"les-0001", f"les-{number}".encode())
        (folder / name).write_bytes(data)
    (folder / "flag.md").write_text(
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f England", encoding="utf-8"
    )
    storage = open_store()
    assert len(list(storage.memories.scan(ALL))) == 5
    assert [Path(each.where).name for each in storage.problems()] == ["bidi_override.md:9", "tag_block_hidden.md:9"]


def test_a_memory_whose_file_breaks_keeps_what_it_said_and_is_not_written_to(
    storage: FilesStorage, memory_folder: Path
) -> None:
    [entry] = storage.memories.put([memory("Use ruff.", "shop", tags=("lint",))])
    path = file_of(memory_folder, entry)
    broken = path.read_bytes().replace(b"tags: [lint]", b"title: Use ruff: not flake8")
    path.write_bytes(broken)
    assert storage.memories.get([entry.id]) == {entry.id: entry}
    assert [each.id for each in storage.memories.search(Query(text="ruff")).candidates] == [entry.id]
    with pytest.raises(UnreadableFile, match="no valid YAML"):
        storage.memories.update(entry.id, {"confidence": 0.9})
    assert path.read_bytes() == broken
    other = memory("Other.", "shop")
    storage.memories.put([other])
    edge = Relation(source=other.id, kind=RelationKind.RELATES_TO, target=entry.id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    assert path.read_bytes() == broken
    assert storage.memories.relations(entry.id) == [edge]
    [problem] = storage.problems()
    assert problem.where.startswith(str(path)) and "left as it is" in problem.what
    path.write_bytes(broken.replace(b"title: Use ruff: not flake8", b"title: Use ruff"))
    assert storage.memories.get([entry.id])[entry.id].metadata == {"title": "Use ruff"}
    assert storage.problems() == []


FIELDS = {
    "id": "id: null",
    "kind": "kind: null",
    "kind of no kind": "kind: note",
    "project": "project:",
    "tags as text": 'tags: "a, b"',
    "no tags": "tags: null",
    "confidence": "confidence: high",
    "confidence out of range": "confidence: 7",
    "time": "valid_at: yesterday",
    "believed": "asserted_at: never",
    "number for text": "project: 2048",
    "status": "status: draft",
    "topics": "also_topics: [a.b.c.d.e.f.g.h.i.j]",
    "relations": "relations: [nonsense]",
    "relation": "relations: [{kind: likes, target: x}]",
    "metadata": "metadata: text",
    "list for text": "branch: [a, b]",
}


@pytest.mark.parametrize("line", FIELDS.values(), ids=FIELDS.keys())
def test_a_missing_or_wrong_field_has_its_default_and_the_others_survive(
    open_store: Open, memory_folder: Path, line: str
) -> None:
    folder = memory_folder / "digest" / "shop"
    folder.mkdir(parents=True)
    (folder / "note.md").write_text(f"---\n{line}\nmine: 1.10 # keep\n---\nThe text.\n", encoding="utf-8")
    storage = open_store()
    [entry] = storage.memories.scan(ALL)
    assert entry.content == "The text."
    assert entry.metadata["mine"] == "1.10"
    new = storage.memories.update(entry.id, {"content": "New."})
    text = (folder / "note.md").read_text(encoding="utf-8")
    assert "mine: 1.10 # keep\n" in text and text.endswith("New.\n")
    assert line in text or line == "id: null"
    storage.reindex()
    assert storage.memories.get([entry.id]) == {entry.id: new}


def test_a_value_that_cannot_be_taken_is_named_with_its_line(open_store: Open, memory_folder: Path) -> None:
    folder = memory_folder / "digest" / "shop"
    folder.mkdir(parents=True)
    (folder / "note.md").write_text("---\nid: n-1\nconfidence: high\n---\nText.\n", encoding="utf-8")
    [problem] = open_store().problems()
    assert problem.where == f"{folder / 'note.md'}:3"
    assert "confidence" in problem.what


def test_a_note_without_id_becomes_a_memory_at_the_next_write(open_store: Open, memory_folder: Path) -> None:
    """Reading writes nothing; the person's commit comes first; then three lines are added and no other changes."""
    folder = memory_folder / "digest" / "shop" / "ci"
    folder.mkdir(parents=True)
    note = "---\ntags:\n- a # mine\n---\n# A note\n\nFrom Obsidian.\n"
    (folder / "note.md").write_text(note, encoding="utf-8")
    bare = folder / "bare.md"
    bare.write_text("Just text.", encoding="utf-8")
    storage = open_store()
    before: list[MemoryEntry] = list(storage.memories.scan(ALL))
    assert {each.content for each in before} == {"# A note\n\nFrom Obsidian.", "Just text."}
    assert (folder / "note.md").read_text(encoding="utf-8") == note
    storage.memories.put([memory("Something.")])
    after = (folder / "note.md").read_text(encoding="utf-8")
    assert len(after.splitlines()) == len(note.splitlines()) + 3
    assert after.startswith("---\ntags:\n- a # mine\n") and after.endswith("---\n# A note\n\nFrom Obsidian.\n")
    assert bare.read_text(encoding="utf-8").endswith("---\nJust text.")
    assert storage.memories.get([each.id for each in before]) == {each.id: each for each in before}
    assert git(memory_folder, "log", "--format=%s").splitlines()[:3] == [
        "Remember: Something.",
        "Give notes written by hand an id",
        "Edit by hand: bare.md, note.md",
    ]
    storage.reindex()
    assert storage.memories.get([each.id for each in before]) == {each.id: each for each in before}
    assert storage.problems() == []


def test_a_damaged_decision_is_reported_and_stops_nothing(storage: FilesStorage, memory_folder: Path) -> None:
    folder = memory_folder / "decisions"
    folder.mkdir(parents=True)
    (folder / "x.md").write_text("---\nid: x\n---\n", encoding="utf-8")
    storage.memories.put([memory("Something.")])
    assert storage.ledger.decisions() == []
    assert any("decision" in each.what for each in storage.problems())


BROKEN = {
    "empty": b"",
    "cut off": b"---\nhardwon: 1\nid: 01",
    "UTF-16": "---\n".encode("utf-16"),
    "Latin-1": b"caf\xe9",
    "zeros": b"\0" * 4096,
    "a conflict": b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
    "newer": b"---\nhardwon: 99\n---\ntext\n",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("committed", [False, True])
def test_a_new_index_too_says_what_a_broken_file_said_before(
    open_store: Open, memory_folder: Path, content: bytes, *, committed: bool
) -> None:
    """Also when the broken file is in the history by now, and with the links that begin in it."""
    storage = open_store()
    rule, lesson = memory("A rule.", kind="rule"), memory("A lesson.", "shop")
    storage.memories.put([rule, lesson])
    storage.memories.relate(
        [Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)]
    )
    for entry in (rule, lesson):
        file_of(memory_folder, entry).write_bytes(content)
    storage = open_store()
    if committed:
        storage.memories.put([memory("Another.", "shop")])
    before = (list(storage.memories.scan(ALL)), storage.memories.relations(lesson.id), storage.problems())
    assert {each.id for each in before[0]} >= {rule.id, lesson.id}
    storage.reindex()
    assert (list(storage.memories.scan(ALL)), storage.memories.relations(lesson.id), storage.problems()) == before
