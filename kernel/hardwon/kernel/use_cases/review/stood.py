"""What stood before an acceptance: recorded before the first write, put back by an undo or after a crash.

The record lies in the proposal, which is written before anything else. New memories need none: their ids are derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import Status
from hardwon.kernel.proposal import STOOD, Proposal
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.review.change import Change, made_ids

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

_OURS = (RelationKind.GENERALIZES, RelationKind.SUPERSEDES, RelationKind.CONTRADICTS)
"""The edges of a rule that decisions and evidence make; any other is the user's own."""


def recorded(home: Home, proposal: Proposal, change: Change) -> Proposal:
    """Return the proposal with what stands where the change will write; as it is, where that only makes memories."""
    made = {entry.id for entry in change.made}
    between = [edge for edge in change.asserted if made.isdisjoint((edge.source, edge.target))]
    if not (change.changed or change.retracted or between):
        return proposal
    known = {edge.key for id in {edge.source for edge in between} for edge in home.storage.memories.relations(id)}
    entries = home.storage.memories.get(list(change.changed))
    fields = {
        id: {"before": _fields(entries[id], names), "after": _fields(entries[id].model_copy(update=names), names)}
        for id, names in change.changed.items()
    }
    stood = {
        "fields": fields,
        "retracted": [edge.model_dump(mode="json") for edge in change.retracted],
        "asserted": [edge.model_dump(mode="json") for edge in between if edge.key not in known],
    }
    return proposal.model_copy(update={"metadata": {**proposal.metadata, STOOD: stood}})


def put_back(home: Home, proposal: Proposal) -> None:
    """Let everything stand as before the proposal was accepted, wholly or in part; where nothing was, change nothing.

    Raises Conflict, changing nothing, when the user changed since what would be put back.
    """
    stood = proposal.metadata.get(STOOD) or {}
    restored = _restored(home, proposal, stood.get("fields") or {})
    for id in made_ids(proposal):
        withdraw(home, id)
    for id, fields in restored.items():
        home.storage.memories.update(id, fields)
    present = set(home.storage.memories.get([end for edge in _edges(stood) for end in (edge.source, edge.target)]))
    if asserted := _edges(stood, "asserted"):
        home.storage.memories.unrelate(asserted, home.clock.now())
    if retracted := [edge for edge in _edges(stood, "retracted") if {edge.source, edge.target} <= present]:
        home.storage.memories.relate(retracted)


def _edges(stood: Mapping[str, Any], *names: str) -> list[Relation]:
    """Return the recorded edges of these names, or all of them."""
    return [
        Relation.model_validate(each) for name in names or ("asserted", "retracted") for each in stood.get(name, ())
    ]


def withdraw(home: Home, id: str) -> None:
    """Take a memory that a decision made out of recall, with the edges that decisions and evidence gave it."""
    memories = home.storage.memories
    entry = memories.get([id]).get(id)
    if entry is None:
        return
    now = home.clock.now()
    ours = [edge for edge in memories.relations(id) if edge.kind in _OURS]
    if ours:
        memories.unrelate(ours, now)
    if entry.status is not Status.ARCHIVED:
        memories.update(id, {"status": Status.ARCHIVED, "times": entry.times.model_copy(update={"retracted_at": now})})


def _restored(home: Home, proposal: Proposal, recorded: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the fields to put back, by memory. Raises Conflict for one that is neither as before nor as written."""
    entries = home.storage.memories.get(list(recorded))
    wanted: dict[str, dict[str, Any]] = {}
    for id, entry in entries.items():
        before, after = recorded[id]["before"], recorded[id]["after"]
        present = _fields(entry, before)
        changed = [name for name in before if present[name] not in (before[name], after[name])]
        if changed:
            raise Conflict(
                f"The {changed[0]} of {id} was changed since {proposal.id} was accepted, and an undo would write over "
                f"it; put it back first (`hardwon show {id}`), or leave the decision."
            )
        if present != before:
            wanted[id] = before
    return wanted


def _fields(entry: MemoryEntry, names: Mapping[str, Any]) -> dict[str, Any]:
    plain = entry.model_dump(mode="json")
    return {name: plain[name] for name in names}
