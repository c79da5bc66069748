"""Promises of a MemoryStore on scan and topics: what each condition of a Filter means."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.ports import MemoryStore
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.scope import Scope
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, memory

DAY = timedelta(days=1)


def one_of_each() -> list[MemoryEntry]:
    """Return memories, oldest first, that differ in whatever a filter asks for."""
    told = [
        {"content": "plain"},
        {"content": "rule", "kind": Kind.RULE, "topics": ("data.time.zones", "testing"), "tags": ("a", "b")},
        {"content": "shop", "project": "shop", "topics": ("data.timeless",), "tags": ("b",)},
        {"content": "observed", "status": Status.OBSERVED, "external_id": "x1", "topics": ("data.time",)},
        {"content": "archived", "status": Status.ARCHIVED, "idempotency_key": "i1", "topics": ("data.time",)},
        {"content": "elsewhere", "scope": Scope(namespace="elsewhere", project="shop")},
    ]
    return [memory(at=MOMENT + number * DAY, **fields) for number, fields in enumerate(told)]  # type: ignore[arg-type]


def contents(entries: Sequence[MemoryEntry]) -> list[str]:
    """Return the contents, which name the examples."""
    return [entry.content for entry in entries]


class MemoryFilters(OverStorage):
    """Which memories a filter means."""

    @pytest.fixture
    def examples(self, store: MemoryStore) -> list[MemoryEntry]:
        """Return the memories that were put, oldest first."""
        entries = one_of_each()
        store.put(list(reversed(entries)))
        return entries

    def test_an_empty_filter_means_all_that_are_not_archived(
        self, store: MemoryStore, examples: list[MemoryEntry]
    ) -> None:
        """And the walk is from the oldest id to the newest."""
        assert list(store.scan(Filter())) == [each for each in examples if each.status is not Status.ARCHIVED]
        assert list(store.scan(Filter(statuses=None))) == examples

    @pytest.mark.parametrize(
        ("filter", "wanted"),
        [
            (Filter(kinds=(Kind.RULE, Kind.FACT)), ["rule"]),
            (Filter(statuses=(Status.OBSERVED, Status.ARCHIVED)), ["observed", "archived"]),
            (Filter(namespace="elsewhere"), ["elsewhere"]),
            (Filter(projects=("shop",)), ["shop", "elsewhere"]),
            (Filter(projects=("shop",), namespace="default"), ["shop"]),
            (Filter(projects=(None,), kinds=(Kind.LESSON,)), ["plain", "observed"]),
            (Filter(projects=(None, "shop"), statuses=(Status.ACTIVE,)), ["plain", "rule", "shop", "elsewhere"]),
            (Filter(external_ids=("x1", "none")), ["observed"]),
            (Filter(idempotency_keys=("i1",), statuses=None), ["archived"]),
            (Filter(tags=("b",)), ["rule", "shop"]),
            (Filter(tags=("a", "none")), ["rule"]),
            (Filter(topic_prefix="data.time"), ["rule", "observed"]),
            (Filter(topic_prefix="testing"), ["rule"]),
            (Filter(topic_prefix="time"), []),
            (Filter(kinds=(Kind.RULE,), tags=("b",), projects=("shop",)), []),
        ],
    )
    def test_every_condition_must_hold(
        self, store: MemoryStore, examples: list[MemoryEntry], filter: Filter, wanted: list[str]
    ) -> None:
        """Between conditions it is and, within one it is or; a topic has its borders at dots."""
        assert contents(list(store.scan(filter))) == wanted

    def test_ids_are_a_condition_like_any_other(self, store: MemoryStore, examples: list[MemoryEntry]) -> None:
        """An archived memory is not meant by its id alone."""
        ids = tuple(each.id for each in examples[3:])
        assert contents(list(store.scan(Filter(ids=ids)))) == ["observed", "elsewhere"]

    @pytest.mark.parametrize("field", ["ids", "external_ids", "kinds", "statuses", "projects", "tags"])
    def test_an_empty_list_means_none(self, store: MemoryStore, examples: list[MemoryEntry], field: str) -> None:
        """No condition is None; one of nothing is nothing."""
        assert not list(store.scan(Filter.model_validate({field: ()})))

    def test_many_ids_are_one_filter(self, store: MemoryStore) -> None:
        """A filter is not limited by what one statement of a database can hold."""
        entry = memory("Needle.")
        store.put([entry])
        ids = (*(f"{number:018}" for number in range(40_000)), entry.id)
        assert list(store.scan(Filter(ids=ids))) == [entry]
        assert store.get(ids) == {entry.id: entry}

    @pytest.mark.parametrize(
        ("asked_by", "wanted"),
        [
            (None, ["anybody's", "codex's", "star's", "blank's"]),
            ("codex", ["anybody's", "codex's"]),
            ("CODEX", ["anybody's"]),
            ("cod", ["anybody's"]),
            ("codex ", ["anybody's"]),
            ("*", ["anybody's", "star's"]),
            ("%", ["anybody's"]),
            ("c_dex", ["anybody's"]),
            ("", ["anybody's"]),
            (" ", ["anybody's"]),
            ("\u2003", ["anybody's"]),
        ],
    )
    def test_an_agent_sees_what_is_for_any_and_what_is_for_it(
        self, store: MemoryStore, asked_by: str | None, wanted: list[str]
    ) -> None:
        """By walking and by searching; names are compared whole, and one that nobody named is no agent's fellow."""
        agents = {"anybody's": None, "codex's": "codex", "star's": "*", "blank's": ""}
        entries = [memory(f"{whose} retry", scope=Scope(agent=agent)) for whose, agent in agents.items()]
        store.put(entries)
        filter = Filter(agent=asked_by)
        assert {each.content.split()[0] for each in store.scan(filter)} == set(wanted)
        found = store.search(Query(text="retry", filter=filter)).candidates
        names = {entry.id: entry.content.split()[0] for entry in entries}
        assert {names[each.id] for each in found} == set(wanted)

    def test_topics_are_summarised(self, store: MemoryStore, examples: list[MemoryEntry]) -> None:
        """Each topic that a memory carries, in alphabetical order; archived memories do not count."""
        counts = {each.topic: each.count for each in store.topics()}
        assert counts == {"data.time": 1, "data.time.zones": 1, "data.timeless": 1, "testing": 1}
        assert list(counts) == sorted(counts)

    def test_topics_at_or_below_a_prefix(self, store: MemoryStore, examples: list[MemoryEntry]) -> None:
        """The prefix is a topic: `data.time` is not above `data.timeless`."""
        assert [each.topic for each in store.topics("data.time")] == ["data.time", "data.time.zones"]
        assert store.topics("nothing.here") == []

    def test_topics_know_their_span(self, store: MemoryStore) -> None:
        """The first and the last moment of a topic's memories."""
        store.put([memory(str(day), at=MOMENT + day * DAY, topics=("span",)) for day in (2, 0, 1)])
        [summary] = store.topics("span")
        assert (summary.count, summary.first, summary.last) == (3, MOMENT, MOMENT + 2 * DAY)
