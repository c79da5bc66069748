"""A look into the past: the words, edges and topics of then, found by the words of then, on both axes of time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status, Times
from hardwon.kernel.ports import Filed
from hardwon.kernel.proposal import Decision
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.past.home import home_at
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.superseding import chain_of, supersede
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FixedClock, open_fake_home

MAY, JUNE, JULY, AUGUST = (datetime(2026, month, 1, tzinfo=UTC) for month in (5, 6, 7, 8))
MIDDLE = timedelta(days=14)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(MAY)


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock) -> Iterator[Home]:
    with open_fake_home(tmp_path, clock=clock, embedder=None) as home:
        yield home


def until(clock: FixedClock, moment: datetime) -> None:
    clock.advance(seconds=(moment - clock.now()).total_seconds())


def put(home: Home, text: str, **fields: object) -> MemoryEntry:
    """Keep a memory that was true since the clock's present."""
    now = home.clock.now()
    times = Times(asserted_at=now, valid_at=now)
    return home.storage.memories.put([memory(text, at=now, **{"times": times, **fields})])[0]


def said(home: Home, text: str, known_at: datetime | None = None, as_of: datetime | None = None) -> list[str]:
    return [
        hit.entry.content for hit in recall(home, Query(text=text, filter=Filter(as_of=as_of, known_at=known_at))).hits
    ]


def test_it_is_shown_in_the_words_of_then(home: Home, clock: FixedClock) -> None:
    """And found by them, though they stand nowhere any more; the words of now are not known then."""
    entry = put(home, "The queue is RabbitMQ.")
    until(clock, JULY)
    home.storage.memories.update(entry.id, {"content": "The broker is Kafka."})
    until(clock, AUGUST)
    assert said(home, "RabbitMQ queue", known_at=JUNE) == ["The queue is RabbitMQ."]
    assert said(home, "Kafka broker", known_at=JUNE) == []
    assert said(home, "Kafka broker", known_at=JULY) == said(home, "Kafka broker") == ["The broker is Kafka."]
    assert said(home, "RabbitMQ queue") == []


def test_a_state_holds_until_just_before_it_was_replaced(home: Home, clock: FixedClock) -> None:
    entry = put(home, "One.")
    for moment, text in ((JUNE, "Two."), (JULY, "Three.")):
        until(clock, moment)
        home.storage.memories.update(entry.id, {"content": text})
    until(clock, AUGUST)
    instant = timedelta(microseconds=1)
    for moment, text in (
        (MAY, "One."),
        (JUNE - instant, "One."),
        (JUNE, "Two."),
        (JULY - instant, "Two."),
        (JULY, "Three."),
    ):
        assert home_at(home, moment).storage.memories.get([entry.id])[entry.id].content == text
    assert home_at(home, MAY - instant).storage.memories.get([entry.id]) == {}


def test_what_was_archived_since_stood_then(home: Home, clock: FixedClock) -> None:
    """With its project, topic and status of then, in every way of reading."""
    entry = put(home, "The queue is RabbitMQ.", topics=("infra.queue",))
    put(home, "Known later.", topics=("infra.queue",), times=Times(asserted_at=JULY))
    until(clock, JULY)
    home.storage.memories.update(entry.id, {"status": Status.ARCHIVED, "topics": ["old"], "scope": {"project": "shop"}})
    until(clock, AUGUST)
    then = home_at(home, JUNE).storage.memories
    assert list(then.scan(Filter())) == list(then.scan(Filter(projects=(None,), topic_prefix="infra"))) == [entry]
    assert [(each.topic, each.count, each.first) for each in then.topics()] == [("infra.queue", 1, MAY)]
    assert list(then.scan(Filter(projects=("shop",), statuses=None))) == []
    assert said(home, "RabbitMQ queue", known_at=JUNE) == [entry.content]
    assert said(home, "RabbitMQ queue") == []


def test_edges_are_those_of_then(home: Home, clock: FixedClock) -> None:
    one, two, three = (put(home, text) for text in ("One.", "Two.", "Three."))
    until(clock, JUNE)
    gone, stays = (
        Relation(source=one.id, kind=RelationKind.DERIVED_FROM, target=each.id, asserted_at=JUNE)
        for each in (two, three)
    )
    home.storage.memories.relate([gone, stays])
    home.storage.memories.unrelate([gone], JULY)
    until(clock, AUGUST)

    def reached(moment: datetime) -> list[str]:
        return home_at(home, moment).storage.memories.traverse(one.id, RelationKind.DERIVED_FROM)

    assert reached(JUNE - MIDDLE) == []
    assert sorted(reached(JUNE)) == sorted([two.id, three.id])
    assert reached(JULY) == [three.id]
    assert home_at(home, JUNE).storage.memories.relations(two.id) == [gone]


def test_what_was_believed_of_a_chain(home: Home, clock: FixedClock) -> None:
    """In June the second; in May the first; now the last: each time one, with the chain as it was known."""
    chain = [put(home, "The gateway listens on port 1.")]
    for moment, text in ((JUNE, "The gateway listens on port 2."), (JULY, "The gateway listens on port 3.")):
        until(clock, moment)
        chain.append(supersede(home, put(home, text), chain[-1]))
    until(clock, AUGUST)
    told = [each.content for each in chain]
    assert [said(home, "gateway port", known_at=each + MIDDLE) for each in (MAY, JUNE, JULY)] == [
        [each] for each in told
    ]
    then = home_at(home, JUNE + MIDDLE)
    assert [link.entry.content for link in chain_of(then, chain[0].id)] == told[:2]
    assert [link.entry.content for link in chain_of(home, chain[0].id)] == told


def test_both_axes_are_asked_alone_and_together(home: Home, clock: FixedClock) -> None:
    """What was known in June of May is not what is known of it now: it was written down late."""
    put(home, "The lead of the shop is Anna.")
    until(clock, JULY)
    late = Times(asserted_at=JULY, valid_at=MAY + MIDDLE)
    [newer] = home.storage.memories.put([memory("The lead of the shop is Bela.", at=JULY, times=late)])
    supersede(home, newer, next(home.storage.memories.scan(Filter())))
    until(clock, AUGUST)
    anna, bela = ["The lead of the shop is Anna."], ["The lead of the shop is Bela."]
    question = "lead of the shop"
    assert said(home, question) == said(home, question, as_of=JUNE) == bela
    assert said(home, question, as_of=MAY) == anna
    assert said(home, question, known_at=JUNE) == said(home, question, as_of=JUNE, known_at=JUNE) == anna
    assert said(home, question, as_of=JUNE, known_at=JULY) == bela
    assert said(home, question, as_of=MAY - MIDDLE, known_at=JULY) == []


def test_what_is_known_of_then_is_about_then(home: Home, clock: FixedClock) -> None:
    """Who asks what was known in June asks what held in June, unless they say otherwise."""
    times = Times(asserted_at=MAY, valid_at=MAY, valid_until=JULY)
    home.storage.memories.put([memory("The certificate of the shop is valid.", at=MAY, times=times)])
    until(clock, AUGUST)
    assert said(home, "certificate of the shop") == []
    assert said(home, "certificate of the shop", known_at=JUNE) == ["The certificate of the shop is valid."]
    assert said(home, "certificate of the shop", known_at=JUNE, as_of=AUGUST) == []


def test_decisions_and_activity_are_those_of_then(home: Home, clock: FixedClock) -> None:
    made = [Decision(id=f"d{at.month}", proposal="p", action="accept", by="Ada", at=at) for at in (MAY, JULY)]
    for each in made:
        home.storage.ledger.decide(each)
    home.storage.ledger.append([Activity(kind="shown", at=at) for at in (MAY, JULY)])
    until(clock, AUGUST)
    then = home_at(home, JUNE).storage.ledger
    assert then.decisions() == made[:1]
    assert [each.at for each in then.activity()] == [MAY]


def test_the_past_cannot_be_changed(home: Home, clock: FixedClock) -> None:
    entry = put(home, "One.")
    until(clock, AUGUST)
    then = home_at(home, JUNE).storage.memories
    edge = Relation(source=entry.id, kind=RelationKind.RELATES_TO, target=entry.id, asserted_at=MAY)
    changes = (
        lambda: then.put([memory("Two.")]),
        lambda: then.update(entry.id, {"content": "Two."}),
        lambda: then.relate([edge]),
        lambda: then.unrelate([edge], AUGUST),
        lambda: then.keep_versions([]),
        lambda: then.delete([entry.id]),
    )
    for change in changes:
        with pytest.raises(Conflict, match="--known-at"):
            change()
    assert list(home.storage.memories.scan(Filter())) == [entry]


def test_that_it_was_shown_is_recorded_now(home: Home, clock: FixedClock) -> None:
    put(home, "The queue is RabbitMQ.")
    until(clock, AUGUST)
    assert said(home, "RabbitMQ queue", known_at=JUNE)
    assert [each.at for each in home.storage.ledger.activity("shown")] == [AUGUST]


def test_the_present_and_the_future_are_the_home_itself(home: Home, clock: FixedClock) -> None:
    """What a writer's clock that runs ahead asserted is believed when its time comes."""
    put(home, "Known.")
    home.storage.memories.put([memory("The queue is ahead of time.", at=JUNE)])
    assert home_at(home, None) is home_at(home, clock.now()) is home_at(home, AUGUST) is home
    assert said(home, "queue ahead of time") == []
    until(clock, JULY)
    assert said(home, "queue ahead of time") == ["The queue is ahead of time."]
    then = home_at(home, JUNE)
    assert home_at(then, JUNE) is then
    assert not isinstance(then.storage, Filed)
