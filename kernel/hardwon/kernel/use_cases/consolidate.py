"""Consolidate: look at the lessons of all projects and keep the review queue as it should stand.

The lessons are read first and nothing is locked while the generalizer thinks; what people did meanwhile wins, because
the queue takes proposals as changes to its present state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import DECIDED, Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.use_cases.capture import LONGEST_WAIT, Captured, capture
from hardwon.kernel.use_cases.projects import closed_among, load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


DRIFT = 0.02
"""By how much a confidence and its parts may move before a pending proposal is brought up to date for it alone."""


@dataclass(frozen=True)
class Consolidation:
    """What a run looked at and what it changed."""

    lessons: int
    projects: int
    proposals: tuple[Proposal, ...]
    """What should stand now, best first."""
    added: tuple[str, ...]
    refreshed: tuple[str, ...]
    withdrawn: tuple[str, ...]
    kept_out: int
    """Lessons of projects that may be read and never generalized from."""
    problems: tuple[Problem, ...]
    """Documents of the queue that cannot be read: what they propose was left alone; and what could not be captured."""
    captured: Captured = field(default_factory=Captured)
    """What was in the spool, and was taken first."""


@dataclass(frozen=True)
class _Changes:
    """What is to be done to the queue as it stands."""

    added: tuple[Proposal, ...]
    refreshed: tuple[Proposal, ...]
    withdrawn: tuple[Proposal, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.refreshed or self.withdrawn)


def consolidate(home: Home, *, dry_run: bool = False) -> Consolidation:
    """Take what is in the spool, run the generalizer over everything and bring the queue up to date.

    A dry run changes nothing.
    """
    captured = Captured() if dry_run else capture(home, settle=True, patience=LONGEST_WAIT)
    lessons, kept_out = _lessons(home)
    known = _generalized(home)
    proposals = home.generalizer.propose(
        lessons,
        list(home.storage.memories.scan(Filter(kinds=(Kind.RULE,)))),
        known,
        home.storage.ledger.decisions(),
    )
    looked_at = {each.id for each in known}
    changes = _changes(proposals, known, looked_at)
    if changes and not dry_run:
        changes = _apply(home, proposals, looked_at, f"Consolidate {len(lessons)} lessons: {_told(changes)} proposals")
    result = Consolidation(
        lessons=len(lessons),
        projects=len({lesson.scope.project for lesson in lessons if lesson.scope.project}),
        proposals=tuple(proposals),
        added=tuple(each.id for each in changes.added),
        refreshed=tuple(each.id for each in changes.refreshed),
        withdrawn=tuple(each.id for each in changes.withdrawn),
        kept_out=kept_out,
        problems=(*captured.problems, *home.queue.problems()),
        captured=captured,
    )
    if not dry_run:
        _record(home, result)
    return result


def _changes(proposals: Sequence[Proposal], standing: Sequence[Proposal], looked_at: set[str]) -> _Changes:
    """Return what makes the queue hold these proposals; what a person decided or worded stays.

    Only what the generalizer looked at can be withdrawn: of others nobody knows yet whether they have evidence.
    """
    pending = {each.id: each for each in standing if each.state is ProposalState.PENDING}
    decided = {each.id for each in standing if each.state in DECIDED}
    proposed = {each.id for each in proposals}
    return _Changes(
        added=tuple(each for each in proposals if each.id not in pending and each.id not in decided),
        refreshed=tuple(each for each in proposals if each.id in pending and _differs(each, pending[each.id])),
        withdrawn=tuple(pending[id] for id in pending if id in looked_at - proposed and not pending[id].edited),
    )


def _differs(fresh: Proposal, known: Proposal) -> bool:
    """Tell whether the machine would say something new; a person's edit and a drift of its figures are nothing new.

    Each lesson that comes or goes shifts every confidence a little, which is no reason to write every document again.
    """
    before = known.reworded(known.proposed_rule)
    parts, parts_before = fresh.confidence_parts, before.confidence_parts
    moves = [abs(fresh.confidence - before.confidence)]
    moves += [abs(value - parts_before[name]) for name, value in parts.items() if name in parts_before]
    if parts.keys() == parts_before.keys() and max(moves) < DRIFT:
        before = before.model_copy(update={"confidence": fresh.confidence, "confidence_parts": fresh.confidence_parts})
    return fresh != before


def _generalized(home: Home) -> list[Proposal]:
    """Return the proposals that are the generalizer's: what somebody else proposed is only the user's to end."""
    return [each for each in home.queue.all() if each.is_generalized]


def _lessons(home: Home) -> tuple[list[MemoryEntry], int]:
    book = load_projects(home)
    everything = book.resolved(home.storage.memories.scan(Filter(kinds=(Kind.LESSON,))))
    closed = closed_among(home, book, (lesson.scope.project for lesson in everything))
    lessons = [lesson for lesson in everything if lesson.scope.project not in closed]
    return lessons, len(everything) - len(lessons)


def _apply(home: Home, proposals: Sequence[Proposal], looked_at: set[str], why: str) -> _Changes:
    """Change the queue as it stands now, since people decide and edit meanwhile; return what was changed."""
    with home.storage.operation(why):
        changes = _changes(proposals, _generalized(home), looked_at)
        home.queue.add([*changes.added, *changes.refreshed])
        for proposal in changes.withdrawn:
            home.queue.settle(proposal.model_copy(update={"state": ProposalState.WITHDRAWN}))
        now = {each.id for each in home.queue.all()}
    return replace(changes, added=tuple(each for each in changes.added if each.id in now))


def _record(home: Home, result: Consolidation) -> None:
    details = {
        "lessons": result.lessons,
        "added": len(result.added),
        "refreshed": len(result.refreshed),
        "withdrawn": len(result.withdrawn),
    }
    home.storage.ledger.append([Activity(kind="consolidate", at=home.clock.now(), details=details)])


def _told(changes: _Changes) -> str:
    counts = {"new": changes.added, "refreshed": changes.refreshed, "withdrawn": changes.withdrawn}
    return ", ".join(f"{len(some)} {word}" for word, some in counts.items() if some)
