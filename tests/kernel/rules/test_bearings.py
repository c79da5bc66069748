"""Later lessons that bear on a rule are linked to it without asking, once, and never against the user's word."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.ports import Bearing
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.rules.bearings import KIND, take_bearings
from hardwon.kernel.use_cases.rules.linking import link, unlink
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeGeneralizer


class Opposing(FakeGeneralizer):
    """Finds that every lesson speaks against every rule."""

    def weigh(self, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> list[Bearing]:
        return [Bearing(rule.id, lesson.id, agrees=False, strength=0.7) for rule in rules for lesson in lessons]


def test_a_lesson_that_says_the_same_joins_the_rule(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    counts = take_bearings(home, [agreeing], [rule])

    assert counts == {"corroborated": 1, "contradicted": 0}
    (edge,) = home.storage.memories.relations(agreeing.id)
    assert (edge.source, edge.kind, edge.named_from(agreeing.id)) == (rule.id, RelationKind.GENERALIZES, "applies_to")
    assert home.storage.memories.get([rule.id])[rule.id] == rule


def test_the_ledger_tells_which_lessons_came_to_which_rule(
    home: Home, rule: MemoryEntry, agreeing: MemoryEntry
) -> None:
    take_bearings(home, [agreeing], [rule])

    (told,) = home.storage.ledger.activity(KIND)
    assert (told.memory, told.details["memories"], told.details["corroborated"]) == (rule.id, [agreeing.id], 1)


def test_twice_is_as_once(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    take_bearings(home, [agreeing], [rule])
    edges = home.storage.memories.relations(rule.id)

    assert take_bearings(home, [agreeing], [rule]) == {}

    assert home.storage.memories.relations(rule.id) == edges
    assert len(list(home.storage.ledger.activity(KIND))) == 1


def test_what_speaks_against_a_rule_is_an_edge_from_the_lesson(home: Home, rule: MemoryEntry) -> None:
    home.generalizer = Opposing()
    (lesson,) = home.storage.memories.put([memory("The long poll must not have a time limit.", "x")])

    assert take_bearings(home, [lesson], [rule]) == {"corroborated": 0, "contradicted": 1}

    (edge,) = home.storage.memories.relations(lesson.id)
    assert (edge.source, edge.kind, edge.target) == (lesson.id, RelationKind.CONTRADICTS, rule.id)


def test_what_is_linked_already_is_not_linked_the_other_way(home: Home, rule: MemoryEntry) -> None:
    home.generalizer = Opposing()
    behind = home.storage.memories.relations(rule.id)
    lessons = list(home.storage.memories.get([edge.target for edge in behind]).values())

    assert take_bearings(home, lessons, [rule]) == {}


def test_what_the_user_unlinked_stays_so_for_every_version(
    home: Home, rule: MemoryEntry, agreeing: MemoryEntry
) -> None:
    take_bearings(home, [agreeing], [rule])
    unlink(home, rule, agreeing, by="ada")

    assert take_bearings(home, [agreeing], [rule]) == {}
    assert home.storage.memories.relations(agreeing.id) == []

    link(home, rule, agreeing, by="ada")
    assert len(home.storage.memories.relations(agreeing.id)) == 1


def test_a_rule_that_does_not_stand_gains_nothing(home: Home, rule: MemoryEntry, agreeing: MemoryEntry) -> None:
    """Nor does one that was archived while the lessons were weighed."""
    home.storage.memories.update(rule.id, {"status": Status.ARCHIVED})

    assert take_bearings(home, [agreeing], [rule]) == {}
