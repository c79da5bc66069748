"""What a run looks at, read once and before anything is thought about; nothing is locked meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Kind
from hardwon.kernel.query import GENERALIZED, Filter
from hardwon.kernel.use_cases.projects import closed_among, load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision, Proposal


@dataclass(frozen=True)
class Material:
    """The memory as it was when the run began. People go on working: whoever writes looks again at what it changes."""

    lessons: tuple[MemoryEntry, ...]
    """Those that may become part of a rule, under their projects' present names."""
    kept_out: int
    """Lessons of projects that may be read and never generalized from."""
    rules: tuple[MemoryEntry, ...]
    proposals: tuple[Proposal, ...]
    """The generalizer's own, in every state."""
    decisions: tuple[Decision, ...]

    @cached_property
    def revisions(self) -> str:
        """Return the fingerprint of lessons, rules and decisions; it takes some 40 µs a lesson."""
        entries = ("lessons", *_revisions(self.lessons), "rules", *_revisions(self.rules))
        return fingerprint(*entries, "decisions", *(decision.id for decision in self.decisions))

    @property
    def projects(self) -> int:
        """Return how many projects the lessons are of."""
        return len({lesson.scope.project for lesson in self.lessons if lesson.scope.project})


def read_material(home: Home) -> Material:
    """Read everything that a run looks at."""
    memories = home.storage.memories
    book = load_projects(home)
    everything = book.resolved(memories.scan(GENERALIZED))
    closed = closed_among(home, book, (lesson.scope.project for lesson in everything))
    lessons = tuple(lesson for lesson in everything if lesson.scope.project not in closed)
    return Material(
        lessons=lessons,
        kept_out=len(everything) - len(lessons),
        rules=tuple(memories.scan(Filter(kinds=(Kind.RULE,)))),
        proposals=tuple(generalized(home)),
        decisions=tuple(home.storage.ledger.decisions()),
    )


def _revisions(entries: Iterable[MemoryEntry]) -> Iterator[str]:
    for entry in entries:
        yield entry.id
        yield entry.revision


def generalized(home: Home) -> list[Proposal]:
    """Return the proposals that are the generalizer's: what somebody else proposed is only the user's to end."""
    return [each for each in home.queue.all() if each.is_generalized]
