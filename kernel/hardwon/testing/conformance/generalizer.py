"""GeneralizerConformance: what is proposed stands on enough lessons of enough projects, and is the same next night."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.ports import Generalizer
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.testing.examples import MOMENT, complete_decision, related_lessons

MINIMUM_LESSONS, MINIMUM_PROJECTS = 3, 2


class GeneralizerConformance:
    """What every Generalizer promises. Give the fixture `generalizer`; `lessons` may be replaced by fitting ones."""

    @pytest.fixture
    def generalizer(self) -> Generalizer:
        """Return the generalizer; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `generalizer`.")

    @pytest.fixture
    def lessons(self) -> list[MemoryEntry]:
        """Return lessons of which the generalizer proposes at least one rule."""
        return related_lessons()

    @pytest.fixture
    def proposals(self, generalizer: Generalizer, lessons: list[MemoryEntry]) -> list[Proposal]:
        """Return what is proposed of them in the first night."""
        return generalizer.propose(lessons, [], [], [])

    def test_nothing_comes_of_nothing(self, generalizer: Generalizer) -> None:
        """No lessons, no proposals."""
        assert generalizer.propose([], [], [], []) == []

    def test_a_proposal_stands_on_its_lessons(self, proposals: list[Proposal], lessons: list[MemoryEntry]) -> None:
        """Each instance is a lesson that was given, once, as it was; enough of them, of enough projects."""
        known = {lesson.id: lesson for lesson in lessons}
        assert proposals
        for proposal in proposals:
            ids = [each.id for each in proposal.instances]
            assert len(set(ids)) == len(ids) >= MINIMUM_LESSONS
            assert len(proposal.projects) >= MINIMUM_PROJECTS
            for each in proposal.instances:
                assert (each.revision, each.project) == (known[each.id].revision, known[each.id].scope.project)
                assert each.evidence

    def test_a_proposal_explains_itself(self, proposals: list[Proposal]) -> None:
        """It is pending, says why, and shows what its confidence is made of; the best comes first."""
        assert proposals == sorted(proposals, key=lambda each: -each.confidence)
        for proposal in proposals:
            assert proposal.state is ProposalState.PENDING
            assert proposal.rationale
            assert proposal.confidence_parts
            assert proposal.rule not in {lesson.content for lesson in related_lessons()}

    def test_lessons_of_one_project_are_no_rule_for_others(
        self, generalizer: Generalizer, lessons: list[MemoryEntry]
    ) -> None:
        """However many there are."""
        same = [each.model_copy(update={"scope": lessons[0].scope}) for each in lessons]
        assert generalizer.propose(same, [], [], []) == []

    def test_the_next_night_proposes_the_same(
        self, generalizer: Generalizer, lessons: list[MemoryEntry], proposals: list[Proposal]
    ) -> None:
        """Known proposals keep their ids, whatever order the lessons come in."""
        again = generalizer.propose(list(reversed(lessons)), [], proposals, [])
        assert [each.id for each in again] == [each.id for each in proposals]
        assert [each.rule for each in again] == [each.rule for each in proposals]

    def test_a_rejected_proposal_does_not_come_back(
        self, generalizer: Generalizer, lessons: list[MemoryEntry], proposals: list[Proposal]
    ) -> None:
        """While its evidence has not grown."""
        rejected = [each.model_copy(update={"state": ProposalState.REJECTED}) for each in proposals]
        decisions = [
            complete_decision(each.id, action="reject", at=MOMENT + timedelta(days=30), rule=None, undoes=None)
            for each in proposals
        ]
        assert generalizer.propose(lessons, [], rejected, decisions) == []

    def test_archived_lessons_are_no_evidence(self, generalizer: Generalizer, lessons: list[MemoryEntry]) -> None:
        """What is out of recall does not come back as part of a rule."""
        archived = [each.model_copy(update={"status": Status.ARCHIVED}) for each in lessons]
        assert generalizer.propose(archived, [], [], []) == []
