"""How well recall finds the rule that a task needs, and how often it shows one where none is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from hardwon.generalizer.evaluation.labelled import Task

DEPTHS = (1, 3, 5)


@dataclass(frozen=True)
class Answered:
    """What was shown for a task: the causes of the rules, best first; None for a rule of no single cause."""

    task: Task
    shown: tuple[str | None, ...]

    def is_found(self, depth: int) -> bool:
        """Tell whether a rule of the task's cause is among the first so many."""
        return self.task.cause in self.shown[:depth]

    @property
    def reciprocal_rank(self) -> float:
        """Return one divided by the place of the first rule of the task's cause; 0 where none is shown."""
        return 1 / (self.shown.index(self.task.cause) + 1) if self.task.cause in self.shown else 0.0


def retrieval_measures(answers: Sequence[Answered]) -> dict[str, float]:
    """Return recall at several depths and the mean reciprocal rank over tasks with a cause, and false injection.

    False injection is the share of the tasks without a cause for which a rule was shown. All are 0–1. What there is no
    task for is left out.
    """
    wanted = [each for each in answers if each.task.cause is not None]
    unrelated = [each for each in answers if each.task.cause is None]
    measures: dict[str, float] = {}
    if wanted:
        measures |= {f"recall at {depth}": fmean(each.is_found(depth) for each in wanted) for depth in DEPTHS}
        measures["mean reciprocal rank"] = fmean(each.reciprocal_rank for each in wanted)
    if unrelated:
        measures["false injection"] = fmean(bool(each.shown) for each in unrelated)
    for language in sorted({each.task.language for each in wanted}):
        some = [each for each in wanted if each.task.language == language]
        measures[f"recall at 3, {language}"] = fmean(each.is_found(3) for each in some)
    return measures
