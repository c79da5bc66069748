"""What is forgotten is in no row of the server, and whoever forgets is told what of it failed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardwon.kernel.errors import NotFound, StoreError
from hardwon.kernel.settings import PostgresSettings
from hardwon.stores.postgres.database import WORDS
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.testing.examples import memory

from .conftest import OpenHome


@pytest.fixture
def storage(open_home: OpenHome, new_postgres: PostgresSettings) -> Iterator[PostgresStorage]:
    storage = PostgresStorage(open_home(settings=new_postgres))
    yield storage
    storage.close()


def tables(storage: PostgresStorage) -> list[str]:
    """Return the names of all tables."""
    sql = "SELECT tablename FROM pg_tables WHERE schemaname = ?"
    return [str(name) for (name,) in storage.database.rows(sql, [storage.database.schema])]


def pages(storage: PostgresStorage) -> bytes:
    """Return the pages of all tables as they lie on the server's disk, where they hold nothing but rows."""
    storage.database.run_alone([f"VACUUM FULL {', '.join(tables(storage))}", "CHECKPOINT"])
    sql = (
        "SELECT pg_read_binary_file(pg_relation_filepath(oid::regclass)) FROM pg_class "
        "WHERE relnamespace = to_regnamespace(?) AND relkind IN ('r', 't')"
    )
    return b"".join(bytes(page) for (page,) in storage.database.rows(sql, [storage.database.schema]))


def test_what_is_forgotten_is_in_no_row(storage: PostgresStorage) -> None:
    """Nor are its former words, its topics and tags, and the reasons of the operations that kept and changed it."""
    [secret] = storage.memories.put([memory("hunter2 was old", topics=["hunter2"], tags=["hunter2"])])
    [stays] = storage.memories.put([memory("stays")])
    storage.memories.update(secret.id, {"content": "hunter2 in newer words"})
    assert b"hunter2" in pages(storage)
    storage.memories.delete([secret.id])
    held = pages(storage)
    assert b"hunter2" not in held
    assert stays.content.encode() in held


def test_what_cannot_be_freed_is_told(storage: PostgresStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is forgotten all the same, and that is said."""
    [secret] = storage.memories.put([memory("hunter2")])
    monkeypatch.setattr("hardwon.stores.postgres.database.WORDS", (*WORDS, "no_such_table"))
    with pytest.raises(StoreError, match="It was deleted;"):
        storage.memories.delete([secret.id])
    assert storage.memories.get([secret.id]) == {}
    with pytest.raises(NotFound):
        storage.memories.delete([secret.id])
