"""The Generalizer that works without a model and without a network: lessons in, proposals out, best first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.generalizer.basis import basis_of
from hardwon.generalizer.catalogue import Concept, merge_catalogues, read_catalogue, shipped_catalogue
from hardwon.generalizer.clusters import clusters, grow
from hardwon.generalizer.continuity import Continued, continue_proposals
from hardwon.generalizer.evidence import Evidence, gather
from hardwon.generalizer.life.places import common_scope
from hardwon.generalizer.membership import members_that_speak
from hardwon.generalizer.opposition import opposes
from hardwon.generalizer.rationale import confidence_of, explain
from hardwon.generalizer.wording import Wording, choose_wording, leading_concept, main_language
from hardwon.kernel.memory import Status
from hardwon.kernel.proposal import Action, Decision, Proposal, instance_of
from hardwon.kernel.use_cases.rules.backing import backing_of

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Bearing

CUT = 0.44
"""Average similarity (0–1) that holds a cluster together; chosen on the development set, see docs/benchmarks.md."""
DOUBTFUL = 0.4
"""Confidence below which nothing is proposed: three mixed proposals in a row end a reviewer's patience."""
ALIKE = 0.6
"""Mean similarity from which a cluster is proposed though nobody has a sentence for it: its text is then asked for."""
TRUSTED = 0.5
"""Confidence from which a proposal is suggested for acceptance."""


class OfflineGeneralizer:
    """A Generalizer over a home's embedder, catalogue and settings."""

    def __init__(self, home: Home) -> None:
        self._home = home

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """Return the shipped causes, then those of plugins, then the user's own in `catalogue/` of the home."""
        plugins = [read_catalogue(path) for path in self._home.registry.all("catalogues").values()]
        own = self._home.path / "catalogue"
        return merge_catalogues([shipped_catalogue(), *plugins, read_catalogue(own) if own.is_dir() else []])

    def basis(self) -> str:
        """Return a name of the program, the catalogue and the embedding space."""
        return basis_of(self._home, self.concepts)

    def propose(
        self,
        lessons: Sequence[MemoryEntry],
        rules: Sequence[MemoryEntry],
        proposals: Sequence[Proposal],
        decisions: Sequence[Decision],
    ) -> list[Proposal]:
        """Return the proposals that should stand now, best first; known ones under their known ids."""
        from hardwon.generalizer.life.proposing import propose_changes

        new = self._propose_new(lessons, rules, proposals, decisions)
        changes = propose_changes(self._home, self.concepts, rules, proposals, decisions)
        return sorted([*new, *changes], key=lambda each: (-each.confidence, each.id))

    def _propose_new(
        self,
        lessons: Sequence[MemoryEntry],
        rules: Sequence[MemoryEntry],
        proposals: Sequence[Proposal],
        decisions: Sequence[Decision],
    ) -> list[Proposal]:
        """Return the new rules that should wait now."""
        lessons = [lesson for lesson in lessons if lesson.status is not Status.ARCHIVED]
        if len(lessons) < self._home.settings.generalizer.minimum_lessons:
            return []
        ruled = [{lesson.id for lesson in each.lessons} for each in backing_of(self._home, rules)]
        evidence, groups = self._evidence_and_groups(lessons)
        members = [[lessons[index] for index in group] for group in groups]
        continued = continue_proposals(members, proposals, decisions, ruled)
        found = [
            self._proposal(lessons, group, evidence, same)
            for group, same in zip(groups, continued, strict=True)
            if same is not None
        ]
        return list(filter(self._stands, found))

    def weigh(self, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> list[Bearing]:
        """Return which lessons speak for or against which rules."""
        from hardwon.generalizer.life.weighing import weigh

        return weigh(self._home, self.concepts, lessons, rules)

    def _evidence_and_groups(self, lessons: Sequence[MemoryEntry]) -> tuple[Evidence, list[list[int]]]:
        """Look at the lessons and join them.

        On one thread: the matrices are small, and on a busy machine more threads wait for each other longer than they
        work (docs/benchmarks.md).
        """
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            evidence = gather(self._home, lessons, self.concepts)
            groups = self._groups(evidence)
        return evidence, [group for group in groups if self._is_enough(lessons, group)]

    def _groups(self, evidence: Evidence) -> list[list[int]]:
        minimum = self._home.settings.generalizer.minimum_lessons
        candidates = evidence.candidates
        cores = [group for group in clusters(evidence.similar, candidates, CUT) if len(group) >= minimum]
        grown = grow(evidence.similar, candidates, cores)
        if evidence.scores is None:
            return grown
        return [members_that_speak(group, evidence.scores, evidence.beliefs) for group in grown]

    def _is_enough(self, lessons: Sequence[MemoryEntry], group: Sequence[int]) -> bool:
        settings = self._home.settings.generalizer
        projects = {lessons[index].scope.project for index in group} - {None}
        return len(group) >= settings.minimum_lessons and len(projects) >= settings.minimum_projects

    def _stands(self, proposal: Proposal) -> bool:
        """Tell whether enough is left when what speaks against the rule is not counted for it."""
        settings = self._home.settings.generalizer
        alike = not proposal.rule and proposal.confidence_parts["cohesion"] >= ALIKE
        return (
            (proposal.confidence >= DOUBTFUL or alike)
            and len(proposal.instances) >= settings.minimum_lessons
            and len(proposal.projects) >= settings.minimum_projects
        )

    def _proposal(
        self, lessons: Sequence[MemoryEntry], group: Sequence[int], evidence: Evidence, same: Continued
    ) -> Proposal:
        members = [lessons[index] for index in group]
        leading = leading_concept(evidence.beliefs[list(group)], self.concepts)
        language = main_language(members, self._home.settings.language)
        meanings = None if evidence.meanings is None else evidence.meanings[list(group)]
        wording = choose_wording(members, leading, meanings, language)
        against = [lesson for lesson in members if opposes(lesson, wording.rule)]
        supporting = [lesson for lesson in members if lesson not in against]
        parts = confidence_of(evidence, group, members, leading, wording, len(against))
        return Proposal(
            id=same.id,
            rule=wording.rule,
            translations=wording.translations,
            situation=wording.situation,
            rationale=explain(supporting, leading, wording, same.returns),
            topic=leading.concept.topic if wording.source == "catalogue" else "",
            scope=common_scope(supporting),
            instances=tuple(map(instance_of, supporting)),
            against=tuple(map(instance_of, against)),
            confidence=parts["confidence"],
            confidence_parts={name: value for name, value in parts.items() if name != "confidence"},
            suggested_action=_suggested(wording, parts["confidence"], len(members), len(against)),
            created_at=same.earlier.created_at if same.earlier else self._home.clock.now(),
            metadata={"returns": same.returns} if same.returns else {},
        )


def _suggested(wording: Wording, confidence: float, members: int, against: int) -> Action:
    if 2 * against >= members:
        return Action.REJECT
    return Action.ACCEPT if wording.rule and confidence >= TRUSTED else Action.REWRITE
