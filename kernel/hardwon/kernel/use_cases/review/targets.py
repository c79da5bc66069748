"""Targets: the rules that a proposal would change, as they stand now; what was changed meanwhile is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import Status
from hardwon.kernel.relation import Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Proposal


def current_targets(home: Home, proposal: Proposal) -> list[MemoryEntry]:
    """Return what the proposal would change, in its order.

    Raises Conflict where it is gone or is no longer what the proposal was made on.
    """
    found = home.storage.memories.get([each.id for each in proposal.targets])
    for target in proposal.targets:
        entry = found.get(target.id)
        if entry is None or entry.status is Status.ARCHIVED:
            raise Conflict(
                f"{target.id}, which {proposal.id} would change, no longer stands; "
                f"`hardwon review reject {proposal.id}` ends the proposal."
            )
        if entry.revision != target.revision:
            raise Conflict(
                f"{target.id} was changed since {proposal.id} was made, and that was left as it is; run "
                f"`hardwon consolidate` to have it proposed on the present text, or see `hardwon show {target.id}`."
            )
    if not found:
        raise Conflict(f"{proposal.id} names nothing to change; `hardwon review reject {proposal.id}` ends it.")
    return [found[target.id] for target in proposal.targets]


def retired(entry: MemoryEntry, at: datetime) -> dict[str, Any]:
    """Return the fields of a memory that is believed until `at`: out of recall, its text and links kept."""
    times = entry.times.model_copy(update={"retracted_at": at})
    return {"status": Status.ARCHIVED, "times": times}


def successions(home: Home, heirs: Iterable[str], targets: Iterable[MemoryEntry]) -> tuple[Relation, ...]:
    """Return the edges by which new rules supersede those that they replace."""
    now = home.clock.now()
    olds = [target.id for target in targets]
    return tuple(
        Relation(source=heir, kind=RelationKind.SUPERSEDES, target=old, asserted_at=now)
        for heir in heirs
        for old in olds
    )


def objections(home: Home, heir: str, target: str) -> tuple[Relation, ...]:
    """Return what speaks against a rule, as spoken against the one that takes its place."""
    return tuple(
        edge.model_copy(update={"target": heir})
        for edge in home.storage.memories.relations(target)
        if edge.kind is RelationKind.CONTRADICTS and edge.target == target
    )


def lessons_of(home: Home, rule: str) -> list[str]:
    """Return the ids of the lessons that stand behind a rule."""
    return [
        edge.target
        for edge in home.storage.memories.relations(rule)
        if edge.kind is RelationKind.GENERALIZES and edge.source == rule
    ]
