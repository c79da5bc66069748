"""The index is derived: removed, damaged or replaced, it is built again from the files and nobody loses anything."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.indexing.index import Identity, Index
from hardwon.stores.files.indexing.index_format import FORMAT_VERSION
from hardwon.stores.files.storage import FilesStorage
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.search.question import QuestionEmbedder
from hardwon.testing.examples import MOMENT, complete_decision, complete_memory, memory

from .conftest import Open, index_of
from .index_harms import HARMS, blank_search_rows, remove, scribble

ALL = Filter(statuses=None)


@pytest.fixture
def rule() -> MemoryEntry:
    return memory("Rotate certificates before they expire.", kind="rule", topics=("security.tls",))


@pytest.fixture
def full(storage: FilesStorage, rule: MemoryEntry) -> dict[str, object]:
    """Fill a home with one of everything, and return all that it can tell."""
    lessons = [memory(f"Giraffe {number}.", "shop", topics=("ci",)) for number in range(4)]
    archived = memory("Old.", "shop", status=Status.ARCHIVED, topics=("ci",))
    linking = memory(f"See [[{lessons[0].id}]] and [[x-{lessons[1].id}|that]].", "farm")
    storage.memories.put([complete_memory(), rule, archived, linking, *lessons])
    edges = [
        Relation(
            source=rule.id, kind=RelationKind.GENERALIZES, target=each.id, asserted_at=MOMENT, weight=0.5, note="n"
        )
        for each in lessons
    ]
    storage.memories.relate(edges)
    storage.memories.unrelate(edges[:1], MOMENT)
    storage.ledger.decide(complete_decision())
    storage.documents.write("notes/a.md", "text")
    return told(storage)


def told(storage: FilesStorage) -> dict[str, object]:
    entries = list(storage.memories.scan(ALL))
    connection = storage._opened.workspace.index.connection
    rows = connection.execute("SELECT relation, in_text FROM relations ORDER BY relation").fetchall()
    return {
        "entries": entries,
        "relations": [tuple(row) for row in rows],
        "decisions": storage.ledger.decisions(),
        "documents": storage.documents.names(""),
        "found": sorted(each.id for each in storage.memories.search(Query(text="giraffe")).candidates),
        "topics": storage.memories.topics(),
        "problems": storage.problems(),
    }


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_index_is_built_again_without_being_asked(
    harm: object, full: dict[str, object], storage: FilesStorage, open_store: Open, home_path: Path
) -> None:
    assert callable(harm)
    storage.close()
    harm(home_path)
    assert told(open_store()) == full


def test_a_damaged_index_is_set_aside_and_not_removed(
    full: dict[str, object], storage: FilesStorage, open_store: Open, home_path: Path
) -> None:
    storage.close()
    scribble(home_path)
    open_store().problems()
    assert list(home_path.glob("index-damaged-*.sqlite"))


@pytest.mark.parametrize("harm", HARMS)
def test_reindex_mends_any_harm(
    harm: object, full: dict[str, object], storage: FilesStorage, open_store: Open, home_path: Path
) -> None:
    assert callable(harm)
    storage.close()
    harm(home_path)
    open_store().reindex()
    assert told(open_store()) == full


def test_of_two_that_find_it_damaged_the_second_keeps_what_the_first_made(
    full: dict[str, object], storage: FilesStorage, open_store: Open, home_path: Path
) -> None:
    """It waited for the lock, and the index that it found damaged is not there any more."""
    tries = iter([True, False])

    def read() -> Identity | None:
        if next(tries):
            scribble(home_path)
            assert told(open_store()) == full
            raise sqlite3.DatabaseError("file is not a database")
        return storage._opened.workspace.index.identity

    healed_by_the_other = storage._opened.healed(read)
    assert healed_by_the_other == Index(home_path, SearchIndex).identity
    assert len(list(home_path.glob("index-damaged-*.sqlite"))) == 1


def test_a_store_that_is_open_goes_on_when_its_index_is_removed_or_damaged(
    full: dict[str, object], storage: FilesStorage, home_path: Path
) -> None:
    remove(home_path)
    assert told(storage) == full
    scribble(home_path)
    assert told(storage) == full
    storage.memories.put([memory("More.")])
    assert len(list(storage.memories.scan(Filter()))) == len([e for e in full["entries"] if e.status != "archived"]) + 1  # type: ignore[attr-defined]


def test_reindex_under_an_open_store_is_seen_by_it(
    full: dict[str, object], storage: FilesStorage, open_store: Open
) -> None:
    open_store().reindex()
    assert told(storage) == full
    other = memory("From the other.")
    open_store().memories.put([other])
    assert storage.memories.get([other.id]) == {other.id: other}


def test_reindex_corrects_rows_that_do_not_say_what_the_files_say(
    full: dict[str, object], storage: FilesStorage
) -> None:
    index = storage._opened.workspace.index
    index.run("UPDATE memories SET content = 'forged', entry = replace(entry, 'Giraffe', 'Forged')")
    index.run("DELETE FROM relations")
    storage.reindex()
    assert told(storage) == full


ALTERATIONS = {
    "text": "UPDATE memories SET entry = replace(entry, 'Giraffe 1', 'Forged')",
    "column": "UPDATE memories SET status = 'archived' WHERE content = 'Giraffe 1.'",
    "row gone": "DELETE FROM memories WHERE content = 'Giraffe 1.'",
    "not searched": "DELETE FROM search_documents WHERE id = (SELECT id FROM memories WHERE content = 'Giraffe 1.')",
    "path": "UPDATE memories SET path = 'digest/shop/other.md' WHERE content = 'Giraffe 1.'",
}


@pytest.mark.parametrize("sql", ALTERATIONS.values(), ids=ALTERATIONS.keys())
def test_doctor_names_a_file_that_the_index_belies_and_reindex_mends_it(
    full: dict[str, object], storage: FilesStorage, sql: str
) -> None:
    assert storage.verify() == []
    storage._opened.workspace.index.run(sql)
    [problem] = storage.verify()
    assert "something else than 1 files" in problem.what and "giraffe-1" in problem.what
    assert "hardwon reindex" in problem.what
    storage.reindex()
    assert storage.verify() == []
    assert told(storage) == full


def test_what_no_row_can_be_expected_of_is_no_disagreement(
    full: dict[str, object], storage: FilesStorage, open_store: Open, memory_folder: Path
) -> None:
    """Broken files, copies, notes without an id, deleted files."""
    shop = memory_folder / "digest" / "shop"
    first, second, third, *_ = sorted(shop.rglob("giraffe-*.md"))
    (shop / "copy.md").write_bytes(first.read_bytes())
    (shop / "note.md").write_text("A note of mine.\n", encoding="utf-8")
    second.write_text("---\nid: [\n---\n", encoding="utf-8")
    third.unlink()
    store = open_store()
    assert store.verify() == []
    store.memories.put([memory("After.")])
    assert store.verify() == []


def test_a_read_transaction_elsewhere_does_not_stop_a_writer(
    full: dict[str, object], storage: FilesStorage, home_path: Path
) -> None:
    reader = sqlite3.connect(index_of(home_path), isolation_level=None)
    reader.execute("BEGIN")
    before = reader.execute("SELECT count(*) FROM memories").fetchone()
    storage.memories.put([memory("While it reads.")])
    assert reader.execute("SELECT count(*) FROM memories").fetchone() == before
    reader.close()


@pytest.mark.parametrize("value", ["NULL", "'junk'", "x'00ff'"])
def test_damaged_keys_of_vectors_are_healed_when_a_question_has_a_vector(
    full: dict[str, object], storage: FilesStorage, home_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    blank_search_rows("vector_keys", value)(home_path)
    monkeypatch.setattr(QuestionEmbedder, "ask", lambda *_: lambda: ("test", [1.0, 0.0]))
    assert told(storage) == full
    assert list(home_path.glob("index-damaged-*.sqlite"))


def test_the_index_says_its_format(storage: FilesStorage) -> None:
    storage.memories.get([])
    assert storage._opened.workspace.index.meta("format") == str(FORMAT_VERSION)
