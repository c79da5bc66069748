"""Homes with an open files store, and a clock that a test moves."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.stores.files.indexing.generations import current_path
from hardwon.stores.files.storage import FilesStorage, open_files
from hardwon.testing.fakes import FixedClock

Open = Callable[[], FilesStorage]


def git(folder: Path, *arguments: str) -> str:
    """Run git as a person would whose settings are empty; return what it says."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    person = {"user.name": "Anna", "user.email": "anna@example.org", "core.quotePath": "false"}
    options = [part for name, value in person.items() for part in ("-c", f"{name}={value}")]
    command = ["git", *options, *arguments]
    done = subprocess.run(command, cwd=folder, env={**clean, **settings}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def file_of(folder: Path, entry: MemoryEntry) -> Path:
    """Return the file of a memory, found by the id in its name."""
    [path] = folder.rglob(f"*-{entry.id}.md")
    return path


def index_of(home: Path) -> Path:
    """Return the path of the index that a home uses."""
    path = current_path(home)
    assert path is not None
    return path


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
def memory_folder(home_path: Path) -> Path:
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
