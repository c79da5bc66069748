"""Consolidate: look at the lessons of all projects and keep the review queue as it should stand.

The lessons are read first and nothing is locked while the generalizer thinks; what people did meanwhile wins, because
the queue takes proposals as changes to its present state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


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


def consolidate(home: Home, *, dry_run: bool = False) -> Consolidation:
    """Run the generalizer over everything and bring the queue up to date; a dry run changes nothing."""
    lessons, kept_out = _lessons(home)
    known = home.queue.all()
    proposals = home.generalizer.propose(
        lessons,
        list(home.storage.memories.scan(Filter(kinds=(Kind.RULE,)))),
        known,
        home.storage.ledger.decisions(),
    )
    pending = {each.id: each for each in known if each.state is ProposalState.PENDING}
    standing = {each.id for each in proposals}
    result = Consolidation(
        lessons=len(lessons),
        projects=len({lesson.scope.project for lesson in lessons if lesson.scope.project}),
        proposals=tuple(proposals),
        added=tuple(each.id for each in proposals if each.id not in pending),
        refreshed=tuple(each.id for each in proposals if each.id in pending and _differs(each, pending[each.id])),
        withdrawn=tuple(each.id for each in pending.values() if each.id not in standing and not edited(each)),
        kept_out=kept_out,
    )
    if not dry_run:
        _apply(home, result)
    return result


def edited(proposal: Proposal) -> bool:
    """Tell whether a person has changed a proposal's text; such a one is never withdrawn."""
    return "proposed_rule" in proposal.metadata


def _differs(fresh: Proposal, known: Proposal) -> bool:
    """Tell whether the machine would say something new; a person's edit is no difference."""
    if edited(known):
        metadata = {key: value for key, value in known.metadata.items() if key != "proposed_rule"}
        known = known.model_copy(update={"rule": known.metadata["proposed_rule"], "metadata": metadata})
    return fresh != known


def _lessons(home: Home) -> tuple[list[MemoryEntry], int]:
    book = load_projects(home)
    everything = book.resolved(home.storage.memories.scan(Filter(kinds=(Kind.LESSON,))))
    closed = {book.canonical(name) for name, each in home.settings.projects.items() if not each.generalize}
    lessons = [lesson for lesson in everything if lesson.scope.project not in closed]
    return lessons, len(everything) - len(lessons)


def _apply(home: Home, result: Consolidation) -> None:
    changed = {*result.added, *result.refreshed}
    if changed or result.withdrawn:
        with home.storage.operation(_message(result)):
            home.queue.add([each for each in result.proposals if each.id in changed])
            for proposal in home.queue.pending():
                # One that was decided or edited while the generalizer thought is the user's.
                if proposal.id in result.withdrawn and not edited(proposal):
                    home.queue.settle(proposal.model_copy(update={"state": ProposalState.WITHDRAWN}))
    home.storage.ledger.append(
        [
            Activity(
                kind="consolidate",
                at=home.clock.now(),
                details={
                    "lessons": result.lessons,
                    "added": len(result.added),
                    "refreshed": len(result.refreshed),
                    "withdrawn": len(result.withdrawn),
                },
            )
        ]
    )


def _message(result: Consolidation) -> str:
    parts = [
        f"{len(ids)} {word}"
        for word, ids in (("new", result.added), ("refreshed", result.refreshed), ("withdrawn", result.withdrawn))
        if ids
    ]
    return f"Consolidate {result.lessons} lessons: {', '.join(parts)} proposals"
