"""What the tests of the store `postgres` share: homes whose memory is one schema of a real server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.testing.fakes import FakeEmbedder, FixedClock

Open = Callable[..., PostgresStorage]
OpenHome = Callable[..., Home]


@pytest.fixture(autouse=True)
def closed_storages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every storage that a test opened, also where it failed before it did: a connection is left to nobody."""
    opened: list[PostgresStorage] = []
    begin = PostgresStorage.__init__

    def noted(storage: PostgresStorage, home: Home) -> None:
        begin(storage, home)
        opened.append(storage)

    monkeypatch.setattr(PostgresStorage, "__init__", noted)
    yield
    for storage in opened:
        with contextlib.suppress(HardwonError):  # such as a server that the test stopped
            storage.database.close()


@pytest.fixture
def open_home(tmp_path: Path, postgres: PostgresSettings) -> Iterator[OpenHome]:
    """Return a function that opens a home over this test's schema; another name is another machine's home."""
    homes: list[Home] = []

    def opened(name: str = "home", settings: PostgresSettings = postgres) -> Home:
        home = Home(tmp_path / name, clock=FixedClock(), settings=Settings(store="postgres", postgres=settings))
        home.create()
        home.__dict__["embedder"] = FakeEmbedder()
        homes.append(home)
        return home

    yield opened
    for home in homes:
        home.close()


@pytest.fixture
def open_store(open_home: OpenHome) -> Open:
    """Return a function that opens the store, as of that machine."""
    return lambda name="home": PostgresStorage(open_home(name))
