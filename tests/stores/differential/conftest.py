"""Stores to compare: each over a home of its own, under one clock, and the fake as what they are held against."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.ports import Storage
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.testing.fakes import FixedClock

OpenEmpty = Callable[[FixedClock], tuple[Storage, Callable[[], Storage]]]
"""Opens an empty store under a clock, and returns with it what closes and opens it again."""


@pytest.fixture(params=["files", "sqlite", "postgres"])
def open_empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenEmpty]:
    """Return a function that opens the store of a new home; all are closed at the end."""
    opened: list[Storage] = []
    numbers = itertools.count()

    def open_empty(clock: FixedClock) -> tuple[Storage, Callable[[], Storage]]:
        given: dict[str, object] = {"store": request.param, "embedder": "none"}
        if request.param == "postgres":
            given["postgres"] = _fresh_schema(request)
        home = Home(tmp_path / f"home-{next(numbers)}", clock=clock, settings=Settings.model_validate(given))
        home.create()

        def open_again() -> Storage:
            while opened:
                opened.pop().close()
            opened.append(home.registry.get("stores", request.param)(home))
            return opened[-1]

        return open_again(), open_again

    yield open_empty
    for storage in opened:
        storage.close()


def _fresh_schema(request: pytest.FixtureRequest) -> PostgresSettings:
    settings: PostgresSettings = request.getfixturevalue("postgres")
    return settings.model_copy(update={"schema_name": f"test_{uuid.uuid4().hex[:12]}"})
