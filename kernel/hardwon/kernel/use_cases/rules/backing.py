"""Backing: the lessons that a rule stands on, and those that speak against it, as the edges tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Status
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


@dataclass(frozen=True)
class Backing:
    """A rule between its lessons, which carry their projects' present names. What is archived counts for nothing."""

    rule: MemoryEntry
    lessons: tuple[MemoryEntry, ...]
    against: tuple[MemoryEntry, ...]
    """Its exceptions: what the user is shown with the rule."""

    @property
    def projects(self) -> tuple[str, ...]:
        """Return the projects of its lessons, in order of first appearance."""
        return tuple(dict.fromkeys(each.scope.project for each in self.lessons if each.scope.project))


def backing_of(home: Home, rules: Iterable[MemoryEntry]) -> list[Backing]:
    """Return the backing of each rule, in order."""
    rules = list(rules)
    memories = home.storage.memories
    edges = {rule.id: memories.relations(rule.id) for rule in rules}
    ids = dict.fromkeys(edge.other(id) for id, own in edges.items() for edge in own)
    book = load_projects(home)
    found = {entry.id: entry for entry in book.resolved(memories.get(list(ids)).values())}

    def standing(ids: Iterable[str]) -> tuple[MemoryEntry, ...]:
        return tuple(found[id] for id in ids if id in found and found[id].status is not Status.ARCHIVED)

    return [
        Backing(
            rule=rule,
            lessons=standing(
                e.target for e in edges[rule.id] if e.kind is RelationKind.GENERALIZES and e.source == rule.id
            ),
            against=standing(
                e.source for e in edges[rule.id] if e.kind is RelationKind.CONTRADICTS and e.target == rule.id
            ),
        )
        for rule in rules
    ]
