"""Evaluate: import a labelled set into a home of its own, consolidate, accept, ask, and score each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.generalizer.evaluation.bootstrap import intervals
from hardwon.generalizer.evaluation.clusters import (
    Proposed,
    cluster_measures,
    joined_across_languages,
    proposal_measures,
)
from hardwon.generalizer.evaluation.rehearsal import import_labelled, rehearsal
from hardwon.generalizer.evaluation.reliability import Bin, area_under_curve, calibration_error, reliability
from hardwon.generalizer.evaluation.retrieval import Answered, retrieval_measures
from hardwon.generalizer.evaluation.rules import rule_measures, soundness
from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import ProposalKind
from hardwon.kernel.query import Query
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.review import accept

if TYPE_CHECKING:
    from hardwon.generalizer.evaluation.labelled import Causes, LabelledSet, Task
    from hardwon.kernel.home import Home
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.use_cases.recall import Recall

WHO = "evaluate"


@dataclass(frozen=True)
class Evaluation:
    """What was measured, each measure by name."""

    lessons: int
    causes: int
    clusters: Mapping[str, float]
    rules: Mapping[str, float]
    retrieval: Mapping[str, float]
    """Empty where the set has no tasks."""
    intervals: Mapping[str, tuple[float, float]]
    """95 % intervals of the measures that are means, by the bootstrap."""
    reliability: Sequence[Bin]
    """Confidence of the proposals against being pure."""
    calibration_error: float
    area_under_curve: float | None
    problems: Sequence[str] = ()
    """Lessons that could not be imported, with the reason."""


def evaluate(home: Home, labelled: LabelledSet) -> Evaluation:
    """Score the home's generalizer and search on a labelled set. Raises InvalidInput when none of it can be taken."""
    with rehearsal(home) as rehearsed:
        problems = import_labelled(rehearsed, labelled)
        consolidate(rehearsed)
        pending = new_rules(rehearsed)
        proposed = [_proposed(each) for each in pending]
        answers = _answers(rehearsed, pending, labelled) if labelled.tasks else []
    return _scored(labelled, proposed, answers, problems)


def new_rules(home: Home) -> list[Proposal]:
    """Return what waits to become a rule, best first: a conflict to settle says nothing of causes."""
    return [each for each in home.queue.pending() if each.kind is ProposalKind.NEW_RULE]


def _proposed(proposal: Proposal) -> Proposed:
    members = tuple(str(each.external_id) for each in proposal.instances)
    return Proposed(members, len(proposal.projects), proposal.confidence, proposal.rule)


def _answers(home: Home, pending: Sequence[Proposal], labelled: LabelledSet) -> list[Answered]:
    """Accept what has a rule, as a reviewer in a hurry would, and ask for each task."""
    causes_of = {}
    for proposal in pending:
        if proposal.rule:
            rule = accept(home, proposal, by=WHO).rule
            causes_of[rule.id] = _single_cause(_proposed(proposal), labelled.causes)
    with home.console.track("Asking", len(labelled.tasks)) as advance:
        return [_answer(home, task, causes_of, advance(1)) for task in labelled.tasks]


def _single_cause(proposed: Proposed, causes: Causes) -> str | None:
    """Return the cause that a rule stands for: that of most of its lessons, and of two at least."""
    cause, share = proposed.leading(causes)
    return cause if cause and share * len(proposed.members) >= 2 else None


def _answer(home: Home, task: Task, causes_of: Mapping[str, str | None], _: None) -> Answered:
    return Answered(task, shown_causes(recall(home, Query(text=task.text)), causes_of))


def shown_causes(answer: Recall, causes_of: Mapping[str, str | None]) -> tuple[str | None, ...]:
    """Return the causes of the rules that an answer shows, in its order."""
    return tuple(causes_of.get(hit.entry.id) for hit in answer.hits if hit.entry.kind is Kind.RULE)


def _scored(
    labelled: LabelledSet, proposed: Sequence[Proposed], answers: Sequence[Answered], problems: Sequence[str]
) -> Evaluation:
    causes = labelled.causes
    is_sound = soundness(str(row["project"]) for row in labelled.lessons if row.get("project"))
    languages = {str(row["id"]): language_of(str(row["content"])) for row in labelled.lessons}

    def means(some: Sequence[Proposed]) -> dict[str, float]:
        # Of the other measures, drawing proposals anew tells nothing.
        return {**proposal_measures(some, causes), **rule_measures(some, causes, is_sound)}

    confidences = [each.confidence for each in proposed]
    right = [each.is_pure(causes) for each in proposed]
    bins = reliability(confidences, right)
    return Evaluation(
        lessons=len(labelled.lessons),
        causes=len({cause for cause in causes.values() if cause}),
        clusters={
            **cluster_measures(proposed, causes),
            **joined_across_languages(proposed, causes, languages),
        },
        rules=rule_measures(proposed, causes, is_sound),
        retrieval=retrieval_measures(answers) if answers else {},
        intervals={**intervals(proposed, means), **intervals(answers, retrieval_measures)},
        reliability=bins,
        calibration_error=calibration_error(bins),
        area_under_curve=area_under_curve(confidences, right),
        problems=problems,
    )
