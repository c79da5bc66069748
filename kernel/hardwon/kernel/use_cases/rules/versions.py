"""Versions: the chain of rules that supersede one another, walked from any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.relation import RelationKind

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


def versions_of(home: Home, id: str) -> list[MemoryEntry]:
    """Return every memory that this one superseded or was superseded by, step by step, and itself, oldest first.

    A rule that was merged has several before it, one that was split several after it.
    """
    memories = home.storage.memories
    found = {id}
    waiting = [id]
    while waiting:
        one = waiting.pop()
        ends = {edge.other(one) for edge in memories.relations(one) if edge.kind is RelationKind.SUPERSEDES} - found
        found |= ends
        waiting += sorted(ends)
    return sorted(memories.get(list(found)).values(), key=lambda each: (each.times.asserted_at, each.id))
