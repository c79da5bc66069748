"""Has one rule worded for lessons that share a cause."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hardwon.generalizer.model_tasks.asking import asked, shortened
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.principle import faults_of
from hardwon.kernel.use_cases.lesson_wording import names_of
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

MOST_LESSONS = 12
"""Lessons of one cluster that leave the machine: a dozen says what they have in common."""
ENOUGH = 0.5
"""Share of the lessons that a rule must cover to be theirs."""


class RuleDraft(ModelAnswer):
    """The answer: a sentence, and the numbers of the lessons that it would have prevented."""

    rule: str
    covers: Annotated[list[int], Field(max_length=MOST_LESSONS)]


def draft_rule(home: Home, lessons: Sequence[MemoryEntry], language: str) -> str | None:
    """Return the rule that lessons have in common, sound and in that language; None where the model gave none."""
    chosen = lessons[:MOST_LESSONS]
    book = load_projects(home)
    projects = dict.fromkeys(lesson.scope.project for lesson in lessons)
    names = list(dict.fromkeys(name for project in projects for name in names_of(book, project)))
    given = {"language": language, "lessons": [_given(number, each) for number, each in enumerate(chosen, 1)]}
    answer = asked(home, "rule", given, RuleDraft, lambda draft: _faults(draft, names, [language], len(chosen)))
    return " ".join(answer.rule.split()) if answer is not None and answer.rule.strip() else None


def _given(number: int, lesson: MemoryEntry) -> dict[str, object]:
    told: dict[str, object] = {"number": number, "text": shortened(lesson.content)}
    return told | ({"principle": shortened(lesson.lesson.principle)} if lesson.lesson.principle else {})


def _faults(draft: RuleDraft, names: Sequence[str], languages: Collection[str], given: int) -> list[str]:
    """Return what is wrong with a draft; one that says that there is no rule is right."""
    unknown = sorted({number for number in draft.covers if not 1 <= number <= given})
    faults = [f"covers holds numbers that were not given ({', '.join(map(str, unknown))})"] if unknown else []
    if not draft.rule.strip():
        return faults
    if len(set(draft.covers) - set(unknown)) < ENOUGH * given:
        faults.append("the rule covers less than half of the lessons; give one that covers them, or an empty text")
    return faults + [f"the rule {fault.told()}" for fault in faults_of(draft.rule, names, languages)]
