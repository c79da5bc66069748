"""Takes a lesson's parts from a statement, where it says them: what happened, why, and what to do.

A wrong part is worse than none: what happened is never given as what to do about it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.passages import passages
from hardwon.generalizer.extraction.phrasing import with_capital, without_lead
from hardwon.kernel.memory import Lesson
from hardwon.kernel.principle import principle_problems

_BECAUSE = re.compile(r"^(.+?)[,;]?\s*\b(?:because|since|as otherwise|otherwise|or else)\b\s*(.+)$", re.IGNORECASE)
_BECAUSE_CHINESE = re.compile(r"^(.+?)[，；,]?\s*(?:因为|由于|否则|不然|毕竟|以免)(.+)$")
_SO = re.compile(r"^(.+?)[,;]\s*(?:so|that's why|therefore)\b\s*(.+)$", re.IGNORECASE)
_SO_CHINESE = re.compile(r"^(.+?)[，；,]\s*(?:所以|因此)(.+)$")
_WHEN = re.compile(r"^((?:when|whenever|if|after|before|while|during)\b[^,;]{4,80}),\s", re.IGNORECASE)
_WHEN_CHINESE = re.compile(r"^((?:当|如果|每次).{2,30}(?:时|的时候|后|前|里|中))[，,]?")
_OF_A_CAUSE = re.compile(
    r"^(?:the |our )?(?:root[- ]cause|cause|reason)\s*(?:is|was)?(?: that)?\s*[:,]?\s*"
    r"|^(?:根本原因|根因|原因)(?:是|[:：])?\s*",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:this|that|it|these|those|them|here)\b|[\d`@#]|这个|那个|它", re.IGNORECASE)
"""It speaks of something that stands before it, or of one thing alone."""


@dataclass(frozen=True, slots=True)
class _Clauses:
    """What a sentence says, and the reason that it gives."""

    what: str
    why: str | None


def parts_of(statement: str, signs: Mapping[str, float]) -> Lesson:
    """Return the parts that a statement of one or more sentences says; none for a question."""
    if signs["question"]:
        return Lesson()
    first, *more = [each.text for each in passages(statement)] or [statement]
    said = without_lead(first)
    told = _OF_A_CAUSE.sub("", said)
    clauses = _clauses(told)
    what, why = clauses.what, clauses.why
    if told != said and why is None:
        what, why = "", told.strip(" .。")
    fix = what if what and typed_as("orders", what) else next((each for each in more if _mends(each)), None)
    when = _WHEN.match(said) or _WHEN_CHINESE.match(said)
    happened = what if why and what and fix != what else None
    principle = None if signs["now"] or signs["hedge"] else _principle(said)
    return Lesson(situation=when[1] if when else happened, cause=why, fix=fix, principle=principle)


def _clauses(said: str) -> _Clauses:
    if found := _BECAUSE.match(said) or _BECAUSE_CHINESE.match(said):
        return _Clauses(found[1].strip(" ，,"), found[2].strip(" .。"))
    if found := _SO.match(said) or _SO_CHINESE.match(said):
        return _Clauses(found[2].strip(" .。"), found[1].strip())
    return _Clauses(said, None)


def _mends(sentence: str) -> bool:
    """Tell whether a sentence says what was done, or is to be done."""
    return typed_as("orders", sentence) or typed_as("done_since", sentence)


def _principle(said: str) -> str | None:
    """Return the sentence itself where it is plainly general, and can stand as a rule as it is."""
    return None if principle_problems(said) or _POINTS.search(said) else with_capital(said)
