"""Supersede: one memory takes the place of another. Both are kept; what was true before can be asked for.

That a memory is superseded, and until when it was true, follows from the edge and is written nowhere else: an edge by
an agent, a decision, a person's front matter or an import does the same, and taking it back leaves nothing behind.
A superseded memory holds from its own start until just before its successor's (half-open), so that every moment has
exactly one answer; what was believed before the edge was asserted, it does not touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import Status
from hardwon.kernel.relation import Relation, RelationKind

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


@dataclass(frozen=True)
class ChainLink:
    """One memory of a chain of which each took the place of the one before."""

    entry: MemoryEntry
    since: datetime
    """When it became true, or was learned where nobody said that."""
    until: datetime | None
    """When it was no longer true; None while it is."""
    superseded_by: str | None
    superseded_at: datetime | None
    """When that was written down."""
    note: str | None
    """Why, if that was said."""


def supersede(home: Home, newer: MemoryEntry, older: MemoryEntry, note: str | None = None) -> MemoryEntry:
    """Let `newer` take the place of what `older` has become by now; return it as it stands.

    A chain has one head: where something took the place of `older` already, that is superseded. The newer one is true
    from now on, unless it says since when. Raises Conflict for one that lies in that chain already, further back.
    """
    memories = home.storage.memories
    heads = [each for each in heads_of(home, older.id) if each != newer.id]
    if older.id == newer.id or not heads:
        return newer
    for head in heads:
        if newer.id in predecessors(home, head):
            raise Conflict(
                f"{head} took the place of {newer.id} already; remember the words once more if they hold again."
            )
    now = home.clock.now()
    if newer.times.valid_at is None:
        newer = memories.update(newer.id, {"times": newer.times.model_copy(update={"valid_at": now})})
    kind = RelationKind.SUPERSEDES
    memories.relate([Relation(source=newer.id, kind=kind, target=head, note=note, asserted_at=now) for head in heads])
    return newer


def heads_of(home: Home, id: str) -> list[str]:
    """Return what took a memory's place in the end: itself where nothing did; several where hands made it so."""
    heads: list[str] = []
    seen, waiting = {id}, [id]
    while waiting:
        each = waiting.pop()
        successors = _successors(home, each)
        fresh = [one for one in successors if one not in seen]
        if not successors:
            heads.append(each)
        seen.update(fresh)
        waiting += fresh
    return heads or [id]


def predecessors(home: Home, id: str) -> list[str]:
    """Return everything whose place a memory took, the latest first."""
    return home.storage.memories.traverse(id, RelationKind.SUPERSEDES, depth=1000)


def is_superseded(home: Home, id: str) -> bool:
    """Tell whether something took a memory's place."""
    return bool(_successors(home, id))


def chain_of(home: Home, id: str) -> list[ChainLink]:
    """Return the whole chain in which a memory stands, the oldest first; empty where it is the only one.

    It is the same from whichever memory of it one asks. What was forgotten is not in it.
    """
    heads = heads_of(home, id)
    order = dict.fromkeys(each for head in heads for each in (head, *predecessors(home, head)))
    if len(order) < 2:
        return []
    entries = home.storage.memories.get(list(order))
    links = [_link(home, entries[each]) for each in order if each in entries]
    return links[::-1]


def _link(home: Home, entry: MemoryEntry) -> ChainLink:
    edges = _edges_to(home, entry.id)
    successors = home.storage.memories.get([edge.source for edge in edges])
    ends = [began(each) for each in successors.values()] + [each for each in (entry.times.valid_until,) if each]
    edge = edges[-1] if edges else None
    return ChainLink(
        entry=entry,
        since=began(entry),
        until=max(began(entry), min(ends)) if ends else None,
        superseded_by=edge.source if edge else None,
        superseded_at=edge.asserted_at if edge else None,
        note=edge.note if edge else None,
    )


def began(entry: MemoryEntry) -> datetime:
    """Return since when a memory is true: since it was learned, where nobody said anything else."""
    return entry.times.valid_at or entry.times.asserted_at


def _successors(home: Home, id: str) -> list[str]:
    """Return what stands and took a memory's place; what lies in the archive gave it back."""
    sources = [edge.source for edge in _edges_to(home, id)]
    found = home.storage.memories.get(sources)
    return [each for each in sources if each in found and found[each].status is not Status.ARCHIVED]


def _edges_to(home: Home, id: str) -> list[Relation]:
    edges = home.storage.memories.relations(id)
    return [edge for edge in edges if edge.kind is RelationKind.SUPERSEDES and edge.target == id]
