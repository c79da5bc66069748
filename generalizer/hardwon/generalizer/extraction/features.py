"""What a typed sentence looks like, from within and from around it, as numbers between 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardwon.generalizer.extraction.cues import claimed_as, cues, typed_as
from hardwon.generalizer.extraction.passages import Passage, length, own_words, passages
from hardwon.kernel.session import Message, Speaker, Turn

_NAMED = re.compile(r"`[^`]+`|\b\w+(?:[./_]\w+)+|\b[a-z]+[A-Z]\w*|\b\w+\(\)")
_BLOCK = re.compile(r"^\s*>|```|\"\"\"|'\'\'", re.MULTILINE)
_ASKS_FOR_FACT = re.compile(
    r"(?:and |so |ok,? |q: ?|also,? |but )*(?:what|how|which|when|who)\b(?! about)|"
    r".{0,4}(?:什么|哪|多少|怎么(?!又|没|不))",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:i|we|you|our|us|my|me|your|let's|please)\b|[\u3400-\u9fff]", re.IGNORECASE)
_RULE = (
    "remember",
    "lesson",
    "prohibition",
    "obligation",
    "preference",
    "use",
    "correction",
    "critique",
    "reason",
    "general",
)
INTRODUCTION = 14
"""Words up to which what stands beside a pasted block only introduces it."""
OPENING = 240
"""Characters of the agent's next words in which it would grant a point."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A sentence that a person typed, and where."""

    turns: Sequence[Turn]
    turn: int
    message: int
    passage: Passage

    @property
    def said(self) -> Message:
        """Return the message that it stands in."""
        return self.turns[self.turn].messages[self.message]

    @property
    def in_the_middle(self) -> bool:
        """Tell whether the agent was at work: a queued message, an answer, or the reason of a refusal."""
        return any(each.by is not Speaker.USER for each in self.turns[self.turn].messages[: self.message])

    @property
    def refuses(self) -> bool:
        """Tell whether it is the reason why the agent may not do what it was about to do."""
        before = self.turns[self.turn].messages[self.message - 1] if self.message else None
        return before is not None and before.by is Speaker.TOOL and before.failed

    @property
    def answer(self) -> str:
        """Return what the agent said next, before anybody typed again."""
        for each in self.turns[self.turn].messages[self.message + 1 :]:
            if each.by is Speaker.USER:
                return ""
            if each.by is Speaker.AGENT:
                return each.text
        return ""


def typed_sentences(turns: Sequence[Turn], turn: int) -> list[Typed]:
    """Return every sentence that a person typed in a turn."""
    return [
        Typed(turns, turn, number, passage)
        for number, message in enumerate(turns[turn].messages)
        if message.by is Speaker.USER
        for passage in passages(message.text)
    ]


def features(typed: Typed) -> dict[str, float]:
    """Return what speaks for a sentence and against it."""
    sentence = own_words(typed.passage.text)
    values = {cue: float(pattern.search(sentence) is not None) for cue, pattern in cues("typed").items()}
    values |= _shape(typed, sentence) | _surroundings(typed)
    return values | _together(values)


def _shape(typed: Typed, sentence: str) -> dict[str, float]:
    words = length(sentence)
    message = length(typed.said.text[:4_000])
    named = len(_NAMED.findall(sentence))
    return {
        "question": float(sentence.rstrip(" \"')").endswith(("?", "？"))),
        "tiny": float(words <= 2),
        "short": float(words <= 12),
        "long": float(words > 35),
        "named": min(1.0, 3 * named / max(1, words)),
        "formal": float(
            words > 9 and sentence[:1].isupper() and sentence.endswith(".") and not _PERSON.search(sentence)
        ),
        "first": float(typed.passage.position == 0),
        "message_long": float(message > 60),
        "message_pasted": float(
            typed.passage.pasted or _points_at_paste(typed.said.text) or typed_as("pasted", typed.said.text[:4_000])
        ),
        "asks_for_fact": float(_ASKS_FOR_FACT.match(sentence) is not None),
        "several_sentences": float(typed.passage.of > 5),
    }


def _points_at_paste(text: str) -> bool:
    """Tell whether a message is a block of somebody else's words, and a few of its own to introduce it."""
    return _BLOCK.search(text) is not None and sum(length(each.text) for each in passages(text)) <= INTRODUCTION


def _surroundings(typed: Typed) -> dict[str, float]:
    answer = typed.answer[:OPENING]
    return {
        "in_the_middle": float(typed.in_the_middle),
        "refuses": float(typed.refuses),
        "conceded": float(bool(answer) and claimed_as("conceded", answer)),
    }


def _together(values: Mapping[str, float]) -> dict[str, float]:
    """Return what only the meeting of cues says."""
    rule = max(values[cue] for cue in _RULE)
    return {
        "objection": values["critique"] * values["question"],
        "quality_objection": values["quality"] * max(values["critique"], values["correction"], values["prohibition"]),
        "only_task": values["task"] * (1 - rule),
        "only_asking": values["asking"]
        * values["question"]
        * (1 - max(values["critique"], values["correction"], values["quality"])),
        "only_status": values["status"] * (1 - rule),
        "rule_with_reason": values["reason"]
        * max(values["prohibition"], values["obligation"], values["preference"], values["decided"]),
        "general_rule": values["general"] * max(values["prohibition"], values["obligation"], values["use"]),
        "no_rule": 1 - rule,
        "granted_question": values["question"] * values["conceded"],
        "plain_question": values["question"] * (1 - values["conceded"]),
        "granted_rule": rule * values["conceded"],
        "refusal_rule": rule * values["in_the_middle"],
        "quality_in_short": values["quality"] * values["short"] * (1 - values["task"]),
        "quality_granted": values["quality"] * values["conceded"],
        "unsure": values["hedge"] * values["question"],
    }
