"""The tables: made once by whoever comes first, brought up to date whole or not at all, refused where newer."""

from __future__ import annotations

import threading

import psycopg
import pytest

from hardwon.kernel.errors import HardwonError, NewerFormat, StoreError
from hardwon.kernel.query import Filter
from hardwon.kernel.settings import PostgresSettings
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.stores.sql.format import FORMAT_VERSION
from hardwon.testing.examples import memory

from .conftest import OpenHome

SCHEMA = "hardwon.stores.postgres.schema"


def test_whoever_comes_at_once_finds_one_set_of_tables(open_home: OpenHome, new_postgres: PostgresSettings) -> None:
    """Two machines that begin at the same time make them once."""
    opened: list[PostgresStorage | Exception] = []

    def begin(number: int) -> None:
        try:
            opened.append(PostgresStorage(open_home(f"home-{number}", new_postgres)))
        except HardwonError as error:
            opened.append(error)

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, storage in enumerate(opened):
        assert isinstance(storage, PostgresStorage), storage
        storage.memories.put([memory(f"of {number}")])
    assert isinstance(opened[0], PostgresStorage)
    assert len(list(opened[0].memories.scan(Filter()))) == 3
    for storage in opened:
        assert isinstance(storage, PostgresStorage)
        storage.close()


def test_newer_tables_are_refused_untouched(open_home: OpenHome, new_postgres: PostgresSettings) -> None:
    """By an older program."""
    PostgresStorage(open_home("home", new_postgres)).close()
    with psycopg.connect(new_postgres.url, autocommit=True) as connection:
        connection.execute(f"UPDATE {new_postgres.schema_name}.meta SET value = '99' WHERE key = 'format'")
    with pytest.raises(NewerFormat, match="upgrade hardwon, nothing was touched"):
        PostgresStorage(open_home("home", new_postgres))


def test_older_tables_are_brought_up_to_date(
    open_home: OpenHome, new_postgres: PostgresSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step, in one transaction: one that fails leaves what was, and the next try goes on."""
    storage = PostgresStorage(open_home("home", new_postgres))
    kept = storage.memories.put([memory("kept")])
    storage.close()
    monkeypatch.setattr(f"{SCHEMA}.FORMAT_VERSION", FORMAT_VERSION + 1)
    broken = ("ALTER TABLE memories ADD COLUMN added integer", "SELECT nonsense")
    monkeypatch.setattr(f"{SCHEMA}.MIGRATIONS", {FORMAT_VERSION: broken})
    with pytest.raises(StoreError):
        PostgresStorage(open_home("home", new_postgres))
    monkeypatch.setattr(f"{SCHEMA}.MIGRATIONS", {FORMAT_VERSION: broken[:1]})
    storage = PostgresStorage(open_home("home", new_postgres))
    assert storage.database.rows("SELECT added FROM memories") == [(None,)]
    assert list(storage.memories.scan(Filter())) == kept
    storage.close()


def test_a_schema_may_be_called_like_a_word_of_sql(open_home: OpenHome, postgres: PostgresSettings) -> None:
    """A name is a name: it is quoted wherever it stands in a statement."""
    named = postgres.model_copy(update={"schema_name": "select"})
    try:
        storage = PostgresStorage(open_home("home", named))
        kept = storage.memories.put([memory("kept")])
        storage.close()
        storage = PostgresStorage(open_home("other", named))
        assert list(storage.memories.scan(Filter())) == kept
        storage.arrange_vectors()
        storage.close()
    finally:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute('DROP SCHEMA IF EXISTS "select" CASCADE')


def test_two_schemas_are_two_memories(
    open_home: OpenHome, new_postgres: PostgresSettings, postgres: PostgresSettings
) -> None:
    """In one database, for two teams."""
    one, other = (PostgresStorage(open_home("home", each)) for each in (new_postgres, postgres))
    one.memories.put([memory("of one")])
    assert list(other.memories.scan(Filter())) == []
    with one.operation("Holds one's lock"):
        other.memories.put([memory("of the other")])
    one.close()
    other.close()
