"""StorageConformance: what was acknowledged outlives the process that wrote it; operations; closing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.testing.conformance.memory_writing import together
from hardwon.testing.examples import MOMENT, complete_decision, complete_memory, memory

MakeStorage = Callable[[], Storage]


def _edge(source: MemoryEntry, target: MemoryEntry) -> Relation:
    return Relation(source=source.id, kind=RelationKind.RELATES_TO, target=target.id, asserted_at=MOMENT)


class StorageConformance:
    """What every Storage promises. Give the fixture `make_storage`: each call opens the same, at first empty, truth."""

    @pytest.fixture
    def make_storage(self) -> MakeStorage:
        """Return what opens the storage; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `make_storage` that returns a function.")

    def test_everything_outlives_a_close(self, make_storage: MakeStorage) -> None:
        """Memories, relations, decisions, activity, documents and vectors are there when it is opened again."""
        entry, other = complete_memory(), memory("Other.")
        relation = Relation(source=entry.id, kind=RelationKind.SUPERSEDES, target=other.id, asserted_at=MOMENT)
        decision, activity = complete_decision(), Activity(kind="shown", at=MOMENT, memory=entry.id)
        first = make_storage()
        first.memories.put([entry, other])
        first.memories.relate([relation])
        first.ledger.decide(decision)
        first.ledger.append([activity])
        first.documents.write("notes/a.md", "text")
        first.vectors.keep("space", {"key": to_bytes([1.0])})
        first.close()
        again = make_storage()
        assert again.memories.get([entry.id, other.id]) == {entry.id: entry, other.id: other}
        assert again.memories.relations(other.id) == [relation]
        assert again.ledger.decisions() == [decision]
        assert list(again.ledger.activity("shown")) == [activity]
        assert again.documents.read("notes/a.md") == "text"
        assert again.vectors.fetch("space", ["key"]) == {"key": to_bytes([1.0])}
        again.close()

    def test_changes_outlive_a_close(self, make_storage: MakeStorage) -> None:
        """So do an update, a retracted relation and a forgotten memory, for search as well."""
        kept, gone = memory("giraffe"), memory("giraffe")
        relation = Relation(source=kept.id, kind=RelationKind.RELATES_TO, target=gone.id, asserted_at=MOMENT)
        first = make_storage()
        first.memories.put([kept, gone])
        first.memories.relate([relation])
        first.memories.unrelate([relation], MOMENT)
        changed = first.memories.update(kept.id, {"content": "elephant"})
        first.memories.delete([gone.id])
        first.close()
        again = make_storage()
        assert list(again.memories.scan(Filter(statuses=None))) == [changed]
        assert again.memories.relations(kept.id) == []
        assert [each.id for each in again.memories.search(Query(text="elephant")).candidates] == [kept.id]
        assert not again.memories.search(Query(text="giraffe")).candidates
        again.close()

    def test_two_openings_see_each_other(self, make_storage: MakeStorage) -> None:
        """Where writers may be concurrent, what one acknowledged the other finds, reads and searches."""
        one, two = make_storage(), make_storage()
        if "concurrent-writers" not in one.memories.capabilities:
            pytest.skip("this store does not claim concurrent writers")
        first, second = memory("from one: giraffe"), memory("from two: elephant")
        one.memories.put([first])
        two.memories.put([second])
        for storage in (one, two):
            assert storage.memories.get([first.id, second.id]) == {first.id: first, second.id: second}
            assert len(list(storage.memories.scan(Filter()))) == 2
            assert [each.id for each in storage.memories.search(Query(text="giraffe")).candidates] == [first.id]
        one.close()
        two.close()

    def test_an_operation_is_one_change(self, make_storage: MakeStorage) -> None:
        """What is written inside is read inside, and stands when it ends."""
        storage = make_storage()
        entry = memory("Inside.")
        with storage.operation("Import three files"):
            storage.memories.put([entry])
            storage.documents.write("a.md", "text")
            assert storage.memories.get([entry.id]) == {entry.id: entry}
            assert storage.documents.read("a.md") == "text"
        assert list(storage.memories.scan(Filter())) == [entry]
        storage.close()

    def test_operations_nest(self, make_storage: MakeStorage) -> None:
        """A use case that calls another inside its operation does not wait for itself."""
        storage = make_storage()
        entry = memory("Nested.")
        with storage.operation("Outer"), storage.operation("Inner"):
            storage.memories.put([entry])
        assert list(storage.memories.scan(Filter())) == [entry]
        storage.close()

    def test_operations_of_threads_take_turns(self, make_storage: MakeStorage) -> None:
        """Nobody reads and writes between another's reading and writing."""
        storage = make_storage()
        storage.documents.write("count", "0")
        room_for_another = threading.Event()

        def count(_: int) -> None:
            for _turn in range(3):
                with storage.operation("Count"):
                    before = int(storage.documents.read("count") or "0")
                    room_for_another.wait(0.002)
                    storage.documents.write("count", str(before + 1))

        together(count, threads=4)
        assert storage.documents.read("count") == "12"
        storage.close()

    def test_a_failed_operation_lets_go(self, make_storage: MakeStorage) -> None:
        """The error reaches the caller, and the next operation goes on as if it had not been."""
        storage = make_storage()
        with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
            raise ZeroDivisionError
        entry = memory("After.")
        with storage.operation("Works"):
            storage.memories.put([entry])
        assert list(storage.memories.scan(Filter())) == [entry]
        storage.close()

    def test_a_failed_operation_leaves_nothing(self, make_storage: MakeStorage) -> None:
        """No memory, edge, document, decision, change or removal made inside, neither now nor when opened again."""
        storage = make_storage()
        known, other, fresh = memory("Known: giraffe."), memory("Other."), memory("Fresh: elephant.")
        standing = {each.id: each for each in storage.memories.put([known, other])}
        storage.documents.write("a.md", "before")
        with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
            storage.memories.put([fresh])
            storage.memories.update(known.id, {"content": "Known: elephant."})
            storage.memories.relate([_edge(fresh, known), _edge(known, fresh)])
            storage.memories.delete([other.id])
            storage.documents.write("a.md", "inside")
            storage.documents.move("a.md", "b.md")
            storage.ledger.decide(complete_decision())
            raise ZeroDivisionError
        for opened in (storage, make_storage()):
            assert {each.id: each for each in opened.memories.scan(Filter(statuses=None))} == standing
            assert opened.memories.relations(known.id) == []
            assert not opened.memories.search(Query(text="elephant")).candidates
            assert (opened.documents.read("a.md"), opened.documents.read("b.md")) == ("before", None)
            assert opened.ledger.decisions() == []
            opened.close()

    def test_an_inner_operation_fails_alone(self, make_storage: MakeStorage) -> None:
        """Its own part is taken back; what the outer one wrote before and after it stands, also when opened again."""
        storage = make_storage()
        before, inside, after = memory("Before."), memory("Inside."), memory("After.")
        with storage.operation("Outer"):
            storage.memories.put([before])
            with pytest.raises(ZeroDivisionError), storage.operation("Inner"):
                storage.memories.put([inside])
                storage.memories.relate([_edge(inside, before)])
                storage.documents.write("inside.md", "text")
                storage.ledger.decide(complete_decision())
                raise ZeroDivisionError
            storage.memories.put([after])
        for opened in (storage, make_storage()):
            assert {each.id for each in opened.memories.scan(Filter())} == {before.id, after.id}
            assert opened.memories.relations(before.id) == []
            assert opened.documents.read("inside.md") is None
            assert opened.ledger.decisions() == []
            opened.close()

    def test_a_new_storage_has_no_problems(self, make_storage: MakeStorage) -> None:
        """Neither empty nor with what it wrote itself."""
        storage = make_storage()
        assert storage.problems() == []
        storage.memories.put([complete_memory()])
        assert storage.problems() == []
        storage.close()

    def test_closing_twice_is_harmless(self, make_storage: MakeStorage) -> None:
        """Also where nothing was used."""
        storage = make_storage()
        storage.close()
        storage.close()
        storage.memories.close()
