"""Takes a lesson's fields from its own text, without a model, where the text plainly marks them.

A wrong field is worse than none: a cause or a fix is taken only where a word says that it is one, and a principle only
where a label says so, or exactly one sentence with a word of obligation can stand as a rule as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from hardwon.generalizer.extraction.passages import passages
from hardwon.generalizer.extraction.phrasing import with_capital
from hardwon.kernel.memory import Lesson
from hardwon.kernel.principle import faults_of, length_in_words
from hardwon.kernel.principle.instruction import obliges

SHORTEST = 12
"""Characters below which a stretch of text says nothing (a Chinese one: half as many)."""
_LABELS = {
    "situation": r"situation|context|symptoms?|problem|what happened|现象|背景|问题|场景",
    "cause": r"(?:root )?causes?|root[- ]cause|reason|why|原因|根因|根本原因",
    "fix": r"fix(?:ed)?|solution|resolution|remedy|workaround|what helped|解决(?:方案|办法|方法)?|修复|处理(?:方法)?",
    "principle": r"lesson(?: learn(?:ed|t))?|principle|rule|takeaway|moral|next time|教训|原则|规则|经验|结论",
}
_LABELLED = {
    name: re.compile(rf"^[\s*_#>-]*(?:{words})[*_]*\s*[:：][\s*_]*(.+)$", re.IGNORECASE)
    for name, words in _LABELS.items()
}
_CAUSES = (
    re.compile(
        r"^(?:the |our )?(?:root[- ]cause|cause|reason)(?: of [^,.;]{3,60})? (?:is|was)(?: that)? (.+)$", re.IGNORECASE
    ),
    re.compile(r"^.{8,}?[,;]? \bbecause (?!of\b)(.+)$", re.IGNORECASE),
    re.compile(r"^.{8,}?\b((?:due to|because of|caused by|as a result of) .+)$", re.IGNORECASE),
    re.compile(r"^.{8,}?, since (.+)$", re.IGNORECASE),
    re.compile(r"^(?:根本原因|根因|原因)(?:是|在于|[:：])\s*(.+)$"),
    re.compile(r"(?:^|[，；、])(?:因为|由于|是因为)(.+?)(?:[，；]|$)"),
)
_LEADS = re.compile(r"^(?:due to|because of|caused by|as a result of) (?:the fact that )?", re.IGNORECASE)
_FIXES = (
    re.compile(
        r"^(?:it |this |that )?(?:was |is |has been )?(?:fixed|solved|resolved|mended|cured) (?:by|with) (.+)$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:the |our )?(?:fix|solution|remedy|workaround) (?:is|was)(?: to)? (.+)$", re.IGNORECASE),
    re.compile(r"^(.*\b(?:fixed|solved|resolved) it)$", re.IGNORECASE),
    re.compile(r"^(.+\bnow)$", re.IGNORECASE),
    re.compile(r"(?:^|[；，。;])\s*((?:已)?(?:改为|改成|改用|换成)[^；。]+)$"),
    re.compile(r"^(?:解决(?:方案|办法|方法)(?:是|[:：])?|修复(?:方法)?(?:是|[:：]))\s*(.+)$"),
)
FEWEST_WORDS = 7
"""Words below which an order is about what stood before it."""
_SPECIAL = re.compile(
    r"[;；]\s*$|[()（）]|(?<=[\w,] )[A-Z][a-z]+|\b[A-Z]+-?\d|[\d`@#]|^[Tt]hat\b|这个|那个|它"
    r"|\b(?:affected|he|here|it|its|one|she|them|there|these|they|this|those|which)\b"
    r"|[\u3400-\u9fff][A-Za-z]|[A-Za-z][\u3400-\u9fff]"
)
"""It goes on, or speaks of something by its name or by what stands before it."""
_ENDS = " \t.。;；,，"


def derive(content: str, names: Iterable[str], languages: Collection[str]) -> Lesson:
    """Return the fields that a lesson's text plainly gives; empty where it gives none.

    `names` are what a principle must not speak of, `languages` those that it may be in.
    """
    sentences = [each.text for each in passages(content) if not each.pasted]
    found = _labelled(sentences)
    plain = [each for each in sentences if not any(label.match(each) for label in _LABELLED.values())]
    clauses = [clause.strip() for sentence in plain for clause in re.split(r"[;；]", sentence)]
    found.setdefault("cause", _first(_CAUSES, plain))
    found.setdefault("fix", _first(_FIXES, clauses))
    names = list(names)
    labelled = found.pop("principle", None)
    candidates = [labelled] if labelled else [each for each in plain if _is_general(each)]
    standing = [each for each in candidates if not faults_of(each, names, languages)]
    # Of several, nobody knows which is meant.
    principle = with_capital(standing[0]) if len(standing) == 1 else None
    parts = {name: words for name, words in found.items() if words}
    return Lesson(**parts, principle=principle)


def _labelled(sentences: Iterable[str]) -> dict[str, str | None]:
    """Return what stands behind a label such as “Cause:”, the first of each."""
    found: dict[str, str | None] = {}
    for sentence in sentences:
        for name, label in _LABELLED.items():
            if (match := label.match(sentence)) and _says_something(match[1]):
                found.setdefault(name, with_capital(match[1].strip()))
    return found


def _first(patterns: Iterable[re.Pattern[str]], sentences: Iterable[str]) -> str | None:
    """Return what the first sentence that is marked so says, by the surest mark."""
    sentences = list(sentences)
    for pattern in patterns:
        for sentence in sentences:
            if (found := pattern.search(sentence.strip(_ENDS))) and _says_something(found[1]):
                return with_capital(_LEADS.sub("", found[1].strip(_ENDS)))
    return None


def _says_something(words: str) -> bool:
    return len(words.encode("utf-8")) >= SHORTEST


def _is_general(sentence: str) -> bool:
    """Tell whether a sentence by itself says what must be done, whatever stands around it."""
    return length_in_words(sentence) >= FEWEST_WORDS and obliges(sentence) and not _SPECIAL.search(sentence)
