"""`doctor` finds what is derived wrongly on the server, and `reindex` puts it right."""

from __future__ import annotations

import psycopg
import pytest

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.query import Query
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.embedding import embed_missing
from hardwon.stores.actions import reindex
from hardwon.stores.postgres import verifying
from hardwon.stores.postgres.storage import PostgresStorage, open_postgres
from hardwon.testing.examples import complete_memory, memory

from .conftest import OpenHome

WRONG = {
    "UPDATE memories SET status = 'archived'": "says something else",
    "DELETE FROM topics": "says something else",
    "UPDATE search_terms SET documents = documents + 1 WHERE term = 'giraff'": "how many hold giraff",
    "DELETE FROM search_terms WHERE term = '银行'": "how many hold 银行",
    "UPDATE search_totals SET documents = 7": "how many there are",
    "DELETE FROM search_keys": "which of their texts are embedded",
    "INSERT INTO search_keys VALUES ('none', 1000000, 'en')": "which of their texts are embedded",
    "UPDATE search_texts SET key = 'none' || key": "vectors of texts that none has",
    "UPDATE search_texts SET language = 'zh' WHERE language = 'en'": "vectors of texts that none has",
}


@pytest.fixture
def home(open_home: OpenHome) -> Home:
    """Return a home with memories in two languages and their vectors."""
    home = open_home()
    home.__dict__["storage"] = storage = PostgresStorage(home)
    storage.memories.put([complete_memory(), memory("银行 giraffe"), memory("another giraffe")])
    embed_missing(home)
    return home


def everything_found(home: Home) -> object:
    """Return what is said of each memory by words and by meaning."""
    return {
        (text, each.id): (each.lexical, each.semantic, each.status)
        for text in ("giraffe", "银行")
        for each in home.storage.memories.search(Query(text=text)).candidates
    }


def test_what_is_derived_wrongly(home: Home) -> None:
    """It is told; built anew, everything is found as before, and nothing is wrong any more."""
    storage = home.storage
    assert isinstance(storage, PostgresStorage)
    assert storage.verify() == []
    before = everything_found(home)
    for sql, said in WRONG.items():
        with storage.database.operation("Spoil something"):
            assert storage.database.run(sql), sql
        [problem] = storage.verify()
        assert said in problem.what, sql
        assert "run `hardwon reindex`" in problem.what
        storage.reindex()
        assert storage.verify() == [], sql
        assert everything_found(home) == before, sql
    storage.close()


@pytest.mark.parametrize("page", [1, 2, 3])
def test_what_no_memory_has_is_found_wherever_a_page_ends(
    home: Home, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also beyond the last memory, with which a page may end."""
    storage = home.storage
    assert isinstance(storage, PostgresStorage)
    monkeypatch.setattr(verifying, "PAGE", page)
    assert storage.verify() == []
    with storage.database.operation("Spoil something"):
        storage.database.run("INSERT INTO search_keys VALUES ('none', 1000000, 'en')")
    [problem] = storage.verify()
    assert "which of their texts are embedded" in problem.what
    storage.close()


def test_a_memory_that_cannot_be_read(home: Home) -> None:
    """It is the truth, and nothing else could tell it: that is said, and building anew refuses."""
    storage = home.storage
    assert isinstance(storage, PostgresStorage)
    with storage.database.operation("Spoil something"):
        storage.database.run("UPDATE memories SET entry = '{' WHERE content = 'another giraffe'")
    [problem] = storage.verify()
    assert "restore a backup" in problem.what
    with pytest.raises(StoreError):
        storage.reindex()
    storage.close()


def test_what_an_interrupted_reindex_left_goes_with_the_next(open_home: OpenHome, postgres: PostgresSettings) -> None:
    """Somebody who reads for too long stops it: that is said, and no copy of an index is left for good."""
    storage = PostgresStorage(open_home("home", postgres.model_copy(update={"lock_timeout": 0.2})))
    storage.memories.put([memory("giraffe")])
    copies = "SELECT relname FROM pg_class WHERE relname ~ '_cc(new|old)[0-9]*$' AND relkind = 'i'"
    with psycopg.connect(postgres.url) as reader:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("SELECT count(*) FROM pg_class")
        for _ in range(2):
            with pytest.raises(StoreBusy):
                storage.reindex()
        assert storage.database.rows(copies)
    storage.reindex()
    assert storage.database.rows(copies) == []
    assert storage.verify() == []


def test_two_machines_do_not_rebuild_indexes_at_once(open_home: OpenHome) -> None:
    one, other = (PostgresStorage(open_home(name)) for name in ("one", "other"))
    with one.database.turn("reindex") as got, pytest.raises(StoreBusy, match="Another machine is building"):
        assert got
        other.reindex()


def test_nothing_is_built_while_the_server_is_away(open_home: OpenHome, home: Home) -> None:
    """And nobody is told that it was."""
    storage = home.storage
    assert isinstance(storage, PostgresStorage)
    storage.refresh_replica()
    storage.close()
    there = open_home("home", PostgresSettings(url="host=127.0.0.1 port=1"))
    there.__dict__["storage"] = away = open_postgres(there)
    with pytest.raises(StoreError, match="cannot be reached"):
        reindex(there)
    away.close()
