"""Promises of a MemoryStore on relations: one edge, kept once, read from both ends, retracted in time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hardwon.kernel.errors import NotFound
from hardwon.kernel.ports import MemoryStore
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.testing.conformance.memory_writing import together
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, memory

LATER = MOMENT + timedelta(days=1)


def edge(source: str, target: str, kind: RelationKind = RelationKind.GENERALIZES) -> Relation:
    """Return an edge that stands since the examples' moment."""
    return Relation(source=source, kind=kind, target=target, asserted_at=MOMENT)


class MemoryRelations(OverStorage):
    """Edges between memories."""

    @pytest.fixture
    def ids(self, store: MemoryStore) -> list[str]:
        """Return the ids of five memories, in no relation yet."""
        return [entry.id for entry in store.put([memory(f"Memory {number}.") for number in range(5)])]

    def test_an_edge_is_read_from_both_ends(self, store: MemoryStore, ids: list[str]) -> None:
        """With its weight, its note and its time; the memories beside it know nothing of it."""
        kept = edge(ids[0], ids[1]).model_copy(update={"weight": 0.25, "note": "因为 “both” slept"})
        store.relate([kept])
        assert store.relations(ids[0]) == store.relations(ids[1]) == [kept]
        assert store.relations(ids[2]) == []

    def test_an_edge_is_asserted_once(self, store: MemoryStore, ids: list[str]) -> None:
        """Asserting it again changes nothing, not even its time."""
        first = edge(ids[0], ids[1])
        store.relate([first])
        store.relate([first.model_copy(update={"asserted_at": LATER})])
        assert store.relations(ids[0]) == [first]

    @pytest.mark.parametrize("kind", RelationKind)
    def test_every_kind_of_edge_is_kept(self, store: MemoryStore, ids: list[str], kind: RelationKind) -> None:
        """An edge of one kind is another edge than one of another kind, or than the same edge turned round."""
        wanted = [edge(ids[0], ids[1], kind), edge(ids[1], ids[0], kind)]
        store.relate(wanted)
        assert sorted(store.relations(ids[0]), key=lambda each: each.key) == sorted(wanted, key=lambda each: each.key)

    def test_an_end_that_does_not_exist_keeps_all_out(self, store: MemoryStore, ids: list[str]) -> None:
        """It is NotFound, and none of the edges stands."""
        with pytest.raises(NotFound):
            store.relate([edge(ids[0], ids[1]), edge(ids[0], "0" * 18)])
        assert store.relations(ids[0]) == []

    def test_a_retracted_edge_stands_no_more(self, store: MemoryStore, ids: list[str]) -> None:
        """The others do; retracting what does not stand is passed over; it can be asserted anew."""
        gone, stays = edge(ids[0], ids[1]), edge(ids[0], ids[2])
        store.relate([gone, stays])
        store.unrelate([gone, edge(ids[3], ids[4])], LATER)
        assert store.relations(ids[0]) == [stays]
        assert store.relations(ids[1]) == []
        anew = gone.model_copy(update={"asserted_at": LATER + timedelta(days=1)})
        store.relate([anew])
        assert store.relations(ids[1]) == [anew]

    def test_a_change_of_a_memory_keeps_its_edges(self, store: MemoryStore, ids: list[str]) -> None:
        """Content, project and topic may change; what it is linked to does not."""
        kept = edge(ids[0], ids[1])
        store.relate([kept])
        store.update(ids[1], {"content": "Changed.", "scope": {"project": "moved"}, "topics": ["new.place"]})
        store.update(ids[0], {"content": "Changed too."})
        assert store.relations(ids[0]) == store.relations(ids[1]) == [kept]

    def test_a_forgotten_memory_takes_its_edges_along(self, store: MemoryStore, ids: list[str]) -> None:
        """From whichever end."""
        store.relate([edge(ids[0], ids[1]), edge(ids[1], ids[2]), edge(ids[0], ids[2])])
        store.delete([ids[1]])
        assert store.relations(ids[0]) == store.relations(ids[2]) == [edge(ids[0], ids[2])]

    def test_traverse_goes_outwards_nearest_first(self, store: MemoryStore, ids: list[str]) -> None:
        """Along edges of the one kind, in their direction."""
        store.relate([edge(ids[0], ids[1]), edge(ids[1], ids[2]), edge(ids[2], ids[3])])
        store.relate([edge(ids[0], ids[4], RelationKind.CONTRADICTS)])
        assert store.traverse(ids[0], RelationKind.GENERALIZES) == [ids[1], ids[2], ids[3]]
        assert store.traverse(ids[2], RelationKind.GENERALIZES) == [ids[3]]
        assert store.traverse(ids[0], RelationKind.CONTRADICTS) == [ids[4]]
        assert store.traverse(ids[3], RelationKind.GENERALIZES) == []

    def test_traverse_goes_as_deep_as_asked(self, store: MemoryStore, ids: list[str]) -> None:
        """Depth is the number of edges; none reaches nothing."""
        store.relate([edge(ids[number], ids[number + 1]) for number in range(4)])
        reached = [len(store.traverse(ids[0], RelationKind.GENERALIZES, depth)) for depth in (0, 1, 2, 4, 9)]
        assert reached == [0, 1, 2, 4, 4]

    def test_a_long_chain_is_walked_to_its_end(self, store: MemoryStore) -> None:
        """From the head through each that it superseded in turn, whatever else is linked to them."""
        chain = [entry.id for entry in store.put([memory(f"State {number}.") for number in range(60)])]
        pairs = list(zip(chain[1:], chain, strict=False))
        store.relate([edge(newer, older, RelationKind.SUPERSEDES) for newer, older in pairs])
        store.relate([edge(newer, older, RelationKind.RELATES_TO) for newer, older in pairs])
        assert store.traverse(chain[-1], RelationKind.SUPERSEDES, depth=1000) == chain[-2::-1]
        assert store.traverse(chain[-1], RelationKind.SUPERSEDES, depth=3) == chain[-2:-5:-1]
        store.delete([chain[30]])
        assert store.traverse(chain[-1], RelationKind.SUPERSEDES, depth=1000) == chain[-2:30:-1]

    def test_edges_are_told_oldest_first(self, store: MemoryStore, ids: list[str]) -> None:
        """Whichever way round they go, and in whatever order they were asserted."""
        days = (3, 1, 2)
        told = [
            edge(*ends).model_copy(update={"asserted_at": MOMENT + timedelta(days=day)})
            for day, ends in zip(days, ((ids[0], ids[1]), (ids[2], ids[0]), (ids[0], ids[3])), strict=True)
        ]
        store.relate(told)
        assert store.relations(ids[0]) == sorted(told, key=lambda each: each.asserted_at)

    def test_an_edge_asserted_by_several_writers_stands_once(self, store: MemoryStore, ids: list[str]) -> None:
        """Whoever was first."""
        together(lambda _: store.relate([edge(ids[0], ids[1])]), threads=4)
        assert store.relations(ids[0]) == list(store.edges()) == [edge(ids[0], ids[1])]

    def test_traverse_ends_in_a_circle(self, store: MemoryStore, ids: list[str]) -> None:
        """Each memory is reached once, the start never; a shorter way wins."""
        store.relate([edge(ids[0], ids[1]), edge(ids[1], ids[2]), edge(ids[2], ids[0]), edge(ids[0], ids[2])])
        assert sorted(store.traverse(ids[0], RelationKind.GENERALIZES)) == sorted(ids[1:3])
        assert sorted(store.traverse(ids[0], RelationKind.GENERALIZES, depth=1)) == sorted(ids[1:3])

    def test_traverse_does_not_follow_what_was_retracted(self, store: MemoryStore, ids: list[str]) -> None:
        """A retracted edge leads nowhere."""
        store.relate([edge(ids[0], ids[1])])
        store.unrelate([edge(ids[0], ids[1])], LATER)
        assert store.traverse(ids[0], RelationKind.GENERALIZES) == []
