"""Has two texts on one subject compared: the same, more, the opposite, or something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.generalizer.model_tasks.asking import asked, shortened
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.sameness.verdict import Sameness

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


class Relation(ModelAnswer):
    """The answer: one of four words, and what decided it."""

    relation: Sameness
    why: str


def relation_between(home: Home, earlier: str, later: str) -> Sameness | None:
    """Return what a later text is to an earlier one; None where the model did not say."""
    given = {"earlier": shortened(earlier), "later": shortened(later)}
    answer = asked(home, "relation", given, Relation)
    return answer.relation if answer else None
