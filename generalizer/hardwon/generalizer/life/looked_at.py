"""What the generalizer sees of standing rules: each with its lessons, in one space with the lessons to weigh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.generalizer.evidence import Evidence, gather
from hardwon.kernel.use_cases.rules.backing import Backing, backing_of

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.generalizer.catalogue import Concept
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


@dataclass(frozen=True)
class RuleRows:
    """Where a rule stands among the rows of the evidence."""

    backing: Backing
    own: int
    """The row of the rule itself."""
    lessons: tuple[int, ...]
    against: tuple[int, ...]


@dataclass(frozen=True)
class LookedAt:
    """Rules, their lessons and further ones, from all sides."""

    evidence: Evidence
    rules: tuple[RuleRows, ...]
    others: tuple[int, ...]
    """The rows of the lessons to weigh, in the order in which they were given."""
    entries: tuple[MemoryEntry, ...]
    """What each row is."""

    @cached_property
    def leading(self) -> tuple[tuple[int, float], ...]:
        """Return, for each rule, the place of the cause that its lessons believe in most, and the mean belief, 0–1."""
        means = [self.evidence.beliefs[list(rule.lessons)].mean(axis=0) for rule in self.rules]
        return tuple((int(mean.argmax()), float(mean.max())) for mean in means)

    @cached_property
    def cohesion(self) -> tuple[float, ...]:
        """Return, for each rule, how near its lessons are to one another: the median of each one's to the others."""
        return tuple(cohesion(self.evidence, rule.lessons) for rule in self.rules)


def look_at(
    home: Home, concepts: Sequence[Concept], rules: Sequence[MemoryEntry], others: Sequence[MemoryEntry] = ()
) -> LookedAt | None:
    """Look at the rules that have lessons, and at others; None where there is no such rule.

    On one thread: the matrices are small (see the generalizer).
    """
    from threadpoolctl import threadpool_limits

    backings = [each for each in backing_of(home, rules) if each.lessons]
    if not backings:
        return None
    entries: dict[str, MemoryEntry] = {}
    for backing in backings:
        entries |= {each.id: each for each in (backing.rule, *backing.lessons, *backing.against)}
    entries |= {each.id: each for each in others if each.id not in entries}
    place = {id: row for row, id in enumerate(entries)}
    with threadpool_limits(1):
        evidence = gather(home, list(entries.values()), concepts)
    return LookedAt(
        evidence=evidence,
        rules=tuple(
            RuleRows(
                backing=each,
                own=place[each.rule.id],
                lessons=tuple(place[lesson.id] for lesson in each.lessons),
                against=tuple(place[lesson.id] for lesson in each.against),
            )
            for each in backings
        ),
        others=tuple(place[each.id] for each in others),
        entries=tuple(entries.values()),
    )


def nearness(evidence: Evidence, rows: Sequence[int], group: Sequence[int]) -> Matrix:
    """Return how near each row is to a group, 0–1: the mean of its similarity to all members and to the two nearest."""
    import numpy as np

    block = evidence.similar(rows, group)
    best = np.sort(block, axis=1)[:, -2:]
    result: Matrix = (block.mean(axis=1) + best.mean(axis=1)) / 2
    return result


def cohesion(evidence: Evidence, group: Sequence[int]) -> float:
    """Return the median of how near each member is to the others, 0–1; 0 for one alone."""
    import numpy as np

    if len(group) < 2:
        return 0.0
    own = [float(nearness(evidence, [row], [other for other in group if other != row])[0]) for row in group]
    return float(np.median(own))
