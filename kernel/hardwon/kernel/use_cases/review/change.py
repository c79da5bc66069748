"""Change: what accepting a proposal would write, as a plan that touches nothing yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardwon.kernel.ids import derived_id

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.relation import Relation


@dataclass(frozen=True)
class Change:
    """What is to be written, and what the decision on it says. It makes or changes a memory, or it names `rule`.

    Every id in it is derived from the proposal, so that a repeated try writes nothing twice. Memories that stand are
    never rewritten in place with another text: a new text is a new memory that supersedes.
    """

    made: tuple[MemoryEntry, ...] = ()
    """New memories, under ids of `made_ids`."""
    changed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Fields of memories that stand, by id and name: where they hold, whether they stand."""
    asserted: tuple[Relation, ...] = ()
    retracted: tuple[Relation, ...] = ()
    rule: str | None = None
    """The memory that the decision is about: the rule that is written, else the one that is changed."""
    before: str = ""
    """The words that stood, for the record; empty for a new rule."""
    after: str = ""
    """The words that stand then; empty where nothing does."""
    lessons: Mapping[str, MemoryEntry] = field(default_factory=dict)
    """The lessons that were decided on and are there, by id."""
    missing: tuple[str, ...] = ()
    """Lessons that the proposal named and that are no longer there."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Which lessons belong together by this decision: those of one group do, those of two do not."""


@dataclass(frozen=True)
class Accepted:
    """What stands now, and what happened to the lessons."""

    proposal: str
    rule: MemoryEntry
    """The rule that was written, or else changed; of several the first."""
    rules: tuple[MemoryEntry, ...]
    """Every rule that was written or changed."""
    lessons: tuple[str, ...]
    missing: tuple[str, ...]
    """Lessons that the proposal named and that are no longer there."""


def rule_id(proposal: Proposal) -> str:
    """Return the id of the rule that a proposal makes."""
    return derived_id(proposal.created_at, proposal.id, "rule")


def part_id(proposal: Proposal, place: int) -> str:
    """Return the id of the rule that a part of a split makes; places are counted from 0."""
    return derived_id(proposal.created_at, proposal.id, "rule", str(place))


def made_ids(proposal: Proposal) -> list[str]:
    """Return the ids of every memory that accepting a proposal may make."""
    return [rule_id(proposal), *(part_id(proposal, place) for place in range(len(proposal.parts)))]
