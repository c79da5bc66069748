"""The rule that a decision writes: its words, its lessons, and what it takes over from the rule that it replaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry, Source, Status, Times
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.review.change import rule_id

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.scope import Scope

CONFIRMED = 0.8
"""Confidence of a rule that a person confirmed; one that they worded themselves has 1."""


def evidence(home: Home, proposal: Proposal, ids: Sequence[str] | None = None) -> dict[str, MemoryEntry]:
    """Return the lessons (all, or some) that still stand, by id: what was forgotten or retired proves nothing."""
    wanted = [instance.id for instance in proposal.instances] if ids is None else list(ids)
    found = home.storage.memories.get(wanted)
    lessons = {id: entry for id, entry in found.items() if entry.status is not Status.ARCHIVED}
    if not lessons:
        raise Conflict(f"None of the lessons of {proposal.id} is left; reject it, or run `hardwon consolidate`.")
    return lessons


def missing(proposal: Proposal, lessons: Mapping[str, MemoryEntry]) -> tuple[str, ...]:
    """Return the lessons that a proposal names and that are not among these."""
    return tuple(each.id for each in proposal.instances if each.id not in lessons)


def new_rule(
    home: Home,
    proposal: Proposal,
    id: str,
    words: str,
    lessons: Mapping[str, MemoryEntry],
    *,
    translations: Mapping[str, str] | None = None,
    scope: Scope | None = None,
    topic: str | None = None,
    own_words: bool | None = None,
) -> MemoryEntry:
    """Return the rule in these words, as a proposal makes it; what is not given is as the proposal has it."""
    reworded = words != proposal.proposed_rule if own_words is None else own_words
    given = proposal.translations if translations is None else translations
    others = [] if reworded else [text for text in given.values() if text != words]
    home_topic = proposal.topic if topic is None else topic
    return MemoryEntry(
        id=id,
        idempotency_key=f"proposal:{proposal.id}" if id == rule_id(proposal) else f"proposal:{proposal.id}:{id}",
        kind=Kind.RULE,
        content="\n\n".join([words, *others]),
        lesson=Lesson(principle=words, situation=proposal.situation or None),
        scope=proposal.scope if scope is None else scope,
        topics=(home_topic,) if home_topic else (),
        tags=_shared_tags(list(lessons.values())),
        source=Source(said_by="user", evidence=f"proposal {proposal.id}"),
        times=Times(asserted_at=home.clock.now()),
        confidence=1.0 if reworded else CONFIRMED,
        importance=0.7,
    )


def edges(home: Home, rule: str, lessons: Mapping[str, MemoryEntry]) -> tuple[Relation, ...]:
    """Return the edges from a rule to its lessons."""
    now = home.clock.now()
    return tuple(Relation(source=rule, kind=RelationKind.GENERALIZES, target=id, asserted_at=now) for id in lessons)


def _shared_tags(lessons: Sequence[MemoryEntry]) -> tuple[str, ...]:
    """Return the tags that at least half of the lessons carry, in alphabetical order."""
    counts: dict[str, int] = {}
    for lesson in lessons:
        for tag in lesson.tags:
            counts[tag] = counts.get(tag, 0) + 1
    return tuple(sorted(tag for tag, count in counts.items() if 2 * count >= len(lessons)))
