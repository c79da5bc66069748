"""Opposition: whether a lesson says the opposite of a rule.

Texts that contradict are as near to each other as texts that agree (measured: a contradiction's cosine is higher than a
paraphrase's), so similarity cannot tell them apart. Polarity can: a lesson that tells to leave out, remove or undo what
the rule demands speaks against it. This finds the plain cases; it never decides, it shows the lesson to the reviewer.
"""

from __future__ import annotations

import re

from hardwon.generalizer.cues import base_form, plain_words
from hardwon.kernel.memory import MemoryEntry

REACH = 7
"""Words after a negation that it governs."""
SHARED = 2
"""Content words of the rule that must stand under the lesson's negation."""

_DIRECTIVE = re.compile(
    r"(?:^|[.;:!?。；！？]\s*|\b(?:must|should|shall)\s)(?:please\s)?"
    r"(not|do not|don't|never|remove|disable|skip|no need|leave out)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"(?:不要|不必|无需|不需要|去掉|取消|禁用|关闭|别)([^。；，！？]{2,16})")
_COMMON = frozenset(
    map(base_form, re.findall(r"\w+", "the a an and or of to in on for with it that this is are be by"))
)


def opposes(lesson: MemoryEntry, rule: str) -> bool:
    """Tell whether the lesson's content denies what the rule demands."""
    return _denied(lesson.content, rule) and not _denied(rule, rule)


def _denied(text: str, rule: str) -> bool:
    wanted = {base_form(word) for word in plain_words(rule)} - _COMMON
    for match in _DIRECTIVE.finditer(text):
        governed = {base_form(word) for word in plain_words(text[match.end() :])[:REACH]}
        if len(governed & wanted) >= SHARED:
            return True
    pairs = {rule[place : place + 2] for place in range(len(rule) - 1)}
    return any(
        sum(clause[place : place + 2] in pairs for place in range(len(clause) - 1)) >= SHARED
        for clause in _CHINESE.findall(text)
    )
