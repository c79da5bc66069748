"""Promises of a MemoryStore on put, update, get and delete."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from hardwon.kernel.errors import Conflict, HardwonError, InvalidInput, NotFound
from hardwon.kernel.memory import Lesson, MemoryEntry, Status, Strength
from hardwon.kernel.ports import MemoryStore
from hardwon.kernel.query import Filter
from hardwon.kernel.scope import Scope
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, complete_memory, memory

EVERYTHING = Filter(statuses=None)


def together(work: Callable[[int], Any], threads: int) -> None:
    """Run `work(number)` in that many threads at once and raise the first error."""
    errors: list[BaseException] = []
    start = threading.Barrier(threads)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:  # the error belongs to the test, not to the thread
            errors.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join()
    if errors:
        raise errors[0]


class MemoryWriting(OverStorage):
    """What is put is there, whole and once; what is changed was what the writer had read."""

    def test_a_memory_comes_back_as_it_was_put(self, store: MemoryStore) -> None:
        """Every field, with offsets of times and metadata that the store knows nothing of, makes the round trip."""
        entry = complete_memory()
        assert store.put([entry]) == [entry]
        assert store.get([entry.id]) == {entry.id: entry}

    def test_a_memory_of_defaults_comes_back(self, store: MemoryStore) -> None:
        """What was left out is not filled in."""
        entry = memory("Only a sentence.")
        store.put([entry])
        assert store.get([entry.id])[entry.id] == entry

    def test_a_taken_id_keeps_all_out(self, store: MemoryStore) -> None:
        """Put is all or none: one Conflict, and nothing of the batch is there."""
        first = memory("The first.")
        store.put([first])
        fresh, clash = memory("Fresh."), memory("Another under a taken id.", id=first.id)
        with pytest.raises(Conflict):
            store.put([fresh, clash])
        assert list(store.scan(EVERYTHING)) == [first]

    def test_an_id_given_twice_in_a_batch_is_a_conflict(self, store: MemoryStore) -> None:
        """Two memories of one batch cannot share an id."""
        one = memory("One.")
        with pytest.raises(Conflict):
            store.put([one, memory("Two.", id=one.id)])
        assert not list(store.scan(EVERYTHING))

    def test_an_idempotency_key_is_kept_once(self, store: MemoryStore) -> None:
        """The known memory comes back in the place of the repeated one, also within a batch."""
        first = memory("First.", idempotency_key="k")
        store.put([first])
        other = memory("Other.")
        again = [memory("Again.", idempotency_key="k"), other, memory("Once more.", idempotency_key="k")]
        assert store.put(again) == [first, other, first]
        assert list(store.scan(EVERYTHING)) == sorted([first, other], key=lambda each: each.id)

    def test_another_idempotency_key_is_another_memory(self, store: MemoryStore) -> None:
        """Also when it says the same; and so is every memory without a key."""
        entries = [memory("Same.", idempotency_key=key) for key in ("k", "K", "l", None, None)]
        assert store.put(entries) == entries
        assert len(list(store.scan(EVERYTHING))) == 5

    def test_an_idempotency_key_belongs_to_its_namespace(self, store: MemoryStore) -> None:
        """Two teams may use the same key."""
        ours = memory("Ours.", idempotency_key="k")
        theirs = memory("Theirs.", idempotency_key="k", scope=Scope(namespace="theirs"))
        assert store.put([ours, theirs]) == [ours, theirs]

    def test_nothing_is_a_batch(self, store: MemoryStore) -> None:
        """Putting nothing keeps nothing."""
        assert store.put([]) == []
        assert store.get([]) == {}

    def test_get_passes_over_what_does_not_exist(self, store: MemoryStore) -> None:
        """What exists comes back, archived or not; what does not is left out."""
        entry = memory("Archived.", status=Status.ARCHIVED)
        store.put([entry])
        assert store.get([entry.id, "0" * 18]) == {entry.id: entry}

    def test_update_replaces_fields(self, store: MemoryStore) -> None:
        """The named fields change, the others stay, and the revision tells of it."""
        old = complete_memory()
        store.put([old])
        changes = {"content": "Shorter.", "strength": "soft", "lesson": {"cause": "haste"}, "tags": ["new"]}
        new = store.update(old.id, changes, expected_revision=old.revision)
        wanted = {"content": "Shorter.", "strength": Strength.SOFT, "lesson": Lesson(cause="haste"), "tags": ("new",)}
        assert new == old.model_copy(update=wanted)
        assert store.get([old.id]) == {old.id: new}
        assert new.revision != old.revision

    def test_update_moves_to_another_project_and_topic(self, store: MemoryStore) -> None:
        """Where a memory holds can change while it stays the same memory."""
        old = memory("Moves.", "shop", topics=("a.b",))
        store.put([old])
        new = store.update(old.id, {"scope": Scope(), "topics": ("c",)})
        assert list(store.scan(Filter(projects=(None,), topic_prefix="c"))) == [new]
        assert not list(store.scan(Filter(topic_prefix="a")))

    def test_update_of_a_stale_revision_is_a_conflict(self, store: MemoryStore) -> None:
        """Who read an older revision changes nothing."""
        old = memory("One.")
        store.put([old])
        new = store.update(old.id, {"content": "Two."})
        with pytest.raises(Conflict):
            store.update(old.id, {"content": "Three."}, expected_revision=old.revision)
        assert store.get([old.id]) == {old.id: new}

    @pytest.mark.parametrize("changes", [{"colour": "red"}, {"confidence": 7}, {"id": "1" * 18}, {"topics": [""]}])
    def test_update_refuses_what_is_no_field_or_no_value(self, store: MemoryStore, changes: dict[str, Any]) -> None:
        """Unknown fields, values out of range and a new id are InvalidInput, and nothing changes."""
        entry = memory("Stays.")
        store.put([entry])
        with pytest.raises(InvalidInput):
            store.update(entry.id, changes)
        assert store.get([entry.id]) == {entry.id: entry}

    def test_update_of_what_does_not_exist(self, store: MemoryStore) -> None:
        """It is NotFound, and nothing comes into being."""
        with pytest.raises(NotFound):
            store.update("0" * 18, {"content": "x"})
        assert not list(store.scan(EVERYTHING))

    def test_delete_forgets_all_or_none(self, store: MemoryStore) -> None:
        """One id that does not exist keeps all of them."""
        gone, stays = memory("Gone."), memory("Stays.")
        store.put([gone, stays])
        with pytest.raises(NotFound):
            store.delete([gone.id, "0" * 18])
        assert set(store.get([gone.id, stays.id])) == {gone.id, stays.id}
        store.delete([gone.id])
        assert list(store.scan(EVERYTHING)) == [stays]

    def test_threads_write_at_once(self, store: MemoryStore) -> None:
        """Nothing that was acknowledged to any of several writers is lost."""
        written: list[MemoryEntry] = []

        def write(number: int) -> None:
            for turn in range(5):
                at = MOMENT + timedelta(seconds=number * 5 + turn)
                written.extend(store.put([memory(f"Thread {number}, turn {turn}.", at=at)]))

        together(write, threads=4)
        assert list(store.scan(EVERYTHING)) == sorted(written, key=lambda each: each.id)
        assert len(written) == 20

    def test_a_key_is_kept_once_by_several_writers(self, store: MemoryStore) -> None:
        """Whoever comes first keeps it, and the others are given what that one kept."""
        kept: list[MemoryEntry] = []
        together(lambda number: kept.extend(store.put([memory(f"By {number}.", idempotency_key="k")])), threads=4)
        assert list(store.scan(EVERYTHING)) == kept[:1]
        assert kept == kept[:1] * 4

    def test_a_key_is_free_again_once_its_memory_is_forgotten(self, store: MemoryStore) -> None:
        """Or has another key: then another memory may have it."""
        first = memory("First.", idempotency_key="k")
        store.put([first])
        store.delete([first.id])
        second, third = (memory(text, idempotency_key="k") for text in ("Second.", "Third."))
        assert store.put([second]) == [second]
        store.update(second.id, {"idempotency_key": "other"})
        assert store.put([third]) == [third]

    def test_a_change_does_not_take_anothers_key(self, store: MemoryStore) -> None:
        """Neither the key itself nor the namespace in which it is taken: it is a Conflict, and nothing changes."""
        one, two = memory("One.", idempotency_key="k"), memory("Two.")
        other = memory("Three.", idempotency_key="k", scope=Scope(namespace="theirs"))
        store.put([one, two, other])
        for id, changes in ((two.id, {"idempotency_key": "k"}), (other.id, {"scope": Scope()})):
            with pytest.raises(Conflict):
                store.update(id, changes)
        assert store.get([one.id, two.id, other.id]) == {each.id: each for each in (one, two, other)}
        assert store.update(one.id, {"content": "Its own key stays."}).idempotency_key == "k"

    def test_one_of_several_writers_wins(self, store: MemoryStore) -> None:
        """Of updates that expect the same revision, exactly one is made; the others are told."""
        old = memory("Contested.")
        store.put([old])
        outcomes: list[str] = []

        def write(number: int) -> None:
            try:
                outcomes.append(store.update(old.id, {"content": f"By {number}."}, old.revision).content)
            except HardwonError as error:
                outcomes.append(type(error).__name__)

        together(write, threads=4)
        assert outcomes.count("Conflict") == 3
        assert store.get([old.id])[old.id].content in outcomes
