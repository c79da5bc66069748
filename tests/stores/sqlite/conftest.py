"""Homes with an open SQLite store, and a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.stores.sqlite.storage import SqliteStorage, open_sqlite
from hardwon.testing.fakes import FixedClock

Open = Callable[[], SqliteStorage]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def home_path(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    Home(path).create()
    (path / "config.toml").write_text('store = "sqlite"\nembedder = "none"\n', encoding="utf-8")
    return path


@pytest.fixture
def file(home_path: Path) -> Path:
    """Return where the store keeps everything."""
    return home_path / "memory.sqlite"


@pytest.fixture
def open_store(home_path: Path, clock: FixedClock) -> Iterator[Open]:
    """Return a function that opens the store of the same home, once more each time; all are closed at the end."""
    opened: list[SqliteStorage] = []

    def open_again() -> SqliteStorage:
        opened.append(open_sqlite(Home(home_path, clock=clock)))
        return opened[-1]

    yield open_again
    for storage in opened:
        storage.close()


@pytest.fixture
def storage(open_store: Open) -> SqliteStorage:
    return open_store()
