"""A home with stores that are dictionaries, each of which outlives its being closed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.registry import Registry
from hardwon.kernel.scope import Value
from hardwon.kernel.use_cases.moving.archive_lines import as_line
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.reading import Read, read_archive
from hardwon.testing.fakes import FakeQueue, FakeRedactor, FakeStorage, FixedClock, RecordingConsole, open_fake_home
from hardwon.testing.full_home import fill

STORES = ("files", "near", "far")


class Stores:
    """What is kept by store, for as long as a test lasts; `near` shows a file in the home, `far` lies elsewhere."""

    def __init__(self) -> None:
        self.kept = {name: FakeStorage().kept for name in STORES}
        self.queues = {name: FakeQueue() for name in STORES}
        self.console = RecordingConsole()

    def open(self, path: Path) -> Home:
        """Open the home at a path."""
        registry = Registry()
        for name in STORES:
            registry.offer("stores", name, self._opener(name), "test")
        registry.offer("review_queues", "markdown", lambda home: self.queues[home.settings.store], "test")
        registry.offer("store_places", "files", ("memory", "index*"), "test")
        registry.offer("store_places", "near", ("near.db",), "test")
        registry.offer("redactors", "detect-secrets", lambda _settings: FakeRedactor(), "test")
        home = Home(path, registry=registry, clock=FixedClock(), console=self.console)
        home.create()
        return home

    def _opener(self, name: str) -> Callable[[Home], Any]:
        def opened(home: Home) -> FakeStorage:
            if name == "files":
                (home.path / "memory").mkdir(exist_ok=True)
            elif name == "near":
                (home.path / "near.db").touch()
            return FakeStorage(self.kept[name])

        return opened


@pytest.fixture
def stores() -> Stores:
    """Return empty stores."""
    return Stores()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with one of everything."""
    home = open_fake_home(tmp_path / "full")
    fill(home)
    return home


def export(home: Home, path: Path) -> Path:
    """Write an archive of a home."""
    path.write_text("".join(f"{line}\n" for line in archive_lines(home, [])), encoding="utf-8")
    return path


def added(archive: Path, *values: tuple[str, Value]) -> Path:
    """Put records into an archive before its end, as a program that joins archives might."""
    lines = archive.read_text(encoding="utf-8").splitlines()[:-1]
    lines += [as_line({"type": type, **value.model_dump(mode="json")}) for type, value in values]
    archive.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return archive


def values(archive: Path, type: str) -> list[Any]:
    """Return what an archive has of one type."""
    return [read.value for read in read_archive(archive, (type,)) if isinstance(read, Read)]
