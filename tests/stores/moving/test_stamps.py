"""A stamp is another one after whatever changed the truth: a migration that saw none must have missed nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.ports import Stamped
from hardwon.kernel.query import Filter
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.moving.migrating import migrate
from hardwon.kernel.version import Version
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import MOMENT, complete_decision, complete_proposal, memory


def _first(home: Home) -> Any:
    return next(home.storage.memories.scan(Filter()))


def _version(home: Home) -> Version:
    first = _first(home)
    return Version(memory=first.id, entry=first.model_copy(update={"content": "before"}), until=MOMENT)


CHANGES: dict[str, Callable[[Home], Any]] = {
    "a memory": lambda home: home.storage.memories.put([memory("new")]),
    "a change": lambda home: home.storage.memories.update(_first(home).id, {"importance": 0.01}),
    "a former state": lambda home: home.storage.memories.keep_versions([_version(home)]),
    "a retracted link": lambda home: home.storage.memories.unrelate(list(home.storage.memories.edges()), MOMENT),
    "a forgotten memory": lambda home: home.storage.memories.delete([_first(home).id]),
    "a decision": lambda home: home.storage.ledger.decide(complete_decision()),
    "a document": lambda home: home.storage.documents.write("a.md", "x"),
    "a moved document": lambda home: home.storage.documents.move("notes/of-mine.md", "b.md"),
    "a proposal": lambda home: home.queue.add([complete_proposal()]),
    "a turn": lambda home: home.storage.journal.write([entry(turn("t-77", "s-77"))]),
    "a turn taken back": lambda home: home.storage.journal.retract(MOMENT, session="s-1"),
}


@pytest.fixture(params=["files", "sqlite", "postgres"])
def home(request: pytest.FixtureRequest, files_home: Path) -> Iterator[Home]:
    """Return an open home with one of everything in a store."""
    if request.param == "postgres":
        server: PostgresSettings = request.getfixturevalue("new_postgres")
        with (files_home / "config.toml").open("a", encoding="utf-8") as file:
            file.write(f'[postgres]\nschema_name = "{server.schema_name}"\n')
    if request.param != "files":
        with Home(files_home) as opened:
            migrate(opened, request.param, server.url if request.param == "postgres" else "")
    with Home(files_home) as opened:
        yield opened


def test_every_change_makes_another_stamp_and_reading_none(home: Home) -> None:
    """Whichever door it came through; as another process sees it, too."""
    assert isinstance(home.storage, Stamped)
    with Home(home.path) as other:
        assert isinstance(other.storage, Stamped)
        for what, change in CHANGES.items():
            before = home.storage.stamp()
            list(home.storage.memories.scan(Filter(statuses=None)))
            home.queue.all()
            assert home.storage.stamp() == other.storage.stamp() == before, what
            change(home)
            assert home.storage.stamp() != before, what
            assert other.storage.stamp() == home.storage.stamp(), what
