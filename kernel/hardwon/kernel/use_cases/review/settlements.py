"""Settle: of two memories that cannot both hold, the newer takes the older's place, or the user's words that of both.

Rejected, both stand as they are and this is not asked again. Nothing is deleted: what was superseded keeps its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import Lesson, MemoryEntry, Source, Status, Times
from hardwon.kernel.proposal import instance_of
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.review.change import Change, rule_id
from hardwon.kernel.use_cases.superseding import heads_of, predecessors
from hardwon.kernel.use_cases.write_gate.conflicts import between, open_questions

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal


def plan(home: Home, proposal: Proposal, words: str) -> Change:
    """Return what settles the conflict. Raises Conflict where one of the two is gone or says something else by now."""
    older, newer = _both(home, proposal)
    if newer.id in predecessors(home, older.id):
        raise Conflict(f"{older.id} took the place of {newer.id} already; `hardwon review reject {proposal.id}`.")
    if words == proposal.proposed_rule.strip():
        return Change(
            changed=_released(home, proposal, newer, older, starts=True),
            asserted=tuple(_successions(home, newer.id, [older.id])),
            retracted=tuple(between(home, older.id, newer.id)),
            rule=newer.id,
        )
    settled = _settled(home, proposal, words, newer)
    return Change(
        made=(settled,),
        changed=_released(home, proposal, newer, older),
        asserted=tuple(_successions(home, settled.id, [older.id, newer.id])),
        retracted=tuple(between(home, older.id, newer.id)),
        rule=settled.id,
        after=words,
    )


def plan_rejection(home: Home, proposal: Proposal) -> Change:
    """Return what lets both stand: neither is marked any more, and that they contradict stays linked."""
    entries = home.storage.memories.get([target.id for target in proposal.targets])
    return Change(changed=_released(home, proposal, *entries.values()))


def _both(home: Home, proposal: Proposal) -> tuple[MemoryEntry, MemoryEntry]:
    found = home.storage.memories.get([target.id for target in proposal.targets])
    for target in proposal.targets:
        entry = found.get(target.id)
        if entry is None or entry.status is Status.ARCHIVED:
            raise Conflict(f"{target.id} no longer stands, so there is no conflict; reject {proposal.id}.")
        if instance_of(entry).evidence != target.evidence:
            raise Conflict(
                f"{target.id} says something else by now; reject {proposal.id}, a conflict that is left is asked anew."
            )
    older, newer = (found[target.id] for target in proposal.targets)
    return older, newer


def _released(home: Home, proposal: Proposal, *entries: MemoryEntry, starts: bool = False) -> dict[str, dict[str, Any]]:
    """Return the fields of memories that are no longer in this conflict; with another one open they stay marked."""
    changes: dict[str, dict[str, Any]] = {}
    for place, entry in enumerate(entries):
        others = [each for each in open_questions(home, entry.id) if each.id != proposal.id]
        fields: dict[str, Any] = {}
        if entry.status is Status.CONFLICT and not others:
            fields["status"] = Status.ACTIVE
        if starts and place == 0:
            # Always among what is changed: the decision is about the memory that now holds.
            fields.setdefault("status", entry.status)
            if entry.times.valid_at is None:
                fields["times"] = entry.times.model_copy(update={"valid_at": entry.times.asserted_at})
        if fields:
            changes[entry.id] = fields
    return changes


def _successions(home: Home, heir: str, olds: list[str]) -> list[Relation]:
    """Return the edges by which one takes the place of what the others have become."""
    heads = dict.fromkeys(head for old in olds for head in heads_of(home, old) if head != heir)
    now = home.clock.now()
    return [Relation(source=heir, kind=RelationKind.SUPERSEDES, target=head, asserted_at=now) for head in heads]


def _settled(home: Home, proposal: Proposal, words: str, newer: MemoryEntry) -> MemoryEntry:
    now = home.clock.now()
    return MemoryEntry(
        id=rule_id(proposal),
        idempotency_key=f"proposal:{proposal.id}",
        kind=newer.kind,
        content=words,
        lesson=Lesson(),
        scope=newer.scope,
        branch=newer.branch,
        topics=newer.topics,
        tags=newer.tags,
        source=Source(said_by="user", evidence=f"proposal {proposal.id}"),
        times=Times(valid_at=now, asserted_at=now),
        confidence=1.0,
        importance=newer.importance,
    )
