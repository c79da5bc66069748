"""Takes a lesson's parts from a sentence, where it says them: what to do, why, and when."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hardwon.generalizer.extraction.wording import with_capital, without_lead
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.principle import principle_problems

_BECAUSE = re.compile(r"^(.+?)[,;]?\s*\b(?:because|since|as otherwise|otherwise|or else)\b\s*(.+)$", re.IGNORECASE)
_BECAUSE_CHINESE = re.compile(r"^(.+?)[，；,]\s*(?:因为|由于|否则|不然|毕竟|以免)(.+)$")
_SO = re.compile(r"^(.+?)[,;]\s*(?:so|that's why|therefore)\b\s*(.+)$", re.IGNORECASE)
_SO_CHINESE = re.compile(r"^(.+?)[，；,]\s*(?:所以|因此)(.+)$")
_WHEN = re.compile(r"^((?:when|whenever|if|after|before|while|during)\b[^,;]{4,80}),\s", re.IGNORECASE)
_WHEN_CHINESE = re.compile(r"^((?:当|如果|每次).{2,30}(?:时|的时候|后|前|里|中))[，,]?")
_POINTS = re.compile(r"\b(?:this|that|it|these|those|them|here)\b|[\d`@#]|这个|那个|它", re.IGNORECASE)
"""It speaks of something that stands before it, or of one thing alone."""


def parts_of(sentence: str, kind: Kind, signs: Mapping[str, float]) -> Lesson:
    """Return the parts that the sentence says; none for a question."""
    if signs["question"]:
        return Lesson()
    said = without_lead(sentence)
    when = _WHEN.match(said) or _WHEN_CHINESE.match(said)
    what, why = _what_and_why(said)
    lesson = Lesson(situation=when[1] if when else None, cause=why, fix=what if why or kind is Kind.LESSON else None)
    return lesson.model_copy(update={"principle": None if signs["now"] or signs["hedge"] else _principle(said)})


def _what_and_why(said: str) -> tuple[str, str | None]:
    """Return what to do and the reason given for it."""
    if found := _BECAUSE.match(said) or _BECAUSE_CHINESE.match(said):
        return found[1].strip(), found[2].strip(" .。")
    if found := _SO.match(said) or _SO_CHINESE.match(said):
        return found[2].strip(" .。"), found[1].strip()
    return said, None


def _principle(said: str) -> str | None:
    """Return the sentence itself where it is plainly general, and can stand as a rule as it is."""
    return None if principle_problems(said) or _POINTS.search(said) else with_capital(said)
