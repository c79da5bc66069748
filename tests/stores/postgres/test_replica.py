"""The copy in the home: it says what the server says, without the server, and takes over what changed alone."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.cli.actions.homes import init, status
from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.kernel.use_cases.past.memories import PastMemories
from hardwon.review_queue.actions import list_proposals
from hardwon.stores.postgres.replica_name import FILE_NAME
from hardwon.stores.postgres.storage import PostgresStorage, open_postgres
from hardwon.stores.sqlite.database import SqliteDatabase
from hardwon.stores.sqlite.place import readable
from hardwon.stores.sqlite.verifying import verify
from hardwon.testing.examples import MOMENT, complete_memory, memory
from hardwon.testing.fakes import FixedClock

from .conftest import OpenHome

NOWHERE = PostgresSettings(url="host=127.0.0.1 port=1 dbname=none user=nobody")


def away(home: Home) -> Storage:
    """Open the same home as when its server is not there."""
    return open_postgres(
        Home(home.path, clock=FixedClock(), settings=Settings(store="postgres", postgres=NOWHERE, embedder="none"))
    )


def everything(storage: Storage) -> object:
    """Return what recall may need of a storage."""
    entries = {entry.id: entry for entry in storage.memories.scan(Filter(statuses=None))}
    edges = {id: storage.memories.relations(id) for id in entries}
    documents = {name: storage.documents.read(name) for name in storage.documents.names("")}
    return entries, edges, documents, storage.ledger.decisions(), storage.memories.topics()


def found(storage: Storage, text: str) -> list[str]:
    """Return the ids of what a question finds, sorted."""
    return sorted(each.id for each in storage.memories.search(Query(text=text, by_words=True)).candidates)


@pytest.fixture
def home(open_home: OpenHome) -> Home:
    return open_home()


@pytest.fixture
def storage(home: Home) -> PostgresStorage:
    return PostgresStorage(home)


def test_it_says_what_the_server_says(home: Home, storage: PostgresStorage) -> None:
    """Memories, edges, topics, documents and decisions, and the same words find the same memories."""
    first, other, gone = complete_memory(), memory("银行 giraffe"), memory("giraffe gone")
    storage.memories.put([first, other, gone])
    edge = Relation(source=first.id, kind=RelationKind.GENERALIZES, target=other.id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    storage.documents.write("a.md", "text")
    storage.refresh_replica()
    storage.memories.update(other.id, {"content": "银行 elephant"})
    storage.memories.unrelate([edge], MOMENT)
    storage.memories.delete([gone.id])
    storage.documents.move("a.md", "b.md")
    storage.refresh_replica()
    copy = away(home)
    assert everything(copy) == everything(storage)
    assert found(copy, "elephant") == found(storage, "elephant") == [other.id]
    assert found(copy, "银行") == [other.id]
    assert found(copy, "giraffe") == []
    copy.close()
    storage.close()


def test_only_what_changed_is_read(home: Home, storage: PostgresStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that is up to date reads no memory again."""
    storage.memories.put([memory(f"number {number}") for number in range(20)])
    storage.refresh_replica()
    new = storage.memories.put([memory("the only new one")])[0]
    asked: list[tuple[str, int]] = []
    read = storage.database.rows

    def counted(sql: str, values: object = ()) -> list[tuple[object, ...]]:
        rows = read(sql, values)  # type: ignore[arg-type]
        asked.append((sql, len(rows)))
        return rows

    monkeypatch.setattr(storage.database, "rows", counted)
    storage.refresh_replica()
    assert sum(rows for sql, rows in asked if "FROM memories" in sql) == 1
    assert found(away(home), "only new") == [new.id]
    storage.close()


def test_what_a_process_wrote_is_in_the_copy_when_it_ends(home: Home, storage: PostgresStorage) -> None:
    """So the hook shows it at the next prompt, without waiting for the background."""
    storage.refresh_replica()
    kept = storage.memories.put([memory("remembered just now")])[0]
    storage.close()
    assert found(away(home), "remembered") == [kept.id]


def test_another_schema_is_another_memory(
    open_home: OpenHome, home: Home, storage: PostgresStorage, new_postgres: PostgresSettings
) -> None:
    """A home that is led to other tables has nothing left of the former ones."""
    storage.memories.put([memory("former giraffe")])
    storage.refresh_replica()
    storage.close()
    elsewhere = PostgresStorage(open_home("home", new_postgres))
    kept = elsewhere.memories.put([memory("elephant")])[0]
    elsewhere.refresh_replica()
    elsewhere.close()
    copy = away(home)
    assert [entry.id for entry in copy.memories.scan(Filter())] == [kept.id]
    copy.close()


def test_it_is_for_its_owner_alone(home: Home, storage: PostgresStorage) -> None:
    """Like every file of a home."""
    storage.refresh_replica()
    assert (home.path / FILE_NAME).stat().st_mode & 0o077 == 0
    storage.close()


class TestAway:
    """The server is away."""

    def test_recall_goes_on_and_says_so(self, home: Home, storage: PostgresStorage) -> None:
        """What is found is of the copy; how old that is, and why, stands beside it."""
        kept = storage.memories.put([memory("giraffe")])[0]
        storage.refresh_replica()
        storage.close()
        copy = away(home)
        answer = copy.memories.search(Query(text="giraffe"))
        assert [each.id for each in answer.candidates] == [kept.id]
        assert "cannot be reached" in answer.notes[-1]
        assert "0 min old" in answer.notes[-1]
        assert len(copy.problems()) == 1
        copy.close()

    def test_nothing_is_acknowledged(self, home: Home, storage: PostgresStorage) -> None:
        """Neither a memory nor activity is kept in the copy, which the next refresh would lose."""
        storage.refresh_replica()
        storage.close()
        copy = away(home)
        with pytest.raises(StoreError, match="Nothing can be kept"):
            copy.memories.put([memory("new")])
        with pytest.raises(StoreError, match="Nothing can be kept"):
            copy.vectors.keep("space", {"key": b"\0" * 8})
        assert list(copy.memories.scan(Filter())) == []
        copy.close()

    def test_what_the_copy_has_not_is_no_nothing(self, home: Home, storage: PostgresStorage) -> None:
        """Former states and transcripts: an answer without them would be a wrong one, and an export would lack them."""
        [kept] = storage.memories.put([memory("then")])
        storage.memories.update(kept.id, {"content": "now"})
        storage.refresh_replica()
        storage.close()
        copy = away(home)
        for ask in (
            lambda: PastMemories(copy.memories, MOMENT).get([kept.id]),
            lambda: copy.memories.versions([kept.id]),
            lambda: list(copy.journal.blocks()),
            lambda: copy.journal.search("then"),
            lambda: copy.journal.of_session("s-1"),
        ):
            with pytest.raises(StoreError, match="on the server alone"):
                ask()
        copy.close()

    def test_a_queue_that_cannot_be_seen_is_not_an_empty_one(self, home: Home, storage: PostgresStorage) -> None:
        """The review says that the server is away, and so does the status, which answers all the same."""
        storage.memories.put([memory("giraffe")])
        storage.refresh_replica()
        storage.close()
        there = Home(home.path, settings=Settings(store="postgres", postgres=NOWHERE, embedder="none"))
        for ask in (lambda: list_proposals(there), lambda: there.queue.find("p"), lambda: there.queue.all()):
            with pytest.raises(StoreError, match=r"cannot be reached .* on the server alone"):
                ask()
        report = status(there)
        assert (report.data.queue, report.data.kinds) == (None, {"lesson": 1})
        assert "- Review queue: cannot be read now" in report.text
        assert any("on the server alone" in problem.what for problem in report.data.problems)
        there.storage.close()

    def test_without_a_copy_it_is_an_error(self, tmp_path: Path) -> None:
        """One sentence that says which server, and what to do."""
        home = Home(tmp_path / "new", settings=Settings(store="postgres", postgres=NOWHERE))
        home.create()
        with pytest.raises(StoreError, match=r"127\.0\.0\.1:1/none cannot be reached .*postgres\.url"):
            open_postgres(home)


def test_a_damaged_copy_is_made_anew(home: Home, storage: PostgresStorage) -> None:
    """It is derived: nothing is lost with it."""
    kept = storage.memories.put([memory("giraffe")])[0]
    storage.refresh_replica()
    for path in home.path.glob(f"{FILE_NAME}*"):
        path.write_bytes(b"no database at all" * 300)
    storage.refresh_replica()
    with sqlite3.connect(home.path / FILE_NAME) as connection:
        assert connection.execute("SELECT id FROM memories").fetchall() == [(kept.id,)]
    connection.close()
    storage.close()


def test_what_is_forgotten_is_gone_from_the_copy(home: Home, storage: PostgresStorage) -> None:
    """Its words are neither in the file nor in its log, nor those of a document that is no more."""
    [secret, stays] = storage.memories.put([memory("hunter2 in the words of old"), memory("stays")])
    storage.documents.write("hunter3.md", "text")
    storage.refresh_replica()
    storage.memories.delete([secret.id])
    storage.documents.move("hunter3.md", "b.md")
    storage.refresh_replica()
    held = b"".join(path.read_bytes() for path in home.path.glob(f"{FILE_NAME}*"))
    assert b"hunter" not in held
    assert stays.content.encode() in held
    storage.close()


def test_what_is_pruned_is_gone_from_the_copy(home: Home, storage: PostgresStorage) -> None:
    """What happened long ago on the server is no more in the copy either, and what came late is."""
    old, new = (Activity(kind="import", at=MOMENT - timedelta(days=days)) for days in (400, 1))
    storage.ledger.append([old, new])
    storage.refresh_replica()
    assert storage.ledger.prune(MOMENT - timedelta(days=100), lambda _: False) == 1
    copy = sqlite3.connect(home.path / FILE_NAME)
    copy.execute("DELETE FROM activity WHERE at > ?", [old.at.timestamp()])  # as if the server had shown it too late
    copy.commit()
    copy.close()
    storage.refresh_replica()
    assert list(away(home).ledger.activity()) == list(storage.ledger.activity()) == [new]
    storage.close()


def test_a_key_may_go_from_one_memory_to_another(
    home: Home, storage: PostgresStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the two are read in different pages: neither is lost, nor what search knows of them."""
    monkeypatch.setattr("hardwon.stores.postgres.replica._PAGE", 1)
    first, second = storage.memories.put([memory("giraffe"), memory("elephant", idempotency_key="key")])
    storage.refresh_replica()
    storage.memories.update(second.id, {"idempotency_key": None, "content": "zebra"})
    storage.memories.update(first.id, {"idempotency_key": "key"})
    storage.refresh_replica()
    copy = away(home)
    assert everything(copy) == everything(storage)
    assert found(copy, "elephant") == []
    assert found(copy, "zebra") == [second.id]
    copy.close()
    storage.close()
    assert verify(SqliteDatabase(home.path / FILE_NAME, readable(home.path / FILE_NAME), FixedClock())) == []


def test_a_home_has_its_copy_from_the_beginning(home: Home, storage: PostgresStorage) -> None:
    """`hardwon init` makes it, also where no coding agent is connected and nobody else would."""
    kept = memory("银行 giraffe")
    storage.memories.put([kept])
    storage.close()
    init(home)
    home.storage.close()
    copy = away(home)
    assert found(copy, "银行") == [kept.id]
    copy.close()


def test_a_copy_that_cannot_be_made_anew_fails_no_write(home: Home, storage: PostgresStorage) -> None:
    """The memory is on the server by then; whoever makes the copy on purpose is told."""
    (home.path / FILE_NAME).mkdir()
    storage.memories.put([memory("giraffe")])
    with pytest.raises(StoreError, match="cannot be made anew"):
        storage.refresh_replica()
    storage.close()
