"""Review: the user's yes or no to a proposal, and taking it back.

Accepting writes the rule, then its links, then the decision, and moves the proposal last. Every id in it is derived
from the proposal, so that after a crash at any point the proposal is still pending and accepting again changes nothing
twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, InvalidInput, Unavailable
from hardwon.kernel.ids import derived_id
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry, Source, Status, Times
from hardwon.kernel.proposal import Action, Decision, Proposal, ProposalState
from hardwon.kernel.relation import Relation, RelationKind

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

UNDO = "undo"
CONFIRMED = 0.8
"""Confidence of a rule that a person confirmed; one that they worded themselves has 1."""


@dataclass(frozen=True)
class Accepted:
    """The rule that now stands, and what happened to its lessons."""

    proposal: str
    rule: MemoryEntry
    lessons: tuple[str, ...]
    missing: tuple[str, ...]
    """Lessons that the proposal named and that are no longer there."""


def accept(home: Home, proposal: Proposal, *, by: str, why: str = "", text: str | None = None) -> Accepted:
    """Make the proposal a rule, in the user's words if `text` is given or they edited its document.

    Raises Conflict when it was decided already or none of its lessons is left, InvalidInput when it has no text.
    """
    _require(proposal, ProposalState.PENDING)
    words = (text if text is not None else proposal.rule).strip()
    if not words:
        raise InvalidInput(
            f'Proposal {proposal.id} has no wording yet; run `hardwon review rewrite {proposal.id} "the rule"`.'
        )
    with home.storage.operation(f"Accept a rule: {words[:72]}"):
        lessons = home.storage.memories.get([instance.id for instance in proposal.instances])
        if not lessons:
            raise Conflict(f"None of the lessons of {proposal.id} is left; reject it, or run `hardwon consolidate`.")
        rule = _write_rule(home, proposal, words, lessons)
        home.storage.memories.relate(
            [
                Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=id, asserted_at=home.clock.now())
                for id in lessons
            ]
        )
        decision = _decision(home, proposal, Action.REWRITE if _reworded(proposal, words) else Action.ACCEPT, by, why)
        revisions = {id: entry.revision for id, entry in lessons.items()}
        _settle(
            home,
            proposal.model_copy(update={"state": ProposalState.ACCEPTED, "rule": words}),
            decision.model_copy(update={"after": words, "rule": rule.id, "revisions": revisions}),
        )
    _embed(home, rule)
    missing = tuple(instance.id for instance in proposal.instances if instance.id not in lessons)
    return Accepted(proposal.id, rule, tuple(lessons), missing)


def reject(home: Home, proposal: Proposal, *, by: str, why: str = "") -> Decision:
    """Turn the proposal down; it comes back only when its evidence has grown. Raises Conflict when decided already."""
    _require(proposal, ProposalState.PENDING)
    decision = _decision(home, proposal, Action.REJECT, by, why).model_copy(
        update={"revisions": {instance.id: instance.revision for instance in proposal.instances}}
    )
    with home.storage.operation(f"Reject a proposal: {proposal.rule[:72] or proposal.id}"):
        _settle(home, proposal.model_copy(update={"state": ProposalState.REJECTED}), decision)
    return decision


def undo(home: Home, proposal: Proposal, *, by: str, why: str = "") -> Decision:
    """Take the last decision back: its rule is archived with its links retracted, and the proposal is pending again.

    Raises Conflict when nothing was decided.
    """
    decisions = home.storage.ledger.decisions(proposal.id)
    if proposal.state not in (ProposalState.ACCEPTED, ProposalState.REJECTED) or not decisions:
        raise Conflict(f"Proposal {proposal.id} is {proposal.state}, so there is no decision to undo.")
    last = decisions[-1]
    decision = _decision(home, proposal, UNDO, by, why).model_copy(
        update={"undoes": last.id, "before": last.after, "after": last.before, "rule": last.rule}
    )
    with home.storage.operation(f"Undo: {last.action} of {proposal.id}"):
        if last.rule:
            _retire_rule(home, last.rule)
        restored = proposal.model_copy(update={"state": ProposalState.PENDING, "rule": last.before or proposal.rule})
        _settle(home, restored, decision)
    return decision


def _embed(home: Home, rule: MemoryEntry) -> None:
    """Make the rule's vectors now, so that it is found by its meaning at once; where that fails, it still stands."""
    from hardwon.kernel.use_cases.embedding import embedded_texts, vectors_of

    with contextlib.suppress(Unavailable):
        vectors_of(home, embedded_texts(rule))


def _require(proposal: Proposal, state: ProposalState) -> None:
    if proposal.state is not state:
        raise Conflict(
            f"Proposal {proposal.id} was {proposal.state} already; `hardwon review undo {proposal.id}` first."
        )


def _reworded(proposal: Proposal, words: str) -> bool:
    return bool(words != proposal.metadata.get("proposed_rule", proposal.rule))


def _decision(home: Home, proposal: Proposal, action: str, by: str, why: str) -> Decision:
    """Start a decision. The count of earlier ones is in its id: the same step repeated after a crash is the same."""
    earlier = home.storage.ledger.decisions(proposal.id)
    done = len(earlier) - 1 if earlier and earlier[-1].action == action else len(earlier)
    return Decision(
        id=derived_id(proposal.created_at, proposal.id, action, str(done)),
        proposal=proposal.id,
        action=action,
        by=by,
        at=home.clock.now(),
        why=why,
        before=str(proposal.metadata.get("proposed_rule", proposal.rule)),
    )


def _settle(home: Home, proposal: Proposal, decision: Decision) -> None:
    home.storage.ledger.decide(decision)
    home.queue.settle(proposal)


def _write_rule(home: Home, proposal: Proposal, words: str, lessons: dict[str, MemoryEntry]) -> MemoryEntry:
    reworded = _reworded(proposal, words)
    translations = [] if reworded else [text for text in proposal.translations.values() if text != words]
    rule = MemoryEntry(
        id=derived_id(proposal.created_at, proposal.id, "rule"),
        idempotency_key=f"proposal:{proposal.id}",
        kind=Kind.RULE,
        content="\n\n".join([words, *translations]),
        lesson=Lesson(principle=words),
        scope=proposal.scope,
        topics=(proposal.topic,) if proposal.topic else (),
        tags=_shared_tags(list(lessons.values())),
        source=Source(said_by="user", evidence=f"proposal {proposal.id}"),
        times=Times(asserted_at=home.clock.now()),
        confidence=1.0 if reworded else CONFIRMED,
        importance=0.7,
    )
    known = home.storage.memories.get([rule.id]).get(rule.id)
    if known is None:
        return home.storage.memories.put([rule])[0]
    # A crash or an undo left this rule behind: it stands again, in the present words.
    fields = ("content", "lesson", "topics", "tags", "confidence", "status")
    times = known.times.model_copy(update={"retracted_at": None})
    return home.storage.memories.update(rule.id, {**{name: getattr(rule, name) for name in fields}, "times": times})


def _shared_tags(lessons: Sequence[MemoryEntry]) -> tuple[str, ...]:
    """Return the tags that at least half of the lessons carry, in alphabetical order."""
    counts: dict[str, int] = {}
    for lesson in lessons:
        for tag in lesson.tags:
            counts[tag] = counts.get(tag, 0) + 1
    return tuple(sorted(tag for tag, count in counts.items() if 2 * count >= len(lessons)))


def _retire_rule(home: Home, id: str) -> None:
    memories = home.storage.memories
    rule = memories.get([id]).get(id)
    if rule is None:
        return
    now = home.clock.now()
    edges = [edge for edge in memories.relations(id) if edge.source == id and edge.kind is RelationKind.GENERALIZES]
    memories.unrelate(edges, now)
    memories.update(id, {"status": Status.ARCHIVED, "times": rule.times.model_copy(update={"retracted_at": now})})
