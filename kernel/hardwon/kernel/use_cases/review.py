"""Review: the user's yes or no to a proposal, and taking it back.

Accepting writes the rule, then its links, then the decision, and moves the proposal last. Every id in it is derived
from the proposal, so that after a crash at any point the proposal is still pending and accepting again changes nothing
twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, HardwonError, InvalidInput
from hardwon.kernel.ids import derived_id
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry, Source, Status, Times
from hardwon.kernel.proposal import DECIDED, Action, Decision, Proposal, ProposalState
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.forgotten import take_back

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

UNDO = "undo"
_WAITED_AS = "waited_as"
"""The metadata key that keeps, while a proposal is accepted in other words, those in which it waited."""
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

    What the queue holds now counts, not what `proposal` was when it was read. Raises Conflict when it was decided
    meanwhile or none of its lessons is left, InvalidInput when it has no text.
    """
    with home.storage.operation(f"Accept a rule: {(text or proposal.rule).strip()[:72] or proposal.id}"):
        proposal = _waiting(home, proposal.id)
        words = _words(home, proposal, text)
        lessons = _evidence(home, proposal)
        rule = _write_rule(home, proposal, words, lessons)
        take_back(home, [rule])
        home.storage.memories.relate(
            [
                Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=id, asserted_at=home.clock.now())
                for id in lessons
            ]
        )
        action = Action.ACCEPT if words == proposal.proposed_rule else Action.REWRITE
        revisions = {id: entry.revision for id, entry in lessons.items()}
        decision = _decision(home, proposal, action, by, why, after=words, rule=rule.id, revisions=revisions)
        _settle(home, _accepted(proposal, words), decision)
    _embed(home, rule)
    missing = tuple(instance.id for instance in proposal.instances if instance.id not in lessons)
    return Accepted(proposal.id, rule, tuple(lessons), missing)


def reject(home: Home, proposal: Proposal, *, by: str, why: str = "") -> Decision:
    """Turn the proposal down; it comes back only when its evidence has grown.

    Raises Conflict when it was decided meanwhile.
    """
    with home.storage.operation(f"Reject a proposal: {proposal.rule[:72] or proposal.id}"):
        proposal = _waiting(home, proposal.id)
        # An acceptance that was cut off may have left its rule behind.
        _retire_rule(home, _rule_id(proposal))
        revisions = {instance.id: instance.revision for instance in proposal.instances}
        decision = _decision(home, proposal, Action.REJECT, by, why, revisions=revisions)
        _settle(home, proposal.model_copy(update={"state": ProposalState.REJECTED}), decision)
    return decision


def undo(home: Home, proposal: Proposal, *, by: str, why: str = "") -> Decision:
    """Take the last decision back: its rule is archived with its links retracted, and the proposal waits as before.

    Raises Conflict when nothing was decided.
    """
    with home.storage.operation(f"Undo the decision on {proposal.id}"):
        proposal = home.queue.find(proposal.id)
        decisions = home.storage.ledger.decisions(proposal.id)
        if proposal.state not in DECIDED or not decisions:
            raise Conflict(f"Proposal {proposal.id} is {proposal.state}, so there is no decision to undo.")
        last = decisions[-1]
        if last.rule:
            _retire_rule(home, last.rule)
        decision = _decision(home, proposal, UNDO, by, why, rule=last.rule).model_copy(
            update={"undoes": last.id, "before": last.after}
        )
        _settle(home, _waiting_again(proposal), decision)
    return decision


def reword(home: Home, proposal: Proposal, text: str) -> Proposal:
    """Put the user's words into a waiting proposal without deciding; return it.

    Raises InvalidInput when there are none, Conflict when it was decided meanwhile.
    """
    words = redacted(home.redactor, text)[0].strip()
    if not words:
        raise InvalidInput(f"The new wording of {proposal.id} is empty; give the rule as one sentence.")
    with home.storage.operation(f"Edit a proposal: {words[:72]}"):
        changed = _waiting(home, proposal.id).reworded(words)
        home.queue.settle(changed)
    return changed


def _waiting(home: Home, id: str) -> Proposal:
    """Return the proposal as it stands now. Raises Conflict when it does not wait for a decision."""
    proposal = home.queue.find(id)
    if proposal.state is ProposalState.WITHDRAWN:
        raise Conflict(
            f"Proposal {id} was withdrawn, since its evidence is gone; `hardwon consolidate` brings it back with it."
        )
    if proposal.state is not ProposalState.PENDING:
        raise Conflict(f"Proposal {id} was {proposal.state} already; `hardwon review undo {id}` first.")
    return proposal


def _words(home: Home, proposal: Proposal, text: str | None) -> str:
    """Return the rule's words as they will be kept, so that a repeated acceptance knows the one before."""
    words = redacted(home.redactor, text if text is not None else proposal.rule)[0].strip()
    if not words:
        raise InvalidInput(
            f'Proposal {proposal.id} has no wording yet; run `hardwon review rewrite {proposal.id} "the rule"`.'
        )
    return words


def _evidence(home: Home, proposal: Proposal) -> dict[str, MemoryEntry]:
    """Return the lessons that still stand, by id: what was forgotten or retired is no evidence any more."""
    found = home.storage.memories.get([instance.id for instance in proposal.instances])
    lessons = {id: entry for id, entry in found.items() if entry.status is not Status.ARCHIVED}
    if not lessons:
        raise Conflict(f"None of the lessons of {proposal.id} is left; reject it, or run `hardwon consolidate`.")
    return lessons


def _accepted(proposal: Proposal, words: str) -> Proposal:
    """Return it accepted in these words, with those in which it waited kept for an undo."""
    waited = {} if words == proposal.rule else {_WAITED_AS: proposal.rule}
    metadata = {**proposal.metadata, **waited}
    return proposal.model_copy(update={"state": ProposalState.ACCEPTED, "rule": words, "metadata": metadata})


def _waiting_again(proposal: Proposal) -> Proposal:
    metadata = {key: value for key, value in proposal.metadata.items() if key != _WAITED_AS}
    words = str(proposal.metadata.get(_WAITED_AS, proposal.rule))
    return proposal.model_copy(update={"state": ProposalState.PENDING, "rule": words, "metadata": metadata})


def _embed(home: Home, rule: MemoryEntry) -> None:
    """Make the rule's vectors now, so that it is found by its meaning at once; where that fails, it still stands."""
    from hardwon.kernel.use_cases.embedding import embedded_texts, vectors_of

    with contextlib.suppress(HardwonError):
        vectors_of(home, embedded_texts(rule))


def _decision(
    home: Home,
    proposal: Proposal,
    action: str,
    by: str,
    why: str,
    *,
    after: str = "",
    rule: str | None = None,
    revisions: Mapping[str, str] | None = None,
) -> Decision:
    """Return a decision. The count of earlier ones is in its id: the same step repeated after a crash is the same."""
    earlier = home.storage.ledger.decisions(proposal.id)
    if earlier and (earlier[-1].action, earlier[-1].after) == (action, after):
        earlier = earlier[:-1]
    return Decision(
        id=derived_id(proposal.created_at, proposal.id, action, str(len(earlier))),
        proposal=proposal.id,
        action=action,
        by=by,
        at=home.clock.now(),
        why=why,
        before=proposal.proposed_rule,
        after=after,
        rule=rule,
        revisions=dict(revisions or {}),
        follows=earlier[-1].id if earlier else None,
    )


def _settle(home: Home, proposal: Proposal, decision: Decision) -> None:
    home.storage.ledger.decide(decision)
    home.queue.settle(proposal)


def _write_rule(home: Home, proposal: Proposal, words: str, lessons: dict[str, MemoryEntry]) -> MemoryEntry:
    reworded = words != proposal.proposed_rule
    translations = [] if reworded else [text for text in proposal.translations.values() if text != words]
    rule = MemoryEntry(
        id=_rule_id(proposal),
        idempotency_key=f"proposal:{proposal.id}",
        kind=Kind.RULE,
        content="\n\n".join([words, *translations]),
        lesson=Lesson(principle=words, situation=proposal.situation or None),
        scope=proposal.scope,
        topics=(proposal.topic,) if proposal.topic else (),
        tags=_shared_tags(list(lessons.values())),
        source=Source(said_by="user", evidence=f"proposal {proposal.id}"),
        times=Times(asserted_at=home.clock.now()),
        confidence=1.0 if reworded else CONFIRMED,
        importance=0.7,
    )
    memories = home.storage.memories
    known = memories.get([rule.id]).get(rule.id) or memories.put([rule])[0]
    if known == rule:
        return known
    # A crash or an undo left this rule behind: it stands again, in the present words.
    fields = ("content", "lesson", "topics", "tags", "confidence", "status")
    times = known.times.model_copy(update={"retracted_at": None})
    return memories.update(known.id, {**{name: getattr(rule, name) for name in fields}, "times": times})


def _rule_id(proposal: Proposal) -> str:
    return derived_id(proposal.created_at, proposal.id, "rule")


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
    if rule is None or rule.status is Status.ARCHIVED:
        return
    now = home.clock.now()
    edges = [edge for edge in memories.relations(id) if edge.source == id and edge.kind is RelationKind.GENERALIZES]
    memories.unrelate(edges, now)
    memories.update(id, {"status": Status.ARCHIVED, "times": rule.times.model_copy(update={"retracted_at": now})})
