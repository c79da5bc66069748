"""Has a lesson's parts named: situation, cause, fix, and the sentence without names that says what to do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator

from hardwon.generalizer.model_tasks.asking import asked, shortened
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.lesson_fields import check_fields
from hardwon.kernel.memory import Lesson
from hardwon.kernel.use_cases.lesson_wording import languages_for, names_of
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


def _text(value: object) -> object:
    """Return nothing for what says nothing."""
    return (" ".join(value.split()) or None) if isinstance(value, str) else value


Sentence = Annotated[str | None, BeforeValidator(_text)]


class LessonParts(ModelAnswer):
    """The answer: null where the lesson does not say it."""

    situation: Sentence
    cause: Sentence
    fix: Sentence
    principle: Sentence

    @property
    def lesson(self) -> Lesson:
        """Return them as the kernel has them."""
        return Lesson(situation=self.situation, cause=self.cause, fix=self.fix, principle=self.principle)


def draft_lesson(home: Home, entry: MemoryEntry) -> Lesson | None:
    """Return the parts that a lesson's text gives, each sound; None where the model could not name them.

    A principle that is empty means that nothing in the lesson transfers.
    """
    names = names_of(load_projects(home), entry.scope.project)
    languages = languages_for(home, entry.content)
    known = {name: shortened(text) for name, text in entry.lesson.model_dump().items() if text}
    given = {"lesson": shortened(entry.content), "parts": known, "languages": sorted(languages)}
    answer = asked(home, "lesson", given, LessonParts, lambda parts: _faults(parts, entry.content, names, languages))
    if answer is None:
        return None
    return check_fields(answer.lesson, entry.content, names, languages).lesson


def _faults(parts: LessonParts, content: str, names: Sequence[str], languages: Collection[str]) -> list[str]:
    """Return what is to be mended, of each part that cannot be kept."""
    checked = check_fields(parts.lesson, content, names, languages)
    return [f"{each.field} {', '.join(fault.told() for fault in each.faults)}" for each in checked.to_mend]
