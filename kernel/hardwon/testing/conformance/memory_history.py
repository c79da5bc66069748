"""Promises of a MemoryStore on what was: former states of memories, and edges that stand no more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hardwon.kernel.cleaning import cleaned_version
from hardwon.kernel.errors import NotFound
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import MemoryStore, Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.version import Version
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, complete_memory, memory

DAY = timedelta(days=1)


def version(entry: MemoryEntry, days: int, why: str = "") -> Version:
    """Return a state that ended so many days after the examples' moment."""
    return Version(memory=entry.id, entry=entry, until=MOMENT + days * DAY, why=why)


def states(store: MemoryStore, *entries: MemoryEntry) -> list[MemoryEntry]:
    """Return the former states of memories, oldest first."""
    return [each.entry for each in store.versions([entry.id for entry in entries])]


class MemoryHistory(OverStorage):
    """Former states and former edges."""

    @pytest.fixture
    def keeping(self, store: MemoryStore) -> MemoryStore:
        """Return a store that keeps former states by itself."""
        if "history" not in store.capabilities:
            pytest.skip("this store does not claim to keep a history")
        return store

    def test_an_update_leaves_a_version(self, keeping: MemoryStore) -> None:
        """The state that was replaced, whole, and what it is now is none; a memory that never changed has none."""
        first, other = complete_memory(), memory("Other.")
        keeping.put([first, other])
        second = keeping.update(first.id, {"content": "Second.", "topics": ["moved.elsewhere"], "tags": []})
        third = keeping.update(first.id, {"status": "archived", "scope": {"project": "moved"}})
        assert states(keeping, first, other) == [first, second]
        assert keeping.get([first.id]) == {first.id: third}

    def test_what_changes_nothing_leaves_no_version(self, keeping: MemoryStore) -> None:
        """Nor does an edge that is asserted or retracted."""
        entry, other = keeping.put([memory("One."), memory("Other.")])
        edge = Relation(source=entry.id, kind=RelationKind.RELATES_TO, target=other.id, asserted_at=MOMENT)
        keeping.update(entry.id, {"content": entry.content})
        keeping.relate([edge])
        keeping.unrelate([edge], MOMENT + DAY)
        assert keeping.versions([entry.id, other.id]) == []

    def test_a_version_says_why_it_was_replaced(self, keeping: MemoryStore, storage: Storage) -> None:
        """By the reason of the outermost operation."""
        [entry] = keeping.put([memory("One.")])
        with storage.operation("Reword what nobody understood"), storage.operation("Inner"):
            keeping.update(entry.id, {"content": "Two."})
        assert [(each.why, each.entry) for each in keeping.versions([entry.id])] == [
            ("Reword what nobody understood", entry)
        ]

    def test_an_operation_leaves_one_version(self, keeping: MemoryStore, storage: Storage) -> None:
        """What stood only inside it was never true outside: neither a state nor, of a new memory, its first one."""
        [entry] = keeping.put([memory("Before.")])
        with storage.operation("Twice"):
            [fresh] = keeping.put([memory("Fresh.")])
            keeping.update(fresh.id, {"content": "Fresher."})
            keeping.update(entry.id, {"content": "Inside."})
            keeping.update(entry.id, {"content": "After."})
        assert states(keeping, entry, fresh) == [entry]

    def test_an_operation_that_fails_leaves_no_version(self, keeping: MemoryStore, storage: Storage) -> None:
        """Its part is not known to have been; the next change leaves the state that stood."""
        [entry] = keeping.put([memory("Before.")])
        with storage.operation("Outer"):
            with pytest.raises(ZeroDivisionError), storage.operation("Inner"):
                keeping.update(entry.id, {"content": "Inside."})
                raise ZeroDivisionError
            assert states(keeping, entry) == []
            keeping.update(entry.id, {"content": "After."})
        assert states(keeping, entry) == [entry]

    def test_versions_of_another_store_are_kept(self, store: MemoryStore) -> None:
        """Each once, in the order in which they ended, to the last field and with their reasons."""
        entry, other = complete_memory(), memory("Other.")
        store.put([entry, other])
        first = version(entry.model_copy(update={"content": "First: 一 🦀\n\n---\n"}), 1, "Begin")
        second = version(entry.model_copy(update={"content": "Second.", "topics": ("a.b",)}), 2)
        elsewhere = version(other.model_copy(update={"tags": ("t",)}), 3, "因为")
        store.keep_versions([second, first])
        store.keep_versions([first, elsewhere])
        assert store.versions([entry.id, other.id]) == [first, second, elsewhere]
        assert store.versions([other.id]) == [elsewhere]
        assert store.versions([]) == []

    def test_a_version_is_kept_by_the_rule_of_all_texts(self, store: MemoryStore) -> None:
        """What no text may hold is replaced in a former state as in a memory, and it is the same version again."""
        [entry] = store.put([memory("Now.")])
        told = version(entry.model_copy(update={"content": "a\x00b\ud800\r\nc", "tags": ("\udfff",)}), 1, "why\x1b")
        for _ in range(2):
            store.keep_versions([told])
            assert store.versions([entry.id]) == [cleaned_version(told)]

    def test_a_state_that_came_back_is_two_versions(self, store: MemoryStore) -> None:
        """What was believed, given up and believed again was believed twice."""
        [entry] = store.put([memory("Now.")])
        told = [
            version(entry.model_copy(update={"content": text}), day) for day, text in ((1, "A"), (2, "B"), (3, "A"))
        ]
        store.keep_versions(told)
        assert store.versions([entry.id]) == told

    def test_versions_are_those_of_all_memories_or_of_some_since_a_moment(self, store: MemoryStore) -> None:
        """The first one of a memory that ended after a moment is what it said then."""
        entry, other, never = (memory(text) for text in ("Now.", "Other.", "Never changed."))
        store.put([entry, other, never])
        told = [version(entry, 1), version(other, 2), version(entry.model_copy(update={"content": "Later."}), 3)]
        store.keep_versions(told)
        assert store.versions() == told
        assert store.versions(after=MOMENT + DAY) == told[1:]
        assert store.versions([entry.id], after=MOMENT + DAY - timedelta(seconds=1)) == [told[0], told[2]]
        assert store.versions([never.id], after=MOMENT) == []
        assert store.versions(after=MOMENT + 3 * DAY) == []

    def test_a_version_of_nothing_keeps_all_out(self, store: MemoryStore) -> None:
        """It is NotFound, and none is kept."""
        [entry] = store.put([memory("Known.")])
        with pytest.raises(NotFound):
            store.keep_versions([version(entry, 1), version(memory("Unknown."), 1)])
        assert store.versions([entry.id]) == []

    def test_a_forgotten_memory_takes_its_versions_along(self, store: MemoryStore) -> None:
        """Also where another memory comes under the same id."""
        entry, stays = memory("Forgotten."), memory("Stays.")
        store.put([entry, stays])
        store.keep_versions([version(entry.model_copy(update={"content": "Old."}), 1), version(stays, 1)])
        store.update(entry.id, {"content": "Newer."})
        store.delete([entry.id])
        assert store.versions([entry.id]) == []
        store.put([entry])
        assert store.versions([entry.id]) == []
        assert store.versions([stays.id]) == [version(stays, 1)]

    def test_versions_are_no_memories(self, store: MemoryStore) -> None:
        """Nothing of them is scanned or searched."""
        [entry] = store.put([memory("Now: giraffe.")])
        store.keep_versions([version(entry.model_copy(update={"content": "Then: elephant."}), 1)])
        assert list(store.scan(Filter(statuses=None))) == [entry]
        assert not [each for each in store.search(Query(text="elephant")).candidates if each.lexical]

    def test_every_edge_is_walked(self, store: MemoryStore) -> None:
        """Those that stand and those that do not, by source, kind, target and the moment they were asserted."""
        one, two, three = sorted(entry.id for entry in store.put([memory(str(number)) for number in range(3)]))
        stays = Relation(source=two, kind=RelationKind.CONTRADICTS, target=one, weight=0.5, asserted_at=MOMENT)
        first = Relation(source=one, kind=RelationKind.RELATES_TO, target=three, note="一", asserted_at=MOMENT)
        anew = first.model_copy(update={"asserted_at": MOMENT + 2 * DAY})
        store.relate([stays, first])
        store.unrelate([first], MOMENT + DAY)
        store.relate([anew])
        gone = first.model_copy(update={"retracted_at": MOMENT + DAY})
        assert list(store.edges()) == [gone, anew, stays]
        assert list(store.edges(retracted_after=MOMENT)) == [gone]
        assert list(store.edges(retracted_after=MOMENT + DAY)) == []

    def test_an_edge_that_stood_is_kept_as_such(self, store: MemoryStore) -> None:
        """Once, beside one that stands: so that a copy of a store knows what this one knows."""
        one, two = (entry.id for entry in store.put([memory("One."), memory("Two.")]))
        stands = Relation(source=one, kind=RelationKind.SUPERSEDES, target=two, asserted_at=MOMENT + 2 * DAY)
        stood = stands.model_copy(update={"asserted_at": MOMENT, "retracted_at": MOMENT + DAY})
        store.relate([stands, stood])
        store.relate([stood])
        assert list(store.edges()) == [stood, stands]
        assert store.relations(one) == [stands]
