"""What is special to memories as files: one readable file each, cleaned text, folders that do not overflow."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.query import Filter
from hardwon.stores.files import room
from hardwon.stores.files.notes.layout import FULL_FOLDER
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, complete_decision, complete_memory, memory

from .conftest import Open, file_of, git

ALL = Filter(statuses=None)


def test_a_file_is_flat_front_matter_and_the_text(storage: FilesStorage, memory_folder: Path) -> None:
    entry = complete_memory()
    storage.memories.put([entry])
    path = file_of(memory_folder, entry)
    assert path.parent == memory_folder / "archive/digest/github.com--acme--shop/delivery/ci/runners" or (
        path.parent == memory_folder / "digest/github.com--acme--shop/delivery/ci/runners"
    )
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    values = yaml.safe_load(front)
    assert values["hardwon"] == 1
    assert values["id"] == entry.id
    assert values["valid_at"].isoformat() == entry.times.valid_at.isoformat()  # type: ignore[union-attr]
    assert "valid_at: 2026-01-01T08:30:00+05:30\n" in front
    assert body == entry.content + "\n"
    nested = {key for key, value in values.items() if isinstance(value, dict)}
    assert nested <= {"metadata"} | entry.metadata.keys()


@pytest.mark.parametrize("bad", ["a\x00b", "\ud83d", "\x1b[31mred", "\uffff", "\x7f", "a\x0cb"])
def test_what_a_text_cannot_hold_is_cleaned_in_every_field(storage: FilesStorage, bad: str) -> None:
    entry = memory(f"Content {bad}.", lesson={"principle": bad + "x"}, tags=(bad + "t",), metadata={bad + "k": [bad]})
    [kept] = storage.memories.put([entry])
    storage.ledger.decide(complete_decision(why=bad))
    storage.documents.write("a.md", bad)
    storage.memories.update(kept.id, {"branch": f"b{bad}"})
    before = (list(storage.memories.scan(ALL)), storage.ledger.decisions(), storage.documents.read("a.md"))
    storage.reindex()
    assert (list(storage.memories.scan(ALL)), storage.ledger.decisions(), storage.documents.read("a.md")) == before
    assert storage.problems() == []
    assert bad not in before[0][0].model_dump_json()


def test_a_text_that_looks_like_a_conflict_or_a_block_of_links_is_a_text(storage: FilesStorage) -> None:
    texts = [
        "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other",
        "---\nid: x\nhardwon: 7\n---\ntext",
        "A\n\n<!-- hardwon:links -->\nnot closed",
    ]
    entries = storage.memories.put([memory(text) for text in texts])
    storage.reindex()
    assert [each.content for each in storage.memories.get([each.id for each in entries]).values()] == texts
    assert storage.problems() == []


def test_a_full_folder_is_split(storage: FilesStorage, memory_folder: Path) -> None:
    entries = storage.memories.put([memory(f"Lesson {number}.", "shop", topics=("ci",)) for number in range(540)])
    storage.memories.put([memory("One more.", "shop", topics=("ci",))])
    folders = {path.parent for path in memory_folder.rglob("digest/**/*.md")}
    counts = [sum(1 for each in folder.iterdir() if each.is_file()) for folder in folders]
    assert max(counts) == FULL_FOLDER
    storage.reindex()
    assert storage.memories.get([each.id for each in entries]) == {each.id: each for each in entries}


def test_a_folder_of_decisions_that_is_full_is_split_by_the_same_rule(
    storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "FULL_FOLDER", 3)
    made = [complete_decision(id=new_id(MOMENT)) for _ in range(9)]
    for decision in made:
        storage.ledger.decide(decision)
    files = list((memory_folder / "decisions").rglob("*.md"))
    assert len(files) == 9
    below = [path for path in files if path.parent.name != "decisions"]
    assert len(below) == 6
    assert all(path.parent.name in (f"_{path.stem[-1]}", f"_{path.stem[-2]}") for path in below)
    storage.reindex()
    assert {each.id for each in storage.ledger.decisions()} == {each.id for each in made}


def test_a_folder_that_a_person_filled_stays_and_goes_on_below_itself(
    storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of theirs is moved, so every link and the history of every file stay true."""
    folder = memory_folder / "digest" / "shop" / "ci"
    folder.mkdir(parents=True)
    for number in range(5):
        (folder / f"note-{number}.md").write_text(f"See [[note-{(number + 1) % 5}]].\n", encoding="utf-8")
    monkeypatch.setattr(room, "FULL_FOLDER", 3)
    [entry] = storage.memories.put([memory("Ours, as in [[note-3]].", "shop", topics=("ci",))])
    assert len(list(folder.glob("note-*.md"))) == 5
    [ours] = folder.rglob(f"*{entry.id}.md")
    assert ours.parent.name == f"_{entry.id[-1]}"
    [edge] = storage.memories.relations(entry.id)
    assert storage.path_of(edge.target) == folder / "note-3.md"
    assert storage.problems() == []


def test_archiving_moves_the_file_and_taking_it_back_moves_it_back(storage: FilesStorage, memory_folder: Path) -> None:
    for kind in (Kind.LESSON, Kind.RULE):
        entry = memory(f"A {kind}.", "shop", kind=kind, topics=("ci.deploy",))
        storage.memories.put([entry])
        path = file_of(memory_folder, entry)
        archived = storage.memories.update(entry.id, {"status": Status.ARCHIVED})
        place = path.relative_to(memory_folder)
        assert file_of(memory_folder, entry) == memory_folder / "archive" / place
        storage.reindex()
        assert storage.memories.get([entry.id]) == {entry.id: archived}
        assert storage.memories.update(entry.id, {"status": Status.ACTIVE}) == entry
        assert file_of(memory_folder, entry) == path


def test_a_changed_title_keeps_the_name_so_that_links_stay_true(storage: FilesStorage, memory_folder: Path) -> None:
    entry = memory("First title.")
    storage.memories.put([entry])
    path = file_of(memory_folder, entry)
    storage.memories.update(entry.id, {"content": "Second title."})
    assert file_of(memory_folder, entry) == path
    assert storage.reference(entry.id) == path.stem


def test_topics_that_share_a_folder_stay_apart(storage: FilesStorage) -> None:
    topics = ["API", "api", "C++", "C#", "c", "con", "x y", "x-y", "_x", "漢字", "z" * 90]
    entries = storage.memories.put([memory(f"{topic}.", "shop", topics=(topic,)) for topic in topics])
    storage.reindex()
    assert storage.memories.get([each.id for each in entries]) == {each.id: each for each in entries}
    assert storage.problems() == []


def test_a_file_of_a_newer_hardwon_is_left_alone(open_store: Open, memory_folder: Path) -> None:
    path = memory_folder / "rules" / "r.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nhardwon: 2\nid: r\n---\nText.\n", encoding="utf-8")
    [problem] = open_store().problems()
    assert "upgrade" in problem.what and problem.where.endswith("r.md:2")


def test_the_front_door_names_projects_topics_and_rules(storage: FilesStorage, memory_folder: Path) -> None:
    storage.memories.put(
        [
            memory("One.", "shop", topics=("ci.deploy",)),
            memory("Two.", "shop", topics=("ci.deploy",)),
            memory("三。", topics=("安全",)),
            memory("Pin what you run on.", kind="rule"),
            memory("Old.", "gone", status="archived"),
        ]
    )
    text = (memory_folder / "index.md").read_text(encoding="utf-8")
    assert "| [shop](<digest/shop>) | 2 | ci.deploy (2) |" in text
    assert "| [everywhere](<digest/_global>) | 1 | 安全 (1) |" in text
    assert "|Pin what you run on.]]" in text
    assert "gone" not in text
    storage.reindex()
    storage.documents.write("a.md", "x")
    assert (memory_folder / "index.md").read_text(encoding="utf-8") == text


def test_forgetting_removes_the_file_and_every_copy_of_it(
    storage: FilesStorage, memory_folder: Path, open_store: Open
) -> None:
    entry = memory("Secret.", "shop")
    storage.memories.put([entry])
    path = file_of(memory_folder, entry)
    path.with_name("copy.md").write_bytes(path.read_bytes())
    store = open_store()
    store.memories.delete([entry.id])
    assert not list(memory_folder.rglob("digest/**/*.md"))
    assert list(store.memories.scan(ALL)) == []
    assert git(memory_folder, "status", "--short") == ""
