"""What an agent's message offers to choose from, and which of it a person's few words choose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.passages import length, passages
from hardwon.generalizer.extraction.phrasing import one_line

LONGEST_OFFER = 8_000
"""Characters of the agent's message in which options are looked for."""
LONGEST_OPTION = 220
"""Characters of an option that are kept."""

ORDINAL_ALONE = 4
"""Words up to which “the first one” is all that is said: it chooses, whatever way the options were told."""

_LABEL = "(?P<label>[A-Ea-e]|[1-9]|[一二三四五])"
_A_LINE = re.compile(
    r"^[\s>#|]*(?:[-*•]\s+)?\*{0,2}(?:(?:option|approach|variant|choice|alternative|plan)\s+)?(?:方案|选项|方法)?\s*"
    rf"{_LABEL}\s*(?:[.):：、]|\s+[—–-]|\*\*)\s*(?P<text>.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_IN_A_LINE = re.compile(
    rf"(?:\*\*)?(?:(?:option|approach)\s+|方案|选项)\s?{_LABEL}\s*[:：)—\- ]\s*(?P<text>[^。\n]+?)"
    r"(?=[;；。]|\*\*option|\boption [A-E1-9]|方案\s?[一二三四五1-9]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS = re.compile(r"\?|？|\b(?:option|approach|alternative|first|second)\b|方案|选项|哪个", re.IGNORECASE)
_ORDER_OF_WORK = re.compile(
    r"\b(?:proceed|next|continue|tackle|first|work on|start with|priorit\w+)\b|先做|接下来|继续|下一步",
    re.IGNORECASE,
)
_ORDINALS = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2, "last": -1}
_NUMERALS = {"一": "1", "二": "2", "三": "3", "四": "4", "五": "5"}


@dataclass(frozen=True, slots=True)
class _Answer:
    """A way to name an option."""

    pattern: re.Pattern[str]
    sure: bool = False
    """It speaks of an option by that name, so that the label need not be found among those offered."""
    bare: bool = False
    """It is a label and nothing else: an answer where something was asked."""


_ANSWERS = (
    _Answer(
        re.compile(
            rf"^\(?{_LABEL}\s*[).:]?(?:\s+(?:please|it is|then|sounds good|is fine|is good))?[.!]?$", re.IGNORECASE
        ),
        bare=True,
    ),
    _Answer(re.compile(rf"^(?:ok,? |yes,? |yeah,? )*{_LABEL}(?:[):,，]|\s[—–-])(?=\s|$)", re.IGNORECASE)),
    _Answer(re.compile(rf"^{_LABEL}[，。]"), bare=True),
    _Answer(
        re.compile(
            r"\b(?:let['’]?s|go|going|take|use|like|prefer|choose|pick|implement|do|think|want|with|for|vote)\b"
            r"[^.?!\n]{0,20}?\b(?:(?:options?|approach|variant|choice|plan|number|solution)\s*#?(?P<label>[A-E]|[1-9])\b"
            r"|(?P<other>[A-E]|[1-9])\))",
            re.IGNORECASE,
        ),
        sure=True,
    ),
    _Answer(
        re.compile(r"^(?:options?|approach|variant|number|solution)\s*#?(?P<label>[A-E]|[1-9])\b", re.IGNORECASE),
        sure=True,
    ),
    _Answer(re.compile(rf"^(?:选|用|就|那就|按|采用|还是)?\s*(?:方案|选项)?\s*{_LABEL}\s*(?:吧|[，,。]|$)"), bare=True),
    _Answer(re.compile(rf"(?:选|用|按|采用)(?:方案|选项)\s?{_LABEL}"), sure=True),
    _Answer(re.compile(rf"^(?:我?选|用|就|还是)?第{_LABEL}个"), sure=True),
)
_ORDINAL = re.compile(r"\bthe (first|second|third|last|former|latter)\b", re.IGNORECASE)


def options_in(offer: str) -> dict[str, str]:
    """Return the options that a text offers, by their labels in capitals; empty where it offers fewer than two."""
    for pattern in (_A_LINE, _IN_A_LINE):
        options: dict[str, str] = {}
        for found in pattern.finditer(offer[:LONGEST_OFFER]):
            options.setdefault(_in_capitals(found["label"]), one_line(found["text"], LONGEST_OPTION))
        if len(options) > 1:
            return options
    return {}


def chosen_label(typed: str, offer: str, options: Mapping[str, str]) -> str | None:
    """Return the label that a person's words choose, be it among the options or, where they were asked, not."""
    asked = len(options) > 1 or _ASKS.search(offer[-LONGEST_OFFER:]) is not None
    for answer in _ANSWERS:
        if found := answer.pattern.search(typed):
            groups = found.groupdict()
            label = _in_capitals(groups["label"] or groups.get("other") or "")
            if answer.sure or (asked and (label in options or answer.bare)):
                return label
    return _by_ordinal(typed, list(options))


def asks_what_is_next(offer: str) -> bool:
    """Tell whether a text asks which work to do now: the answer is a task, and decides nothing."""
    return any(_ORDER_OF_WORK.search(each.text) for each in passages(offer[-LONGEST_OFFER:]) if _is_question(each.text))


def _is_question(sentence: str) -> bool:
    return sentence.rstrip(")*_ ").endswith(("?", "？"))


def _by_ordinal(typed: str, labels: Sequence[str]) -> str | None:
    found = _ORDINAL.search(typed)
    few = length(typed) <= ORDINAL_ALONE
    if found is None or not (few or typed_as("decided", typed) or typed_as("wants", typed)):
        return None
    place = _ORDINALS[found[1].lower()]
    if not labels and few:
        return str(place + 1)
    return labels[place] if -len(labels) <= place < len(labels) else None


def _in_capitals(label: str) -> str:
    return _NUMERALS.get(label, label.upper())
