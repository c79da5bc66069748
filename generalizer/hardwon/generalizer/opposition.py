"""Opposition: whether a lesson says the opposite of a rule.

Texts that contradict are as near to each other as texts that agree (measured: a contradiction's cosine is higher than a
paraphrase's), so similarity cannot tell them apart. Polarity can: a lesson that tells to leave out, remove or undo what
the rule demands speaks against it. This finds the plain cases; it never decides, it shows the lesson to the reviewer.
"""

from __future__ import annotations

import re

from hardwon.generalizer.cues import plain_words
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.stemming import stem

REACH = 7
"""Words after a negation that it governs."""
SHARED = 2
"""Content words of the rule that must stand under the lesson's negation."""

_DIRECTIVE = re.compile(
    r"(?:^|[.;:!?。；！？]\s*|\b(?:must|should|shall|need)\s)(?:please\s|from now on,?\s|there is\s)?"
    r"(?:(?:we|i)\s(?:have\s|had to\s|finally\s)?)?"
    r"(not|do not|don't|never|avoid|no longer|no need|leave out|give up|gave up|turn(?:ed)? off|get rid of|got rid of|"
    r"(?:stop|drop)(?:ped)?|(?:disable|remove)d?|skip(?:ped)?|abandon(?:ed)?|need not|refrain from)\b",
    re.IGNORECASE,
)
_NEEDLESS = frozenset(("no need", "need not"))
"""What is needless in one case is denied, whatever follows: “no need to run it before a merge” asks for nothing."""
_PROHIBITION = re.compile(
    r"\b(?:never|not|don't|avoid|without|rather than|instead of)\b|不要|不得|不能|不应|禁止|避免|切勿|而非",
    re.IGNORECASE,
)
_EXCEPTIONS = frozenset(("without", "unless", "until", "before"))
"""Words that turn a denial into a demand: “never call without a deadline” asks for the deadline."""
_CHINESE = re.compile(
    r"(不要|不必|无需|不需要|去掉|取消|禁用|关闭|请别|千万别|(?<![\u3400-\u9fff])别)([^。；，！？]{2,16})"
)
"""别 denies where a clause begins with it; elsewhere it is mostly part of a word (级别, 区别)."""
_ANNOUNCED = re.compile(
    r"(?:^|[.;!?。；！？]\s*)(?:(?:the|one|only|an?)\s)*(?:exception|except)\b[^.;!?]*?"
    r"\b(?:do not|don't|need not|must not|should not|never)\s([^.;!?]+)"
    r"|(?:例外|特例)[^。；！？]*?(?:不要|不必|无需|不需要|不用|不|别)([^。；！？]{2,16})",
    re.IGNORECASE,
)
"""A text that calls itself an exception; that something “did not” happen is told of exceptions that are thrown."""
_COMMON = frozenset(map(stem, re.findall(r"\w+", "the a an and or of to in on for with it that this is are be by")))


def opposes(lesson: MemoryEntry, rule: str) -> bool:
    """Tell whether the lesson's content denies what the rule demands.

    What the rule itself forbids is not demanded: a lesson that forbids it too agrees. So does one that tells to remove
    or to close what the rule tells to remove or to close.
    """
    demanded = _PROHIBITION.split(rule, maxsplit=1)[0]
    return _denied(lesson.content, demanded) or _excepts(lesson.content, demanded)


def may_oppose(lesson: MemoryEntry, rule: str) -> bool:
    """Tell whether the lesson forbids the very thing that the rule says to do, of whatever object.

    “Do not set a time limit” shares one word with “Set a deadline”: too few to say that it opposes, and enough
    for it to be no evidence without somebody's yes.
    """
    wanted = _content_words(_PROHIBITION.split(rule, maxsplit=1)[0])
    for match in _DIRECTIVE.finditer(lesson.content):
        governed = plain_words(lesson.content[match.end() :])[:REACH]
        if governed and _EXCEPTIONS.isdisjoint(governed) and stem(governed[0]) in wanted:
            return True
    return False


def _denied(text: str, demanded: str) -> bool:
    wanted = _content_words(demanded)
    for match in _DIRECTIVE.finditer(text):
        if _asks_for(demanded, match[1]):
            continue
        governed = plain_words(text[match.end() :])[:REACH]
        is_denial = match[1].lower() in _NEEDLESS or _EXCEPTIONS.isdisjoint(governed)
        if is_denial and len(wanted.intersection(map(stem, governed))) >= SHARED:
            return True
    pairs = {demanded[place : place + 2] for place in range(len(demanded) - 1)}
    return any(
        sum(clause[place : place + 2] in pairs for place in range(len(clause) - 1)) >= SHARED
        for word, clause in _CHINESE.findall(text)
        if not _asks_for(demanded, word)
    )


def _excepts(text: str, demanded: str) -> bool:
    """Tell whether the text announces an exception in which the very thing that is demanded is left out."""
    wanted = _content_words(demanded)
    for english, chinese in _ANNOUNCED.findall(text):
        governed = plain_words(english)[:1]
        if governed and stem(governed[0]) in wanted:
            return True
        if any(chinese[place : place + 2] in demanded for place in range(len(chinese) - 1)):
            return True
    return False


def _content_words(text: str) -> set[str]:
    return set(map(stem, plain_words(text))) - _COMMON


def _asks_for(demanded: str, denial: str) -> bool:
    """Tell whether the rule uses the lesson's word of denial itself; of 别 nothing can be said, see above."""
    return denial != "别" and denial.lower() in demanded.lower()
