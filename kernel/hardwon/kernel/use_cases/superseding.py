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

from hardwon.kernel.errors import Conflict, NotFound
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.circles import components
from hardwon.kernel.use_cases.succession import Edges, Succession

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    from now on, unless it says since when. Raises Conflict for one that lies in that chain already, further back. All
    of it is one operation, so that two writers at once close no circle.
    """
    with home.storage.operation(f"Let {newer.id} take the place of {older.id}"):
        return _superseded(home, newer, older, note)


def _superseded(home: Home, newer: MemoryEntry, older: MemoryEntry, note: str | None) -> MemoryEntry:
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
    return Succession(Edges(home.storage.memories), [id]).heads(id)


def predecessors(home: Home, id: str) -> list[str]:
    """Return everything whose place a memory took, the latest first."""
    return Edges(home.storage.memories).below([id])[1:]


def is_superseded(home: Home, id: str) -> bool:
    """Tell whether something took a memory's place."""
    return bool(_successors(home, id))


def chain_of(home: Home, id: str) -> list[ChainLink]:
    """Return the whole chain in which a memory stands, the oldest first; empty where it is the only one.

    It is the same from whichever memory of it one asks. What was forgotten is not in it.
    """
    edges = Edges(home.storage.memories)
    order = edges.below(Succession(edges, [id]).heads(id))
    if len(order) < 2:
        return []
    succession = Succession(edges, order)
    links = [_link(edges, succession, each) for each in order if each in succession.entries]
    return links[::-1]


def _link(edges: Edges, succession: Succession, id: str) -> ChainLink:
    entry, successors = succession.entries[id], succession.successors[id]
    sources = {each.id for each in successors}
    edge = next((each for each in reversed(edges.to(id)) if each.source in sources), None)
    return ChainLink(
        entry=entry,
        since=began(entry),
        until=_ended(entry, successors),
        superseded_by=edge.source if edge else None,
        superseded_at=edge.asserted_at if edge else None,
        note=edge.note if edge else None,
    )


def began(entry: MemoryEntry) -> datetime:
    """Return since when a memory is true: since it was learned, where nobody said anything else."""
    return entry.times.valid_at or entry.times.asserted_at


def ended(home: Home, entry: MemoryEntry) -> datetime | None:
    """Return when a memory was no longer true: when its successor began, or what it says itself; None while it is."""
    return _ended(entry, _successors(home, entry.id))


def _ended(entry: MemoryEntry, successors: Sequence[MemoryEntry]) -> datetime | None:
    ends = [began(each) for each in successors]
    ends += [entry.times.valid_until] if entry.times.valid_until else []
    return max(began(entry), min(ends)) if ends else None


def holds_at(home: Home, entry: MemoryEntry, moment: datetime) -> bool:
    """Tell whether a memory was true at a moment, and nothing that took its place had begun by then."""
    return bool(holding_at(home, [entry], moment))


def holding_at(home: Home, entries: Sequence[MemoryEntry], moment: datetime) -> list[MemoryEntry]:
    """Return those of these memories that were true at a moment, and whose place nothing had taken by then."""
    true = [each for each in entries if each.times.holds(as_of=moment)]
    succession = Succession(Edges(home.storage.memories), [each.id for each in true])
    over = succession.below_any(lambda each: _had_begun(each, moment))
    return [each for each in true if each.id not in over]


def _had_begun(entry: MemoryEntry, moment: datetime) -> bool:
    """Tell whether a memory was true by then, or is over already; where nobody said since when, it always was."""
    return entry.times.valid_at is None or entry.times.valid_at <= moment


def held_at(home: Home, entry: MemoryEntry, moment: datetime) -> MemoryEntry:
    """Return what held at a moment of the chain in which a memory stands. Raises NotFound where nothing did."""
    chain = [link.entry for link in chain_of(home, entry.id)] or [entry]
    held = holding_at(home, chain, moment)
    if not held:
        raise NotFound(f"Nothing that {entry.id} stands for held at {moment.isoformat()}; leave out --as-of to see it.")
    return entry if entry in held else held[-1]


def joined_without(home: Home, id: str) -> list[Relation]:
    """Return the edges that join what stands before and after a memory of a chain, for when it is forgotten."""
    edges = [edge for edge in home.storage.memories.relations(id) if edge.kind is RelationKind.SUPERSEDES]
    newer = [edge for edge in edges if edge.target == id]
    older = [edge for edge in edges if edge.source == id]
    return [
        Relation(
            source=upper.source,
            kind=RelationKind.SUPERSEDES,
            target=lower.target,
            note=upper.note,
            asserted_at=max(upper.asserted_at, lower.asserted_at),
        )
        for upper in newer
        for lower in older
        if upper.source != lower.target
    ]


def circles(home: Home) -> list[tuple[str, str]]:
    """Return the edges that close a circle and so do not count: what supersedes, and the younger one that it would."""
    edges = [edge for edge in home.storage.memories.edges() if _stands_as_successor(edge)]
    above: dict[str, list[str]] = {}
    for edge in edges:
        above.setdefault(edge.target, []).append(edge.source)
    groups = components(list(above), lambda id: above.get(id, []))
    circle = {each: number for number, group in enumerate(groups) for each in group}
    return [
        (edge.source, edge.target)
        for edge in edges
        if edge.source <= edge.target and circle[edge.source] == circle[edge.target]
    ]


def _stands_as_successor(edge: Relation) -> bool:
    return edge.kind is RelationKind.SUPERSEDES and edge.retracted_at is None


def _successors(home: Home, id: str) -> list[MemoryEntry]:
    """Return what took a memory's place in one step."""
    return Succession(Edges(home.storage.memories), [id]).successors[id]
