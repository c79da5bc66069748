"""Takes a lesson's parts from a sentence, where it says them: what to do, why, and when."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hardwon.kernel.memory import Kind, Lesson

LONGEST_PRINCIPLE = 25
"""Words: what is longer tells a story."""

_BECAUSE = re.compile(r"^(.+?)[,;]?\s*\b(?:because|since|as otherwise|otherwise|or else)\b\s*(.+)$", re.IGNORECASE)
_BECAUSE_CHINESE = re.compile(r"^(.+?)[，；,]\s*(?:因为|由于|否则|不然|毕竟|以免)(.+)$")
_SO = re.compile(r"^(.+?)[,;]\s*(?:so|that's why|therefore)\b\s*(.+)$", re.IGNORECASE)
_SO_CHINESE = re.compile(r"^(.+?)[，；,]\s*(?:所以|因此)(.+)$")
_WHEN = re.compile(r"^((?:when|whenever|if|in|after|before|on|for)\b[^,;]{4,80}),\s", re.IGNORECASE)
_WHEN_CHINESE = re.compile(r"^((?:当|如果|每次|在).{2,30}(?:时|的时候|后|前|里|中))[，,]?")
_LEAD = re.compile(
    r"^(?:(?:please|ok|and|so|btw|also|no|nope|wait|oh|well|hm+|um+)[,:! ]+|"
    r"(?:remember|note|lesson learned|lesson|gotcha|from now on|for future reference|keep in mind)(?: that| this)?\s*"
    r"[:,]?\s*|(?:请?记住|请?记得|教训|切记|牢记)[:：，,]?\s*)+",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[`/_@#\d]|\b[A-Z]{2,}\w*|(?<=\s)[A-Z]\w+|\w\.\w|\b(?:this|that|it|these|those)\b")


def parts_of(sentence: str, kind: Kind, signs: Mapping[str, float]) -> Lesson:
    """Return the parts that the sentence says; none for a question."""
    if signs["question"]:
        return Lesson()
    said = _LEAD.sub("", sentence).strip()
    when = _WHEN.match(said) or _WHEN_CHINESE.match(said)
    what, why = _what_and_why(said)
    lesson = Lesson(situation=when[1] if when else None, cause=why, fix=what if why or kind is Kind.LESSON else None)
    return lesson.model_copy(update={"principle": _principle(said, signs)})


def _what_and_why(said: str) -> tuple[str, str | None]:
    """Return what to do and the reason given for it."""
    if found := _BECAUSE.match(said) or _BECAUSE_CHINESE.match(said):
        return found[1].strip(), found[2].strip(" .。")
    if found := _SO.match(said) or _SO_CHINESE.match(said):
        return found[2].strip(" .。"), found[1].strip()
    return said, None


def _principle(said: str, signs: Mapping[str, float]) -> str | None:
    """Return the sentence itself where it is plainly general: a rule in few words without a name."""
    rule = signs["prohibition"] or signs["obligation"] or signs["use"]
    if not rule or signs["now"] or signs["hedge"] or _NAMED.search(said) or len(said.split()) > LONGEST_PRINCIPLE:
        return None
    return said[0].upper() + said[1:]
