"""Conflicts: two memories that cannot both hold are marked, and the user is asked which of them does, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Status
from hardwon.kernel.proposal import PROPOSED_BY, Proposal, ProposalKind, ProposalState, instance_of
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.superseding import began

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

ASKED_BY = "the write gate"
CONFIDENCE = 0.5
"""Which of the two holds, nobody knows but the user."""


def settle_id(one: str, other: str) -> str:
    """Return the id of the question which of two memories holds: the same, whichever is named first."""
    return fingerprint("settle", *sorted((one, other)), length=10)


def contradict(home: Home, known: MemoryEntry, new: MemoryEntry, reason: str) -> None:
    """Link two memories that cannot both hold, from the newer to the older; one link is enough."""
    older, newer = in_order(known, new)
    edge = Relation(
        source=newer.id, kind=RelationKind.CONTRADICTS, target=older.id, note=reason, asserted_at=home.clock.now()
    )
    if not between(home, older.id, newer.id):
        home.storage.memories.relate([edge])


def mark_conflict(home: Home, known: MemoryEntry, new: MemoryEntry, reason: str) -> Proposal | None:
    """Mark two memories as in conflict and ask the user; return the question, None where it was answered before.

    Where one of them is only observed, they are linked and nobody is asked: it is not recalled unasked anyway.
    """
    id = settle_id(known.id, new.id)
    asked = next((each for each in home.queue.all() if each.id == id), None)
    if asked is not None and asked.state in (ProposalState.ACCEPTED, ProposalState.REJECTED):
        return None
    contradict(home, known, new, reason)
    if Status.OBSERVED in (known.status, new.status):
        return None
    older, newer = in_order(_marked(home, known), _marked(home, new))
    question = _question(home, id, older, newer, reason)
    home.queue.add([question])
    return question


def in_order(known: MemoryEntry, new: MemoryEntry) -> tuple[MemoryEntry, MemoryEntry]:
    """Return the older of two memories first; of two that began together, the one that was known."""
    return (new, known) if began(new) < began(known) else (known, new)


def between(home: Home, one: str, other: str) -> list[Relation]:
    """Return the edges that say that two memories cannot both hold."""
    edges = home.storage.memories.relations(one)
    return [edge for edge in edges if edge.kind is RelationKind.CONTRADICTS and edge.other(one) == other]


def open_questions(home: Home, memory: str) -> list[Proposal]:
    """Return the questions about a memory that wait for the user."""
    return [
        each
        for each in home.queue.pending()
        if each.kind is ProposalKind.SETTLE and memory in {target.id for target in each.targets}
    ]


def withdraw_questions(home: Home, memory: str) -> None:
    """End the questions about a memory that is gone or superseded; what it was in conflict with stands alone again."""
    for question in open_questions(home, memory):
        home.queue.settle(question.model_copy(update={"state": ProposalState.WITHDRAWN}))
        for each in home.storage.memories.get([target.id for target in question.targets]).values():
            release(home, each)


def release(home: Home, entry: MemoryEntry) -> None:
    """Let a memory be no longer in conflict, where no other question about it waits."""
    if entry.status is Status.CONFLICT and not open_questions(home, entry.id):
        home.storage.memories.update(entry.id, {"status": Status.ACTIVE})


def _marked(home: Home, entry: MemoryEntry) -> MemoryEntry:
    if entry.status is Status.CONFLICT:
        return entry
    return home.storage.memories.update(entry.id, {"status": Status.CONFLICT})


def _question(home: Home, id: str, older: MemoryEntry, newer: MemoryEntry, reason: str) -> Proposal:
    told = [
        f"- {began(each):%Y-%m-%d}, said by {each.source.said_by}: {' '.join(each.content.split())}"
        for each in (older, newer)
    ]
    what_to_do = (
        "Accept: the newer one takes the place of the older. Reject: both stand, and this is not asked again. "
        "Rewrite: your words take the place of both."
    )
    return Proposal(
        id=id,
        kind=ProposalKind.SETTLE,
        rule=newer.content,
        rationale=f"Both cannot hold ({reason}):\n\n" + "\n".join(told) + f"\n\n{what_to_do}",
        topic=newer.home_topic,
        scope=newer.scope,
        targets=(instance_of(older), instance_of(newer)),
        confidence=CONFIDENCE,
        created_at=home.clock.now(),
        metadata={PROPOSED_BY: ASKED_BY},
    )
