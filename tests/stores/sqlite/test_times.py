"""A moment is the same moment wherever the machine stands: every surface of the store asks by seconds since 1970."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from hardwon.kernel.memory import Times
from hardwon.kernel.query import Filter, Query
from hardwon.stores.hook.shelf import Reader, Shelf
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.examples import memory

END = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=2)))
"""In Copenhagen the clock shows this time twice that night."""
ZONES = ["UTC", "Europe/Copenhagen", "America/Chicago", "Asia/Kathmandu"]


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the machine stand in a time zone."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()


@pytest.mark.parametrize("minutes", [-61, -1, 0, 1, 59, 61])
def test_every_surface_agrees_when_a_memory_expires(
    storage: SqliteStorage, file: Path, zone: str, minutes: int
) -> None:
    """Scan, search, and what the hook program shows; whatever zone the question's moment is written in."""
    asserted = datetime(2026, 10, 1, tzinfo=UTC)
    times = Times(asserted_at=asserted, valid_until=END)
    [entry] = storage.memories.put([memory("giraffe", times=times)])
    moment = END + timedelta(minutes=minutes)
    reader = Reader("", [None], "en", moment.timestamp())
    connection = sqlite3.connect(file)
    shown = [kept.id for kept in Shelf(connection, reader).visible([entry.id])]
    connection.close()
    expected = [entry.id] if minutes < 0 else []
    for told in (moment, moment.astimezone(UTC), moment.astimezone(timezone(timedelta(hours=-5)))):
        filter = Filter(as_of=told)
        assert [each.id for each in storage.memories.scan(filter)] == expected
        found = storage.memories.search(Query(text="giraffe", filter=filter))
        assert [each.id for each in found.candidates] == expected
    assert shown == expected
    assert storage.memories.get([entry.id])[entry.id].times == times
