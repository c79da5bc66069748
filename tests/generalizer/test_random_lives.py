"""Whatever happens between runs over what is new, they come to what one full run comes to."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.consolidating.queue import DRIFT
from hardwon.kernel.use_cases.review import accept, reject
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock

from .test_incremental import ADA, TEXTS, opened


class Life:
    """A home in which things happen by chance, the same ones for the same seed."""

    def __init__(self, home: Home, clock: FixedClock, seed: int) -> None:
        self.home = home
        self._clock = clock
        self._chance = random.Random(seed)
        self._number = 0

    def pass_a_day(self) -> None:
        """Let a few things happen, and most often a run."""
        self._clock.advance(days=1)
        for _ in range(self._chance.randrange(4)):
            self._chance.choice((self._learn, self._learn, self._edit, self._archive, self._decide))()
        if self._chance.random() < 0.7:
            consolidate(self.home)

    def _learn(self) -> None:
        self._number += 1
        text = f"{self._chance.choice(TEXTS)} Noted for the {self._number}th time."
        project = f"project-{self._chance.randrange(5)}"
        at = self._clock.now() + timedelta(seconds=self._number)
        id = f"0{self._number:017d}"
        self.home.storage.memories.put([memory(text, project, at, id=id)])

    def _edit(self) -> None:
        for lesson in self._some_lesson():
            text = f"{self._chance.choice(TEXTS)} Seen again."
            self.home.storage.memories.update(lesson.id, {"content": text})

    def _archive(self) -> None:
        for lesson in self._some_lesson():
            self.home.storage.memories.update(lesson.id, {"status": Status.ARCHIVED})

    def _some_lesson(self) -> list[MemoryEntry]:
        found = list(self.home.storage.memories.scan(Filter(kinds=(Kind.LESSON,))))
        return [self._chance.choice(found)] if found else []

    def _decide(self) -> None:
        for proposal in self.home.queue.pending()[:1]:
            decide = self._chance.choice((accept, reject))
            if proposal.rule:
                try:
                    decide(self.home, proposal, by=ADA)
                except Conflict as error:  # a side of a conflict was archived since, and the sentence says what to do
                    assert f"reject {proposal.id}" in str(error)
                    reject(self.home, proposal, by=ADA)


def generalized(home: Home) -> list[Proposal]:
    """Return what waits of the generalizer's own: a conflict is asked about once, when it is met."""
    return [each for each in home.queue.pending() if each.is_generalized]


def told(proposals: list[Proposal]) -> list[tuple[object, ...]]:
    """Return all that a reviewer would act upon; the figures, to what may drift, and ids and dates are left out."""
    return sorted(
        (
            each.kind.value,
            each.rule,
            sorted((one.id, one.revision) for one in each.instances),
            sorted((one.id, one.revision) for one in each.against),
            sorted(one.id for one in each.targets),
            each.suggested_action.value,
        )
        for each in proposals
    )


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000))
@example(seed=330)  # accepts a conflict of which one side was archived
def test_runs_over_what_is_new_come_to_what_one_full_run_comes_to(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Whatever was learned, edited, archived and decided between them.

    The proposals are the same ones: their lessons, words and targets exactly, their figures within what may drift. Ids
    and dates are those of the night on which each was first proposed.
    """
    clock = FixedClock(MOMENT)
    with opened(tmp_path_factory.mktemp("life") / "home", clock) as home:
        life = Life(home, clock, seed)
        for _ in range(12):
            life.pass_a_day()
        consolidate(home)
        consolidate(home)
        standing = generalized(home)
        again = consolidate(home, full=True)
        assert (again.added, again.refreshed, again.withdrawn) == ((), (), ())
        _forget_the_queue(home)
        consolidate(home, full=True)
        fresh = generalized(home)
        assert told(fresh) == told(standing)
        for one, other in zip(_by_lessons(fresh), _by_lessons(standing), strict=True):
            assert abs(one.confidence - other.confidence) < DRIFT


def _by_lessons(proposals: list[Proposal]) -> list[Proposal]:
    return sorted(proposals, key=lambda each: [one.id for one in each.instances])


def _forget_the_queue(home: Home) -> None:
    """Take away every proposal that waits or was withdrawn: what follows has only lessons and decisions."""
    folder = home.path / "memory" / "review-queue"
    for each in home.queue.all():
        if each.is_generalized and each.state in (ProposalState.PENDING, ProposalState.WITHDRAWN):
            for path in (folder / f"{each.id}.md", folder / "decided" / f"{each.id}.md"):
                path.unlink(missing_ok=True)
    home.close()
