"""Homes with an open files store, and a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hardwon.kernel.home import Home
from hardwon.stores.files.storage import FilesStorage, open_files
from hardwon.testing.fakes import FixedClock

Open = Callable[[], FilesStorage]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def home_path(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    Home(path).create()
    (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    return path


@pytest.fixture
def memory(home_path: Path) -> Path:
    """Return the folder that holds the truth."""
    return home_path / "memory"


@pytest.fixture
def open_store(home_path: Path, clock: FixedClock) -> Iterator[Open]:
    """Return a function that opens the store of the same home, once more each time; all are closed at the end."""
    opened: list[FilesStorage] = []

    def open_again() -> FilesStorage:
        opened.append(open_files(Home(home_path, clock=clock)))
        return opened[-1]

    yield open_again
    for storage in opened:
        storage.close()


@pytest.fixture
def storage(open_store: Open) -> FilesStorage:
    return open_store()
