"""Bearings: lessons that came later speak for standing rules or against them; that is counted and shown unasked.

It changes neither a rule's text nor where it holds: an edge is asserted, which `links` and `show` tell from both ends.
What the user unlinked is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.kernel.memory import Status
from hardwon.kernel.query import RECALLED
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.rules.linking import taken_back

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Bearing

KIND = "bearing"
"""Of the activity that tells which lessons came to a rule."""
JOINED, OPPOSED = "corroborated", "contradicted"


def take_bearings(home: Home, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> Mapping[str, int]:
    """Weigh these lessons against these rules and link what bears on them; return how many joined and opposed.

    Nothing is locked while they are weighed; what people changed meanwhile is looked at again. Twice is as once.
    """
    standing = [rule for rule in rules if rule.status in RECALLED]
    if not standing or not lessons:
        return {}
    found = home.generalizer.weigh(lessons, standing)
    if not _fresh(home, found):
        return {}
    with home.storage.operation(f"{counted(len(found), 'lesson')} bear on rules"):
        edges = _fresh(home, found)
        home.storage.memories.relate(edges)
        _record(home, edges)
    opposed = sum(edge.kind is RelationKind.CONTRADICTS for edge in edges)
    return {JOINED: len(edges) - opposed, OPPOSED: opposed}


def _fresh(home: Home, bearings: Iterable[Bearing]) -> list[Relation]:
    """Return the edges to assert: both ends stand, the pair is not linked either way, and nobody took it back."""
    bearings = list(bearings)
    memories = home.storage.memories
    gone = taken_back(home, home.storage.ledger.decisions()) if bearings else set()
    known = memories.get([id for each in bearings for id in (each.rule, each.lesson)])
    linked = {
        frozenset((edge.source, edge.target))
        for id in {each.rule for each in bearings}
        for edge in memories.relations(id)
        if edge.kind in (RelationKind.GENERALIZES, RelationKind.CONTRADICTS)
    }
    return [
        _edge(home, each)
        for each in bearings
        if (each.rule, each.lesson) not in gone
        and frozenset((each.rule, each.lesson)) not in linked
        and all(id in known and known[id].status is not Status.ARCHIVED for id in (each.rule, each.lesson))
    ]


def _edge(home: Home, bearing: Bearing) -> Relation:
    source, target = (bearing.rule, bearing.lesson) if bearing.agrees else (bearing.lesson, bearing.rule)
    kind = RelationKind.GENERALIZES if bearing.agrees else RelationKind.CONTRADICTS
    weight = round(min(1.0, max(0.0, bearing.strength)), 3)
    return Relation(source=source, kind=kind, target=target, weight=weight, asserted_at=home.clock.now())


def _record(home: Home, edges: Sequence[Relation]) -> None:
    """Tell in the ledger what came to each rule."""
    joined: dict[str, list[str]] = {}
    opposed: dict[str, list[str]] = {}
    for edge in edges:
        if edge.kind is RelationKind.CONTRADICTS:
            opposed.setdefault(edge.target, []).append(edge.source)
        else:
            joined.setdefault(edge.source, []).append(edge.target)
    now = home.clock.now()
    home.storage.ledger.append(
        [
            Activity(
                kind=KIND,
                at=now,
                memory=rule,
                details={
                    "memories": [*joined.get(rule, ()), *opposed.get(rule, ())],
                    JOINED: len(joined.get(rule, ())),
                    OPPOSED: len(opposed.get(rule, ())),
                },
            )
            for rule in dict.fromkeys((*joined, *opposed))
        ]
    )
