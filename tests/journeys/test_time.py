"""What was so, and what was believed: every store and every command gives the same answer, in every zone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.cli.actions import asking, looking
from hardwon.kernel.errors import NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Times
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.settings import Settings
from hardwon.kernel.use_cases.superseding import supersede
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FixedClock

MAY, JUNE, JULY, AUGUST = (datetime(2026, month, 1, 9, tzinfo=UTC) for month in (5, 6, 7, 8))
SOON = timedelta(days=9)
INSTANT = timedelta(microseconds=1)
ZONES = ("Europe/Copenhagen", "America/Chicago")
QUESTION = "Which port does the gateway listen on?"


@pytest.fixture(params=["files", "sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """Yield a home of each store, in May."""
    given: dict[str, Any] = {"store": request.param, "embedder": "none"}
    if request.param == "postgres":
        given["postgres"] = request.getfixturevalue("new_postgres")
    with Home(tmp_path / "home", clock=FixedClock(MAY), settings=Settings.model_validate(given)) as home:
        home.create()
        yield home


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Put this process into a zone."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def until(home: Home, moment: datetime) -> None:
    clock = home.clock
    assert isinstance(clock, FixedClock)
    clock.advance(seconds=(moment - clock.now()).total_seconds())


def told(home: Home, port: int, **times: datetime) -> MemoryEntry:
    """Keep what is true since the clock's present."""
    now = home.clock.now()
    given = Times(asserted_at=now, **{"valid_at": now, **times})
    content = f"The gateway listens on port {port}."
    return home.storage.memories.put([memory(content, at=now, times=given, topics=("network.gateway",))])[0]


def recalled(home: Home, **asked: str) -> list[str]:
    return [hit["content"] for hit in asking.recall(home, QUESTION, everywhere=True, **asked).data["hits"]]


def listed(home: Home, **asked: str) -> list[str]:
    return [each["content"] for each in looking.get(home, "network", **asked).data["memories"]]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system cannot change the zone of a process")
def test_what_expires_is_over_at_one_instant_everywhere(home: Home, zone: str) -> None:
    """By recall, by topic and by id, in whatever zone; nothing has to run for it."""
    offset = JUNE.astimezone()
    assert offset.utcoffset() != timedelta(0), zone
    entry = told(home, 1, valid_until=offset)
    until(home, JUNE - INSTANT)
    assert recalled(home) == listed(home) == [entry.content]
    until(home, JUNE)
    assert recalled(home) == listed(home) == []
    assert looking.get(home, "network").data["others"] == [entry.id]
    assert looking.show(home, entry.id).data["true_until"] == JUNE
    before, after = ((JUNE + each).isoformat() for each in (-INSTANT, timedelta(0)))
    assert recalled(home, as_of=before) == listed(home, as_of=before) == [entry.content]
    assert recalled(home, as_of=after) == listed(home, as_of=after) == []


def test_what_was_believed_is_shown_in_the_words_of_then(home: Home) -> None:
    """By recall, by topic and by id; now and later it is told in the words of now."""
    entry = told(home, 1)
    until(home, JULY)
    home.storage.memories.update(entry.id, {"content": "Traffic enters on 443.", "topics": ["network.entry"]})
    until(home, AUGUST)
    then = (JUNE + SOON).date().isoformat()
    assert recalled(home, known_at=then) == listed(home, known_at=then) == [entry.content]
    assert looking.show(home, entry.id, known_at=then).data["content"] == entry.content
    assert [each.topic for each in looking.get(home, "network", known_at=then).data["topics"]] == ["network.gateway"]
    assert looking.show(home, entry.id).data["content"] == "Traffic enters on 443."
    assert recalled(home) == []
    with pytest.raises(NotFound):
        looking.show(home, entry.id, known_at="2026-04-01")


def test_what_was_believed_in_june_shows_the_chain(home: Home) -> None:
    """What held then, what was before it and what came since; either axis alone, and both."""
    chain = [told(home, 1)]
    for moment, port in ((JUNE, 2), (JULY, 3)):
        until(home, moment)
        chain.append(supersede(home, told(home, port), chain[-1]))
    until(home, AUGUST)
    texts = [each.content for each in chain]
    june, july = ((each + SOON).date().isoformat() for each in (JUNE, JULY))
    found = asking.recall(home, QUESTION, everywhere=True, known_at=june)
    assert [hit["content"] for hit in found.data["hits"]] == texts[1:2]
    assert [each["content"] for each in found.data["chains"][chain[1].id]] == texts
    assert all(each.id in found.text for each in chain)
    assert recalled(home, as_of=june) == listed(home, as_of=june) == texts[1:2]
    assert recalled(home) == listed(home) == texts[2:]
    assert recalled(home, as_of=june, known_at=july) == texts[1:2]
    for each in chain:
        assert looking.show(home, each.id, as_of=june).data["content"] == texts[1]
        assert [link["content"] for link in looking.show(home, each.id).data["chain"]] == texts
    assert [link["content"] for link in looking.show(home, chain[0].id, known_at=june).data["chain"]] == texts[:2]


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31T23:59:59Z"])
def test_the_first_and_the_last_day_can_be_asked_about(home: Home, day: str) -> None:
    """Before everything nothing was believed; after everything it is what it is now."""
    entry = told(home, 1)
    believed = [entry.content] if day > "2026" else []
    assert recalled(home, known_at=day) == believed
    assert recalled(home, known_at=day, as_of=day) == believed
    if believed:
        assert listed(home, known_at=day) == believed
    else:
        with pytest.raises(NotFound):
            listed(home, known_at=day)


def test_links_are_those_of_then(home: Home) -> None:
    """What was linked later is not shown, what was unlinked since is; `--as-of` leaves out what was over."""
    one, two = told(home, 1), told(home, 2, valid_until=JULY)
    edge = Relation(source=one.id, kind=RelationKind.RELATES_TO, target=two.id, asserted_at=JUNE)
    home.storage.memories.relate([edge])
    home.storage.memories.unrelate([edge], JULY)
    until(home, AUGUST)

    def linked(**asked: str) -> list[str]:
        return [each["id"] for each in looking.links(home, one.id, **asked).data]

    assert (linked(), linked(known_at="2026-05-02"), linked(known_at="2026-06-02")) == ([], [], [two.id])
    assert linked(known_at="2026-06-02", as_of="2026-07-02") == []


def test_a_rule_is_found_by_the_lessons_of_then(home: Home) -> None:
    """What was linked to it in July does not speak for it in June."""
    rule = memory("Pin whatever is fetched from elsewhere.", kind=Kind.RULE, at=MAY, times=Times(asserted_at=MAY))
    text = "The build broke since the carburettor package has another checksum."
    lesson = memory(text, kind=Kind.LESSON, at=MAY, times=Times(asserted_at=MAY))
    home.storage.memories.put([rule, lesson])
    edge = Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=JULY)
    home.storage.memories.relate([edge])
    until(home, AUGUST)
    for known_at, expected in (("2026-07-15", {rule.content, text}), ("2026-06-15", {text})):
        answer = asking.recall(home, "build broke carburettor package checksum", known_at=known_at, everywhere=True)
        assert {hit["content"] for hit in answer.data["hits"]} == expected, known_at


def test_a_topic_is_one_read(home: Home) -> None:
    """Its memories and those below it, how many each topic has, and from when to when they are."""
    told(home, 1)
    until(home, JUNE)
    told(home, 2)
    told_here = looking.get(home, "network")
    [summary] = told_here.data["topics"]
    assert (summary.topic, summary.count, summary.first, summary.last) == ("network.gateway", 2, MAY, JUNE)
    assert len(told_here.data["memories"]) == 2
    assert "2026-05-01 to 2026-06-01" in told_here.text
