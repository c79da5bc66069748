"""FakeGeneralizer: lessons with the same principle belong together; the least that honours the port."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.kernel.ids import derived_id
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.ports import Bearing
from hardwon.kernel.proposal import Decision, Instance, Proposal, ProposalState


class FakeGeneralizer:
    """Proposes the principle that enough lessons of enough projects share word by word."""

    def __init__(self, minimum_lessons: int = 3, minimum_projects: int = 2) -> None:
        self._minimum_lessons = minimum_lessons
        self._minimum_projects = minimum_projects

    def propose(
        self,
        lessons: Sequence[MemoryEntry],
        rules: Sequence[MemoryEntry],
        proposals: Sequence[Proposal],
        decisions: Sequence[Decision],
    ) -> list[Proposal]:
        """Return the proposals that should stand now, best first."""
        settled = {each.id for each in proposals if each.state in (ProposalState.ACCEPTED, ProposalState.REJECTED)}
        known_rules = {rule.content for rule in rules}
        groups: dict[str, list[MemoryEntry]] = {}
        for lesson in sorted(lessons, key=lambda each: each.id):
            if lesson.lesson.principle and lesson.status is not Status.ARCHIVED:
                groups.setdefault(lesson.lesson.principle, []).append(lesson)
        made = [self._proposal(rule, group) for rule, group in groups.items() if rule not in known_rules]
        wanted = [each for each in made if self._enough(each) and each.id not in settled]
        return sorted(wanted, key=lambda each: (-each.confidence, each.id))

    def weigh(self, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> list[Bearing]:
        """Return that a lesson speaks for each rule whose words are its principle."""
        return [
            Bearing(rule.id, lesson.id, agrees=True, strength=1.0)
            for rule in rules
            for lesson in lessons
            if lesson.lesson.principle and lesson.lesson.principle == rule.lesson.principle
        ]

    def _enough(self, proposal: Proposal) -> bool:
        return len(proposal.instances) >= self._minimum_lessons and len(proposal.projects) >= self._minimum_projects

    def _proposal(self, rule: str, lessons: Sequence[MemoryEntry]) -> Proposal:
        born = max(lesson.times.asserted_at for lesson in lessons)
        share = len(lessons) / (len(lessons) + 1)
        return Proposal(
            id=derived_id(born, rule, *(lesson.id for lesson in lessons)),
            rule=rule,
            rationale=f"{len(lessons)} lessons state this principle.",
            instances=tuple(
                Instance(
                    id=lesson.id,
                    external_id=lesson.external_id,
                    project=lesson.scope.project,
                    revision=lesson.revision,
                    evidence=lesson.title,
                )
                for lesson in lessons
            ),
            confidence=share,
            confidence_parts={"support": share},
            created_at=born,
        )
