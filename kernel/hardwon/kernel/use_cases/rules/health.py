"""Health: how a rule does, computed from edges, lessons and the ledger and never stored.

What can be known: how often it was shown and where, what users and agents said of it, which lessons speak against it,
and which later lessons of its cause come from a project where it had been shown before. What cannot: whether it was
followed where nobody said so, and whether something would have happened without it. So a rule that is shown and never
spoken of is neither praised nor blamed.

The word hangs on nothing but that evidence, each piece of which counts once: not on the clock, and not on the order in
which things came, so that it changes only when there is something new to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.kernel.memory import Status
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.use_cases.rules.backing import Backing, backing_of
from hardwon.kernel.use_cases.shown import KIND as SHOWN
from hardwon.kernel.use_cases.usage import FEEDBACK

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.records import Activity

FAILING = 3
"""Pieces of evidence against a rule from which on it fails, where there are more of them than of those for it."""


class Condition(StrEnum):
    """How a rule does, in a word."""

    UNTRIED = "untried"
    """Never shown, and nothing speaks against it."""
    HEALTHY = "healthy"
    """Shown, and nothing speaks against it."""
    DOUBTED = "doubted"
    """Something speaks against it, and too little to act on."""
    FAILING = "failing"
    """It should be reworded, narrowed or retired."""
    SUPERSEDED = "superseded"
    RETIRED = "retired"


@dataclass(frozen=True)
class Health:
    """How a rule does, and the figures that say so. Verdicts count once a session."""

    rule: str
    condition: Condition
    shown: int
    """Times."""
    sessions: int
    """Sessions in which it was shown; a question on the command line has none."""
    shown_in: tuple[str, ...]
    """Projects in which it was shown, as far as they are known."""
    useful: int
    followed: int
    ignored: int
    wrong: int
    against: tuple[str, ...]
    """Lessons that speak against it."""
    not_prevented: tuple[str, ...]
    """Lessons of its cause that happened in a project after it had been shown there."""
    why: str
    """One sentence."""


@dataclass
class _Record:
    """What the ledger says of one rule."""

    shown: int = 0
    sessions: set[str] = field(default_factory=set)
    first_in: dict[str, datetime] = field(default_factory=dict)
    verdicts: dict[str, set[str]] = field(default_factory=dict)
    """Verdict to the sessions (or else the records) that gave it."""

    def said(self, verdict: str) -> int:
        return len(self.verdicts.get(verdict, ()))


def health_of(home: Home, rules: Sequence[MemoryEntry]) -> dict[str, Health]:
    """Return how each rule does, by id."""
    records = _records(home, {rule.id for rule in rules})
    return {each.rule.id: _health(each, records[each.rule.id], home) for each in backing_of(home, rules)}


def _records(home: Home, rules: set[str]) -> dict[str, _Record]:
    book = load_projects(home)
    found = {rule: _Record() for rule in rules}
    ledger = home.storage.ledger
    for number, each in enumerate((*_unique(ledger.activity(SHOWN)), *ledger.activity(FEEDBACK))):
        if each.memory not in found:
            continue
        record = found[each.memory]
        if each.kind == FEEDBACK:
            giver = each.session or f"-{number}"
            record.verdicts.setdefault(str(each.details.get("verdict")), set()).add(giver)
            continue
        record.shown += 1
        record.sessions |= {each.session} if each.session else set()
        project = book.canonical(each.details.get("project"))
        if project:
            record.first_in[project] = min(each.at, record.first_in.get(project, each.at))
    return found


def _unique(activity: Iterable[Activity]) -> Iterable[Activity]:
    """Walk what was shown, each once: two processes may have taken one record from the spool."""
    seen = set()
    for each in activity:
        key = (each.session, each.details.get("record"), each.memory, each.at)
        if key not in seen:
            seen.add(key)
            yield each


def _health(backing: Backing, record: _Record, home: Home) -> Health:
    missed = tuple(each.id for each in backing.lessons if _was_shown_before(each, record))
    health = Health(
        rule=backing.rule.id,
        condition=Condition.UNTRIED,
        shown=record.shown,
        sessions=len(record.sessions),
        shown_in=tuple(sorted(record.first_in)),
        useful=record.said("useful"),
        followed=record.said("followed"),
        ignored=record.said("ignored"),
        wrong=record.said("wrong"),
        against=tuple(each.id for each in backing.against),
        not_prevented=missed,
        why="",
    )
    condition = _condition(backing, health, home)
    return _with(health, condition)


def _was_shown_before(lesson: MemoryEntry, record: _Record) -> bool:
    """Tell whether a lesson happened where the rule had been shown before.

    When it happened must be known: by its date, or since a session told of it when it came. Of an old note that is
    imported later without a date nobody knows.
    """
    live = lesson.times.asserted_at if lesson.source.session else None
    happened = lesson.times.valid_at or live
    first = record.first_in.get(lesson.scope.project or "")
    return happened is not None and first is not None and first < happened


def _condition(backing: Backing, health: Health, home: Home) -> Condition:
    if backing.rule.status is Status.ARCHIVED:
        return Condition.SUPERSEDED if _heirs(home, backing.rule.id) else Condition.RETIRED
    harm = len(health.against) + len(health.not_prevented) + health.wrong
    help = health.useful + health.followed
    outweighed = len(health.against) >= max(2, len(backing.lessons))
    if outweighed or (harm >= FAILING and harm > help):
        return Condition.FAILING
    if harm:
        return Condition.DOUBTED
    return Condition.HEALTHY if health.shown or help else Condition.UNTRIED


def _heirs(home: Home, rule: str) -> list[str]:
    from hardwon.kernel.relation import RelationKind

    edges = home.storage.memories.relations(rule)
    return [edge.source for edge in edges if edge.kind is RelationKind.SUPERSEDES and edge.target == rule]


def _with(health: Health, condition: Condition) -> Health:
    from dataclasses import replace

    return replace(health, condition=condition, why=_told(health, condition))


def _told(health: Health, condition: Condition) -> str:
    """Return the figures in a sentence, those that are not 0."""
    parts = []
    if health.shown:
        where = f" in {counted(len(health.shown_in), 'project')}" if health.shown_in else ""
        parts.append(f"shown {counted(health.shown, 'time')}{where}")
    for number, word in (
        (health.useful, "found useful"),
        (health.followed, "followed"),
        (health.ignored, "ignored"),
        (health.wrong, "called wrong"),
    ):
        if number:
            parts.append(f"{word} {counted(number, 'time')}")
    if health.against:
        parts.append(f"spoken against by {counted(len(health.against), 'lesson')}")
    if health.not_prevented:
        parts.append(f"it happened {counted(len(health.not_prevented), 'time')} where it had been shown")
    told = ", ".join(parts) or "never shown"
    ended = {Condition.SUPERSEDED: "; another version stands in its place", Condition.RETIRED: "; it stands no more"}
    return f"{told[0].upper()}{told[1:]}{ended.get(condition, '')}."
