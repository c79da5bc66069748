"""Deciding: accept, reject, reword, undo, for proposals of any kind.

Accepting writes what the kind planned, then the decision, and moves the proposal last. Every id in it is derived from
the proposal and what stood is recorded first, so that after a crash at any point the proposal is still pending, and
accepting again changes nothing twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, HardwonError, InvalidInput
from hardwon.kernel.ids import derived_id
from hardwon.kernel.proposal import DECIDED, STOOD, WAITED_AS, Action, Decision, Proposal, ProposalState
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.forgotten import take_back
from hardwon.kernel.use_cases.review.change import Accepted, Change, made_ids
from hardwon.kernel.use_cases.review.kinds import QUOTING, plan_of, rejection_of
from hardwon.kernel.use_cases.review.stood import put_back, recorded, withdraw

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.relation import Relation

UNDO = "undo"


def accept(home: Home, proposal: Proposal, *, by: str, why: str = "", text: str | None = None) -> Accepted:
    """Carry the proposal out, in the user's words if `text` is given or they edited its document.

    What the queue holds now counts, not what `proposal` was when it was read. Raises Conflict when it was decided
    meanwhile, when what it would change was changed, or when none of its lessons is left; InvalidInput when it has no
    text.
    """
    with home.storage.operation(_told(proposal, text)):
        proposal = _as_if_untouched(home, _waiting(home, proposal.id))
        words = _words(home, proposal, text)
        change = plan_of(home, proposal, words)
        accepted = _accepted(recorded(home, proposal, change), words)
        if STOOD in accepted.metadata:
            home.queue.settle(accepted.model_copy(update={"state": ProposalState.PENDING, "rule": proposal.rule}))
        rules = _write(home, change)
        action = Action.ACCEPT if words == proposal.proposed_rule else Action.REWRITE
        _settle(home, accepted, _decision_to(home, proposal, action, by, why, change, rules[0]))
    for rule in rules:
        _embed(home, rule)
    return Accepted(proposal.id, rules[0], tuple(rules), tuple(change.lessons), change.missing)


def reject(home: Home, proposal: Proposal, *, by: str, why: str = "") -> Decision:
    """Turn the proposal down; it comes back only when its evidence has grown.

    Raises Conflict when it was decided meanwhile.
    """
    with home.storage.operation(f"Reject a proposal: {proposal.rule[:72] or proposal.id}"):
        proposal = _as_if_untouched(home, _waiting(home, proposal.id))
        change = rejection_of(home, proposal)
        rejected = recorded(home, proposal, change)
        if STOOD in rejected.metadata:
            home.queue.settle(rejected)
        _write(home, change)
        revisions = {instance.id: instance.revision for instance in (*proposal.instances, *proposal.targets)}
        decision = _decision(home, proposal, Action.REJECT, by, why, revisions=revisions)
        _settle(home, rejected.model_copy(update={"state": ProposalState.REJECTED}), decision)
    return decision


def undo(home: Home, proposal: Proposal, *, by: str, why: str = "") -> Decision:
    """Take the last decision back: everything stands as before it, and the proposal waits as it did.

    A rule that it made is archived with its links retracted; one that it changed has its fields back. Raises Conflict
    when nothing was decided, when a later decision builds on it, or when the user changed what would be put back.
    """
    with home.storage.operation(f"Undo the decision on {proposal.id}"):
        proposal = home.queue.find(proposal.id)
        decisions = home.storage.ledger.decisions(proposal.id)
        if proposal.state not in DECIDED or not decisions:
            raise Conflict(f"Proposal {proposal.id} is {proposal.state}, so there is no decision to undo.")
        last = decisions[-1]
        if proposal.state is ProposalState.ACCEPTED:
            _refuse_if_built_on(home, proposal, last)
            put_back(home, proposal)
            if last.rule and last.rule not in _touched(proposal):
                # The proposal was born again on another day, and what it made before has an id of then.
                withdraw(home, last.rule)
        elif STOOD in proposal.metadata:
            put_back(home, proposal)
        decision = _decision(home, proposal, UNDO, by, why, rule=last.rule).model_copy(
            update={"undoes": last.id, "before": last.after, "after": ""}
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


def take_edit(home: Home, seen: Proposal, changed: Proposal) -> Proposal:
    """Put what a person made of a waiting proposal in its place without deciding; return it as it is kept.

    Raises Conflict where it is no longer as they saw it.
    """
    with home.storage.operation(f"Edit a proposal: {changed.rule[:72] or changed.id}"):
        if _waiting(home, seen.id) != seen:
            raise Conflict(f"Proposal {seen.id} was changed while you edited it; look at it again and repeat the edit.")
        home.queue.settle(changed)
        return home.queue.find(seen.id)


def _told(proposal: Proposal, text: str | None) -> str:
    what = "a rule" if not proposal.targets else f"a proposal ({proposal.kind})"
    return f"Accept {what}: {(text or proposal.rule).strip()[:72] or proposal.id}"


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


def _as_if_untouched(home: Home, proposal: Proposal) -> Proposal:
    """Take back what an acceptance that was cut off left behind; return the proposal as it waited before."""
    put_back(home, proposal)
    return _waiting_again(proposal) if STOOD in proposal.metadata else proposal


def _refuse_if_built_on(home: Home, proposal: Proposal, last: Decision) -> None:
    """Raise Conflict when a later decision changed what this one made or changed."""
    touched = _touched(proposal) | {last.rule}
    order = {each.id: place for place, each in enumerate(home.storage.ledger.decisions())}
    latest = {each.proposal: order[each.id] for each in home.storage.ledger.decisions()}
    for other in home.queue.all():
        later = latest.get(other.id, -1) > order.get(last.id, -1)
        if other.state is ProposalState.ACCEPTED and later and touched.intersection(each.id for each in other.targets):
            raise Conflict(
                f"The decision on {other.id} ({other.kind}) builds on this one; `hardwon review undo {other.id}` first."
            )


def _touched(proposal: Proposal) -> set[str]:
    return {*made_ids(proposal), *(target.id for target in proposal.targets)}


def _words(home: Home, proposal: Proposal, text: str | None) -> str:
    """Return the rule's words as they will be kept, so that a repeated acceptance knows the one before."""
    words = redacted(home.redactor, text if text is not None else proposal.rule)[0].strip()
    if not words:
        raise InvalidInput(
            f'Proposal {proposal.id} has no wording yet; run `hardwon review rewrite {proposal.id} "the rule"`.'
        )
    return words


def _write(home: Home, change: Change) -> list[MemoryEntry]:
    """Write what was planned; return what it made, else what it changed, else what it is about."""
    memories = home.storage.memories
    made = [_stand(home, entry) for entry in change.made]
    take_back(home, made)
    for id, fields in change.changed.items():
        memories.update(id, fields)
    if change.retracted:
        memories.unrelate(change.retracted, home.clock.now())
    if change.asserted:
        # A proposal that was born again on another day makes the rule that it made before, under the id of then.
        kept_as = {entry.id: kept.id for entry, kept in zip(change.made, made, strict=True)}
        ends = ({name: kept_as.get(end, end) for name, end in _ends(each).items()} for each in change.asserted)
        memories.relate([each.model_copy(update=end) for each, end in zip(change.asserted, ends, strict=True)])
    about = list(change.changed) or ([change.rule] if change.rule else [])
    return made or list(memories.get(about).values())


def _ends(edge: Relation) -> dict[str, str]:
    return {"source": edge.source, "target": edge.target}


def _stand(home: Home, entry: MemoryEntry) -> MemoryEntry:
    """Let a memory that a decision makes stand; one that a crash or an undo left behind stands in the present words."""
    memories = home.storage.memories
    known = memories.get([entry.id]).get(entry.id) or memories.put([entry])[0]
    if known == entry:
        return known
    fields = ("content", "lesson", "scope", "topics", "tags", "confidence", "status")
    times = known.times.model_copy(update={"retracted_at": None})
    return memories.update(known.id, {**{name: getattr(entry, name) for name in fields}, "times": times})


def _accepted(proposal: Proposal, words: str) -> Proposal:
    """Return it accepted in these words, with those in which it waited kept for an undo."""
    waited = {} if words == proposal.rule else {WAITED_AS: proposal.rule}
    metadata = {**proposal.metadata, **waited}
    return proposal.model_copy(update={"state": ProposalState.ACCEPTED, "rule": words, "metadata": metadata})


def _waiting_again(proposal: Proposal) -> Proposal:
    metadata = {key: value for key, value in proposal.metadata.items() if key not in (WAITED_AS, STOOD)}
    words = str(proposal.metadata.get(WAITED_AS, proposal.rule))
    return proposal.model_copy(update={"state": ProposalState.PENDING, "rule": words, "metadata": metadata})


def _embed(home: Home, rule: MemoryEntry) -> None:
    """Make the rule's vectors now, so that it is found by its meaning at once; where that fails, it still stands."""
    from hardwon.kernel.use_cases.embedding import searched_texts, vectors_of

    with contextlib.suppress(HardwonError):
        vectors_of(home, searched_texts(rule))


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
        kind=proposal.kind,
        action=action,
        by=by,
        at=home.clock.now(),
        why=why,
        before="" if proposal.kind in QUOTING else proposal.proposed_rule,
        after=after,
        rule=rule,
        revisions=dict(revisions or {}),
        targets={target.id: target.revision for target in proposal.targets},
        follows=earlier[-1].id if earlier else None,
    )


def _decision_to(
    home: Home, proposal: Proposal, action: Action, by: str, why: str, change: Change, rule: MemoryEntry
) -> Decision:
    """Return the decision to make a change, of which `rule` is what the user will ask for."""
    revisions = {id: entry.revision for id, entry in change.lessons.items()}
    decision = _decision(home, proposal, action, by, why, after=change.after, rule=rule.id, revisions=revisions)
    return decision.model_copy(update={"before": change.before, "groups": change.groups})


def _settle(home: Home, proposal: Proposal, decision: Decision) -> None:
    home.storage.ledger.decide(decision)
    home.queue.settle(proposal)
