"""Consolidation keeps the queue as it should stand: proposals come and go with their evidence, decisions stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry, Status
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import Decision, Proposal, ProposalState
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.consolidating.outcome import Consolidation
from hardwon.kernel.use_cases.consolidating.queue import DRIFT
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.review import accept, reject, reword
from hardwon.testing.examples import MOMENT, UNIT_TESTS, complete_proposal, memory, related_lessons
from hardwon.testing.fakes import FakeGeneralizer, FakeQueue, FakeStorage, open_fake_home


@pytest.fixture
def storage() -> FakeStorage:
    return FakeStorage()


@pytest.fixture
def home(tmp_path: Path, storage: FakeStorage) -> Iterator[Home]:
    storage.memories.put(related_lessons())
    with open_fake_home(tmp_path, storage=storage) as home:
        yield home


def grow(home: Home) -> None:
    """Add a lesson of another project with the same principle."""
    lesson = memory("The mail test waited.", "mail", MOMENT + timedelta(days=9), lesson=Lesson(principle=UNIT_TESTS))
    home.storage.memories.put([lesson])


def only(home: Home) -> Proposal:
    [proposal] = home.queue.pending()
    return proposal


def test_lessons_of_several_projects_become_a_proposal(home: Home, storage: FakeStorage) -> None:
    result = consolidate(home)
    assert (result.lessons, result.projects) == (4, 4)
    assert result.added == (only(home).id,)
    assert only(home).rule == UNIT_TESTS
    assert storage.kept.history == ["Consolidate 4 lessons: 1 new proposals"]


def test_the_next_night_changes_nothing(home: Home, storage: FakeStorage) -> None:
    """And writes no history of having changed nothing."""
    consolidate(home)
    before = only(home)
    result = consolidate(home)
    assert (result.added, result.refreshed, result.withdrawn) == ((), (), ())
    assert only(home) == before
    assert len(storage.kept.history) == 1


def test_a_dry_run_changes_nothing(home: Home, storage: FakeStorage) -> None:
    assert consolidate(home, dry_run=True).added
    assert home.queue.all() == []
    assert list(home.storage.ledger.activity()) == []
    assert storage.kept.history == []


def test_a_proposal_that_lost_its_evidence_is_withdrawn(home: Home) -> None:
    consolidate(home)
    lesson = only(home).instances[0]
    home.storage.memories.update(lesson.id, {"status": Status.ARCHIVED})
    result = consolidate(home)
    assert len(result.withdrawn) == 1
    assert home.queue.pending() == []
    assert [each.state for each in home.queue.all()] == [ProposalState.WITHDRAWN]


def test_what_a_person_edited_is_never_withdrawn(home: Home) -> None:
    consolidate(home)
    edited = only(home).reworded("Mine.")
    home.queue.settle(edited)
    home.storage.memories.delete([each.id for each in edited.instances])
    assert consolidate(home).withdrawn == ()
    assert only(home) == edited


class Fixed(FakeGeneralizer):
    """A generalizer that proposes what it is told to."""

    def __init__(self, proposal: Proposal) -> None:
        super().__init__()
        self._given = proposal

    def propose(
        self,
        lessons: Sequence[MemoryEntry],
        rules: Sequence[MemoryEntry],
        proposals: Sequence[Proposal],
        decisions: Sequence[Decision],
    ) -> list[Proposal]:
        """Propose that."""
        return [self._given]


Consolidate = Callable[[Proposal], Consolidation]
STANDING = complete_proposal(confidence=0.5, confidence_parts={"support": 0.5, "spread": 0.5})


@pytest.fixture
def propose(tmp_path: Path, storage: FakeStorage) -> Consolidate:
    """Return what consolidates with a generalizer that proposes just that, into a queue where STANDING waits."""
    queue = FakeQueue()
    queue.add([STANDING])

    def propose(proposal: Proposal) -> Consolidation:
        with open_fake_home(tmp_path, storage=storage, queue=queue, generalizer=Fixed(proposal)) as home:
            result = consolidate(home)
            assert queue.pending() == [proposal if result.refreshed else STANDING]
        return result

    return propose


@pytest.mark.parametrize(
    "drifted",
    [
        {"confidence": 0.5 + DRIFT - 0.001},
        {"confidence": 0.5 - DRIFT + 0.001, "confidence_parts": {"support": 0.519, "spread": 0.481}},
        {"confidence_parts": {"support": 0.5, "spread": 0.519}},
    ],
)
def test_figures_that_drift_are_no_reason_to_write(
    propose: Consolidate, storage: FakeStorage, drifted: dict[str, object]
) -> None:
    """Each lesson anywhere moves them a little: neither the queue nor history hears of it."""
    assert propose(STANDING.model_copy(update=drifted)).refreshed == ()
    assert storage.kept.history == []


@pytest.mark.parametrize(
    "moved",
    [
        {"confidence": 0.5 + DRIFT + 0.001},
        {"confidence": 0.5 - DRIFT - 0.001},
        {"confidence_parts": {"support": 0.5, "spread": 0.521}},
        {"confidence_parts": {"support": 0.5, "spread": 0.5, "new": 1.0}},
        {"confidence_parts": {"support": 0.5}},
    ],
)
def test_figures_that_move_are_brought_up_to_date(
    propose: Consolidate, storage: FakeStorage, moved: dict[str, object]
) -> None:
    """Of the whole, and of any part of it; a part that comes or goes is a move."""
    assert propose(STANDING.model_copy(update=moved)).refreshed == (STANDING.id,)
    assert len(storage.kept.history) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"instances": STANDING.instances[:-1]},
        {"instances": (*STANDING.instances[:-1], STANDING.instances[-1].model_copy(update={"revision": "r2"}))},
        {"against": ()},
        {"rationale": "Another reason."},
        {"translations": {}},
    ],
)
def test_what_the_reviewer_would_read_is_brought_up_to_date(propose: Consolidate, changed: dict[str, object]) -> None:
    """A lesson that came, went or was edited, and other words, though the figures stand still or drift."""
    assert propose(STANDING.model_copy(update=changed)).refreshed == (STANDING.id,)
    assert propose(STANDING.model_copy(update={"confidence": 0.501})).refreshed == (STANDING.id,)


class Interrupted(FakeGeneralizer):
    """A generalizer during whose thinking something else happens."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def propose(
        self,
        lessons: Sequence[MemoryEntry],
        rules: Sequence[MemoryEntry],
        proposals: Sequence[Proposal],
        decisions: Sequence[Decision],
    ) -> list[Proposal]:
        """Let it happen, and propose from what was read before."""
        self._meanwhile()
        return super().propose(lessons, rules, proposals, decisions)


def proposed_and_lost(home: Home) -> Proposal:
    """Return a waiting proposal whose evidence is gone, so that the next run would withdraw it."""
    consolidate(home)
    proposal = only(home)
    home.storage.memories.update(proposal.instances[0].id, {"status": Status.ARCHIVED})
    return proposal


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda home, proposal: accept(home, proposal, by="ada"),
        lambda home, proposal: reject(home, proposal, by="ada"),
        lambda home, proposal: reword(home, proposal, "Mine."),
    ],
    ids=["accepted", "rejected", "edited"],
)
def test_what_people_do_while_the_generalizer_thinks_is_not_withdrawn(
    tmp_path: Path, home: Home, storage: FakeStorage, meanwhile: Callable[[Home, Proposal], object]
) -> None:
    proposal = proposed_and_lost(home)
    thinking = Interrupted(lambda: meanwhile(home, proposal))
    with open_fake_home(tmp_path, storage=storage, queue=home.queue, generalizer=thinking) as other:
        result = consolidate(other)

    assert (result.added, result.refreshed, result.withdrawn) == ((), (), ())
    assert home.queue.find(proposal.id).state is not ProposalState.WITHDRAWN
    assert home.queue.find(proposal.id) != proposal


def test_what_another_run_added_meanwhile_is_not_withdrawn(tmp_path: Path, home: Home, storage: FakeStorage) -> None:
    """It may rest on lessons that this run has not seen."""
    queue = home.queue
    newer = complete_proposal()
    with open_fake_home(
        tmp_path, storage=storage, queue=queue, generalizer=Interrupted(lambda: queue.add([newer]))
    ) as other:
        assert consolidate(other).withdrawn == ()

    assert newer in queue.pending()


def test_a_document_that_cannot_be_read_is_told_and_not_counted_as_new(
    tmp_path: Path, storage: FakeStorage, home: Home
) -> None:
    consolidate(home)
    broken = BrokenQueue(only(home).id)
    with open_fake_home(tmp_path, storage=storage, queue=broken) as other:
        result = consolidate(other)

    assert (result.added, [each.where for each in result.problems]) == ((), [only(home).id])


class BrokenQueue(FakeQueue):
    """A queue in which one document cannot be read: it is left alone whatever is proposed."""

    def __init__(self, broken: str) -> None:
        super().__init__()
        self._broken = broken

    def add(self, proposals: Sequence[Proposal]) -> None:
        """Leave the broken one alone."""
        super().add([each for each in proposals if each.id != self._broken])

    def problems(self) -> list[Problem]:
        """Report it."""
        return [Problem(where=self._broken, what="It cannot be read; mend it.")]


def test_two_names_of_one_project_are_one_project(home: Home) -> None:
    """Lessons that seem to come from three projects and come from one are no rule for others."""
    save_projects(home, ProjectBook({"blog": "shop", "maps": "shop"}))
    result = consolidate(home)
    assert (result.projects, result.added) == (2, ())


def test_what_was_decided_stays_decided(tmp_path: Path, storage: FakeStorage) -> None:
    queue = FakeQueue()
    storage.memories.put(related_lessons())
    with open_fake_home(tmp_path, storage=storage, queue=queue) as home:
        consolidate(home)
        rejected = only(home).model_copy(update={"state": ProposalState.REJECTED})
        queue.settle(rejected)
        assert consolidate(home).added == ()
        assert queue.all() == [rejected]
        grow(home)
        assert len(consolidate(home).added) == 1
