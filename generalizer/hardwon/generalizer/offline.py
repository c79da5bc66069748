"""The Generalizer that works without a model and without a network: lessons in, proposals out, best first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.generalizer.basis import basis_of
from hardwon.generalizer.catalogue import Concept, merge_catalogues, read_catalogue, shipped_catalogue
from hardwon.generalizer.clusters import clusters
from hardwon.generalizer.continuity import Continued, continue_proposals
from hardwon.generalizer.evidence import Evidence, gather
from hardwon.generalizer.life.places import common_scope
from hardwon.generalizer.membership import members_that_speak
from hardwon.generalizer.opposition import opposes
from hardwon.generalizer.rationale import confidence_of, explain
from hardwon.generalizer.signs import Signs, signs_of
from hardwon.generalizer.ties import Ties, ties_of
from hardwon.generalizer.wording import Wording, choose_wording, leading_concept, main_language
from hardwon.kernel.memory import Status
from hardwon.kernel.proposal import Action, Decision, Proposal, instance_of
from hardwon.kernel.use_cases.rules.backing import backing_of

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Bearing

    Judged = tuple[list[int], Signs]

DOUBTFUL = 0.4
"""Likelihood of one cause below which nothing is proposed: three mixed proposals in a row end a reviewer's patience.

Chosen on the development set (docs/decisions/0024)."""
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
        ties = ties_of([lesson.id for lesson in lessons], proposals, decisions)
        evidence, groups = self._evidence_and_groups(lessons, ties)
        members = [[lessons[index] for index in group] for group, _ in groups]
        continued = continue_proposals(members, proposals, decisions, ruled)
        found = [
            self._proposal(lessons, judged, evidence, same)
            for judged, same in zip(groups, continued, strict=True)
            if same is not None
        ]
        return list(filter(self._stands, found))

    def weigh(self, lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]) -> list[Bearing]:
        """Return which lessons speak for or against which rules."""
        from hardwon.generalizer.life.weighing import weigh

        return weigh(self._home, self.concepts, lessons, rules)

    def _evidence_and_groups(self, lessons: Sequence[MemoryEntry], ties: Ties) -> tuple[Evidence, list[Judged]]:
        """Look at the lessons and join them.

        On one thread: the matrices are small, and on a busy machine more threads wait for each other longer than they
        work (docs/benchmarks.md).
        """
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            evidence = gather(self._home, lessons, self.concepts)
            groups = self._groups(evidence, lessons, ties)
            judged = [(group, signs_of(evidence, group)) for group in groups if self._is_enough(lessons, group)]
        return evidence, [(group, signs) for group, signs in judged if signs.likelihood >= DOUBTFUL]

    def _groups(self, evidence: Evidence, lessons: Sequence[MemoryEntry], ties: Ties) -> list[list[int]]:
        groups = clusters(evidence, lambda group: self._is_enough(lessons, group), DOUBTFUL, ties)
        if evidence.scores is None:
            return groups
        return [members_that_speak(group, evidence.scores, evidence.beliefs) for group in groups]

    def _is_enough(self, lessons: Sequence[MemoryEntry], group: Sequence[int]) -> bool:
        settings = self._home.settings.generalizer
        projects = {lessons[index].scope.project for index in group} - {None}
        return len(group) >= settings.minimum_lessons and len(projects) >= settings.minimum_projects

    def _stands(self, proposal: Proposal) -> bool:
        """Tell whether enough is left when what speaks against the rule is not counted for it."""
        settings = self._home.settings.generalizer
        return (
            len(proposal.instances) >= settings.minimum_lessons and len(proposal.projects) >= settings.minimum_projects
        )

    def _proposal(
        self, lessons: Sequence[MemoryEntry], judged: Judged, evidence: Evidence, same: Continued
    ) -> Proposal:
        group, signs = judged
        members = [lessons[index] for index in group]
        leading = leading_concept(evidence.beliefs[list(group)], self.concepts)
        language = main_language(members, self._home.settings.language)
        meanings = None if evidence.meanings is None else evidence.meanings[list(group)]
        wording = choose_wording(members, leading, meanings, language)
        against = [lesson for lesson in members if opposes(lesson, wording.rule)]
        supporting = [lesson for lesson in members if lesson not in against]
        parts = confidence_of(signs, members, leading, len(against))
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
