"""Promises of a MemoryStore on time: both axes, alone and together, to the instant, in whatever zone it was told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.ports import MemoryStore
from hardwon.kernel.query import Filter, Query
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, memory

DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
ZONES = ("UTC", "America/Los_Angeles", "Asia/Tokyo", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Pago_Pago")


def found(store: MemoryStore, entry: MemoryEntry, **moments: datetime) -> bool:
    """Tell whether a memory is scanned at those moments; a search must say the same."""
    filter = Filter.model_validate(moments)
    scanned = entry.id in {each.id for each in store.scan(filter)}
    searched = entry.id in {each.id for each in store.search(Query(text="needle", filter=filter)).candidates}
    assert scanned == searched, "scan and search differ"
    return scanned


class MemoryTime(OverStorage):
    """True from `valid_at` until just before `valid_until`, believed from `asserted_at` until just before it ended."""

    @pytest.fixture
    def sliced(self, store: MemoryStore) -> MemoryEntry:
        """Return a memory that was true for two days and believed for two, from a day later on."""
        times = Times(
            valid_at=MOMENT, valid_until=MOMENT + 2 * DAY, asserted_at=MOMENT + DAY, retracted_at=MOMENT + 3 * DAY
        )
        [entry] = store.put([memory("A needle for a time.", times=times)])
        store.put([memory("Always another needle.", at=MOMENT - DAY)])
        return entry

    def test_what_was_true(self, store: MemoryStore, sliced: MemoryEntry) -> None:
        """`as_of`: a beginning counts, an end does not; who asks for no time is given all."""
        moments = [MOMENT - INSTANT, MOMENT, MOMENT + 2 * DAY - INSTANT, MOMENT + 2 * DAY]
        assert [found(store, sliced, as_of=each) for each in moments] == [False, True, True, False]
        assert found(store, sliced)

    def test_what_was_believed(self, store: MemoryStore, sliced: MemoryEntry) -> None:
        """`known_at`: likewise."""
        moments = [MOMENT + DAY - INSTANT, MOMENT + DAY, MOMENT + 3 * DAY - INSTANT, MOMENT + 3 * DAY]
        assert [found(store, sliced, known_at=each) for each in moments] == [False, True, True, False]

    def test_both_are_asked_together(self, store: MemoryStore, sliced: MemoryEntry) -> None:
        """Each by itself: what was true before it was known, and known after it was over."""
        assert found(store, sliced, as_of=MOMENT, known_at=MOMENT + 2 * DAY)
        assert not found(store, sliced, as_of=MOMENT, known_at=MOMENT)
        assert not found(store, sliced, as_of=MOMENT + 2 * DAY, known_at=MOMENT + 2 * DAY)

    def test_without_bounds_it_is_always_true(self, store: MemoryStore) -> None:
        """And believed for ever, since it was learned."""
        [entry] = store.put([memory("A needle.")])
        ages = (datetime(1, 1, 2, tzinfo=UTC), datetime(1969, 7, 20, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))
        assert all(found(store, entry, as_of=each) for each in ages)
        assert [found(store, entry, known_at=each) for each in ages] == [False, False, True]

    def test_a_change_of_times_is_seen_at_once(self, store: MemoryStore) -> None:
        """Nothing has to run for a memory to be over, or to be so no longer."""
        [entry] = store.put([memory("A needle.")])
        store.update(entry.id, {"times": entry.times.model_copy(update={"valid_until": MOMENT})})
        assert not found(store, entry, as_of=MOMENT)
        store.update(entry.id, {"times": entry.times})
        assert found(store, entry, as_of=MOMENT)

    @pytest.mark.parametrize("zone", ZONES)
    def test_a_moment_is_the_same_in_every_zone(self, store: MemoryStore, zone: str) -> None:
        """Whichever zone it is told or asked in; the offset that was given comes back."""
        until = MOMENT.astimezone(ZoneInfo(zone))
        offset = timezone(until.utcoffset() or timedelta(0))
        [entry] = store.put([memory("A needle.", times=Times(asserted_at=MOMENT - DAY, valid_until=until))])
        for asked in (MOMENT, MOMENT.astimezone(ZoneInfo("Asia/Tokyo")), MOMENT.astimezone(ZoneInfo(zone))):
            assert not found(store, entry, as_of=asked)
            assert found(store, entry, as_of=asked - INSTANT)
        read = store.get([entry.id])[entry.id].times.valid_until
        assert read is not None
        assert (read, read.utcoffset()) == (MOMENT, offset.utcoffset(None))

    def test_an_hour_that_a_clock_shows_twice_is_two_hours(self, store: MemoryStore) -> None:
        """When summer time ends, half past two comes twice, an hour apart: told with its offset, it is one of them."""
        berlin = ZoneInfo("Europe/Berlin")
        first, second = (datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=fold) for fold in (0, 1))
        entries = [memory("A needle.", times=Times(asserted_at=MOMENT, valid_until=each)) for each in (first, second)]
        store.put(entries)
        half_an_hour = timedelta(minutes=30)
        between = first.astimezone(UTC) + half_an_hour
        assert [found(store, each, as_of=between) for each in entries] == [False, True]
        assert [found(store, each, as_of=between + half_an_hour) for each in entries] == [False, False]

    def test_topics_are_asked_in_time_by_a_scan(self, store: MemoryStore) -> None:
        """A topic and a moment are conditions like any two."""
        times = Times(asserted_at=MOMENT, valid_until=MOMENT + DAY)
        store.put([memory("A needle.", times=times, topics=("a.b",)), memory("Another needle.", topics=("a",))])
        asked = [Filter(topic_prefix="a", as_of=MOMENT + day * DAY) for day in (0, 1)]
        assert [len(list(store.scan(each))) for each in asked] == [2, 1]
