"""What the tests of the store `postgres` share: homes whose memory is one schema of a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.testing.fakes import FakeEmbedder, FixedClock

Open = Callable[..., PostgresStorage]
OpenHome = Callable[..., Home]


@pytest.fixture
def open_home(tmp_path: Path, postgres: PostgresSettings) -> OpenHome:
    """Return a function that opens a home over this test's schema; another name is another machine's home."""

    def opened(name: str = "home", settings: PostgresSettings = postgres) -> Home:
        home = Home(tmp_path / name, clock=FixedClock(), settings=Settings(store="postgres", postgres=settings))
        home.create()
        home.__dict__["embedder"] = FakeEmbedder()
        return home

    return opened


@pytest.fixture
def open_store(open_home: OpenHome) -> Iterator[Open]:
    """Return a function that opens the store, as of that machine; what is open in the end is closed."""
    opened: list[PostgresStorage] = []

    def store(name: str = "home") -> PostgresStorage:
        opened.append(PostgresStorage(open_home(name)))
        return opened[-1]

    yield store
    for storage in opened:
        storage.close()
