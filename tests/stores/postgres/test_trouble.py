"""What the store does when the server or the way to it fails: in time, in our words, losing nothing acknowledged."""

from __future__ import annotations

import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from hardwon.kernel.errors import HardwonError, InvalidInput, StoreBusy, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.doctor import examine
from hardwon.stores.postgres.embedded import EmbeddedServer
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.testing.examples import memory

from .conftest import OpenHome

LONGEST = 20.0
"""Seconds within which everything ends here, one way or the other."""


class Wire:
    """A way to the server over TCP that can be cut: bytes are then taken and go nowhere, as behind a pulled cable."""

    def __init__(self, folder: Path) -> None:
        self._target = str(folder / ".s.PGSQL.5432")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listening]
        self.port = self._listening.getsockname()[1]
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._target)
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if not self.is_cut:
                    target.sendall(data)
        except OSError:
            return

    def close(self) -> None:
        """Close everything."""
        for each in self._open:
            each.close()


@pytest.fixture(scope="module")
def server(postgres_url: str) -> Iterator[EmbeddedServer]:
    """Yield a server that these tests may stop: not the one that the others use."""
    with EmbeddedServer() as server:
        yield server


@pytest.fixture
def settings(server: EmbeddedServer) -> PostgresSettings:
    schema = f"trouble_{uuid.uuid4().hex[:12]}"
    return PostgresSettings(url=server.url, schema_name=schema, statement_timeout=1, lock_timeout=1)


class TestRestarted:
    """The server is stopped, or crashes, and comes back."""

    def test_reading_and_writing_go_on(
        self, open_home: OpenHome, server: EmbeddedServer, settings: PostgresSettings
    ) -> None:
        """The same open store finds its way back; what was acknowledged is there, after a crash too."""
        storage = PostgresStorage(open_home("home", settings))
        kept = [storage.memories.put([memory("before")])[0]]
        for at_once in (False, True):
            server.interrupt(at_once=at_once)
            server.start()
            assert {entry.id for entry in storage.memories.scan(Filter())} == {entry.id for entry in kept}
            kept += storage.memories.put([memory("after")])
        assert len(list(storage.memories.scan(Filter()))) == 3
        storage.close()

    def test_an_operation_that_it_cuts_off_leaves_nothing(
        self, open_home: OpenHome, server: EmbeddedServer, settings: PostgresSettings
    ) -> None:
        """The error says so, and the store goes on."""
        storage = PostgresStorage(open_home("home", settings))
        entry = memory("cut off")
        with pytest.raises(StoreError), storage.operation("Cut off"):
            storage.memories.put([entry])
            server.interrupt(at_once=True)
            server.start()
            storage.memories.put([memory("more")])
        assert list(storage.memories.scan(Filter())) == []
        storage.memories.put([entry])
        assert len(list(storage.memories.scan(Filter()))) == 1
        storage.close()

    def test_while_it_is_away_the_error_comes_soon(
        self, open_home: OpenHome, server: EmbeddedServer, settings: PostgresSettings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is waited for a moment, and then said."""
        monkeypatch.setattr("hardwon.stores.postgres.connections.RETURNING", 0.5)
        storage = PostgresStorage(open_home("home", settings))
        server.interrupt()
        began = time.monotonic()
        with pytest.raises(StoreError, match="cannot be reached"):
            storage.memories.put([memory("nobody hears it")])
        assert time.monotonic() - began < LONGEST
        server.start()
        assert list(storage.memories.scan(Filter())) == []
        storage.close()


def test_doctor_says_once_that_it_is_away(open_home: OpenHome) -> None:
    """It stops most checks; these are skipped, and say nothing of their own."""
    home = open_home("home", PostgresSettings(url="host=127.0.0.1 port=1"))
    checks = examine(home)
    assert sum("cannot be reached" in problem.what for check in checks for problem in check.problems) == 1
    assert sum(check.skipped for check in checks) >= 5


def test_a_cut_network_is_found_within_the_time_outs(
    open_home: OpenHome, server: EmbeddedServer, settings: PostgresSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever for an answer that cannot come; when the way is mended, the store goes on."""
    monkeypatch.setattr("hardwon.stores.postgres.connections.RETURNING", 0.5)
    monkeypatch.setattr("hardwon.stores.postgres.connections.GRACE", 0.5)
    monkeypatch.setattr("hardwon.stores.postgres.database.GRACE", 0.5)
    wire = Wire(server.folder)
    over_the_wire = f"host=127.0.0.1 port={wire.port} user=hardwon dbname=postgres connect_timeout=2"
    storage = PostgresStorage(open_home("home", settings.model_copy(update={"url": over_the_wire})))
    storage.memories.put([memory("before")])
    wire.is_cut = True
    for attempt in (
        lambda: storage.memories.put([memory("into nothing")]),
        lambda: list(storage.memories.scan(Filter())),
        lambda: storage.memories.search(Query(text="before", by_words=True)),
    ):
        began = time.monotonic()
        with pytest.raises(StoreError):
            attempt()
        assert time.monotonic() - began < LONGEST
    wire.is_cut = False
    assert len(list(storage.memories.scan(Filter()))) == 1
    storage.close()
    wire.close()


class TestLocked:
    """Somebody else holds what the store needs."""

    def test_a_writer_who_takes_too_long_is_told(self, open_home: OpenHome, postgres: PostgresSettings) -> None:
        """StoreBusy when the lock's time-out is over; readers read on; the next write stands."""
        patient = postgres.model_copy(update={"lock_timeout": 0.3})
        slow, waiting = (PostgresStorage(open_home(name, patient)) for name in ("slow", "waiting"))
        with slow.operation("Takes long"):
            slow.memories.put([memory("inside")])
            with pytest.raises(StoreBusy):
                waiting.memories.put([memory("outside")])
            assert list(waiting.memories.scan(Filter())) == []
        waiting.memories.put([memory("outside")])
        assert len(list(waiting.memories.scan(Filter()))) == 2
        slow.close()
        waiting.close()

    def test_threads_of_one_process_are_told_too(self, open_home: OpenHome, postgres: PostgresSettings) -> None:
        """They wait before they take a connection, so that the writer's own activity always finds one."""
        storage = PostgresStorage(
            open_home("home", postgres.model_copy(update={"lock_timeout": 0.3, "connections": 2}))
        )
        answers: list[Exception] = []

        def write() -> None:
            try:
                storage.memories.put([memory("other thread")])
            except HardwonError as error:
                answers.append(error)

        with storage.operation("Takes long"):
            threads = [threading.Thread(target=write) for _ in range(5)]
            for thread in threads:
                thread.start()
            storage.vectors.keep("space", {"key": b"\0" * 8})
            for thread in threads:
                thread.join()
        assert [type(answer) for answer in answers] == [StoreBusy] * 5
        assert storage.vectors.spaces() == ["space"]
        storage.close()

    def test_a_statement_that_takes_too_long_is_given_up(self, open_home: OpenHome, postgres: PostgresSettings) -> None:
        """By the server, whose time-out the settings say."""
        storage = PostgresStorage(open_home("home", postgres.model_copy(update={"statement_timeout": 0.2})))
        with pytest.raises(StoreError, match="statement_timeout"):
            storage.database.rows("SELECT pg_sleep(30)")
        storage.close()

    def test_a_question_keeps_to_its_deadline(
        self, open_home: OpenHome, postgres: PostgresSettings, postgres_url: str
    ) -> None:
        """While a table is locked nothing is found, and the answer says why."""
        storage = PostgresStorage(open_home("home", postgres))
        storage.memories.put([memory("giraffe")])
        with psycopg.connect(postgres_url) as other:
            other.execute("LOCK TABLE shared.memories IN ACCESS EXCLUSIVE MODE")
            began = time.monotonic()
            found = storage.memories.search(Query(text="giraffe", deadline=0.3, by_words=True))
        assert time.monotonic() - began < LONGEST
        assert found.candidates == []
        assert "deadline" in found.notes[-1]
        assert storage.memories.search(Query(text="giraffe", by_words=True)).candidates
        storage.close()


class TestRefused:
    """Settings or rights that do not fit."""

    def test_no_url(self, tmp_path: Path) -> None:
        """It says what to write where."""
        home = Home(tmp_path / "home")
        home.create()
        (home.path / "config.toml").write_text('store = "postgres"\n', encoding="utf-8")
        with pytest.raises(InvalidInput, match=r"\[postgres\]` of config\.toml"):
            _ = home.storage

    @pytest.mark.parametrize(
        "url", ["postgresql://ada:hunter2@127.0.0.1:1/db", "host=127.0.0.1 port=1 password=hunter2", "hunter2 = = ="]
    )
    def test_a_password_is_never_told(self, open_home: OpenHome, url: str) -> None:
        """Whatever is wrong with the server or the URL."""
        with pytest.raises(HardwonError) as told:
            PostgresStorage(open_home("home", PostgresSettings(url=url)))
        assert "hunter2" not in str(told.value)

    def test_a_user_without_rights(self, open_home: OpenHome, new_postgres: PostgresSettings) -> None:
        """One sentence that says whom to ask."""
        with psycopg.connect(new_postgres.url, autocommit=True) as owner:
            owner.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            owner.execute("DROP ROLE IF EXISTS stranger")
            owner.execute("CREATE ROLE stranger LOGIN")
        url = new_postgres.url.replace("user=hardwon", "user=stranger")
        with pytest.raises(StoreError, match="does not permit"):
            PostgresStorage(open_home("home", new_postgres.model_copy(update={"url": url})))

    def test_a_read_only_server(self, open_home: OpenHome, postgres: PostgresSettings) -> None:
        """As a replica is: what is there can be read, and a write says where to write."""
        first = PostgresStorage(open_home())
        first.memories.put([memory("giraffe")])
        first.close()
        url = f"{postgres.url} options='-c default_transaction_read_only=on'"
        storage = PostgresStorage(open_home("home", postgres.model_copy(update={"url": url})))
        assert len(list(storage.memories.scan(Filter()))) == 1
        with pytest.raises(StoreError, match="read-only"):
            storage.memories.put([memory("elephant")])
        storage.close()
