"""What a typed sentence looks like, from within and from around it, as numbers between 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hardwon.generalizer.extraction.cues import claimed_as, cues
from hardwon.generalizer.extraction.passages import length, own_words
from hardwon.generalizer.extraction.pasting import is_formal, is_pasted
from hardwon.generalizer.extraction.typed import Typed

_NAMED = re.compile(r"`[^`]+`|\b\w+(?:[./_]\w+)+|\b[a-z]+[A-Z]\w*|\b\w+\(\)")
_ASKS_FOR_FACT = re.compile(
    r"(?:and |so |ok,? |q: ?|also,? |but )*(?:what|how|which|when|who)\b(?! about)|"
    r".{0,4}(?:什么|哪|多少|怎么(?!又|没|不))",
    re.IGNORECASE,
)
_RULE = (
    "remember", "lesson", "prohibition", "forbids", "contrast", "obligation", "preference", "use", "correction",
    "critique", "done_wrong", "reason", "general",
)  # fmt: skip
_EMPHATIC = re.compile(r"[!！?？]{2,}|[!！]\s*$|\b[A-Z]{4,}!|\b(?:at all|ever|again|all of a sudden)[.?!]*$")
CURT = 4
"""Words up to which an answer only says that it was heard, or done."""
_NO_FEATURES = ("orders", "done_since")
"""Cues by which a statement is taken apart, and not judged."""
OPENING = 240
"""Characters of the agent's next words in which it would grant a point."""


def features(typed: Typed) -> dict[str, float]:
    """Return what speaks for a sentence and against it."""
    sentence = own_words(typed.passage.text)
    values = {name: float(cue.is_in(sentence)) for name, cue in cues("typed").items() if name not in _NO_FEATURES}
    values |= _shape(typed, sentence) | _surroundings(typed)
    return values | _together(values) | _told_otherwise(values)


def _shape(typed: Typed, sentence: str) -> dict[str, float]:
    words = length(sentence)
    named = len(_NAMED.findall(sentence))
    return {
        "question": float(sentence.rstrip(" \"')").endswith(("?", "？"))),
        "tiny": float(words <= 2),
        "very_short": float(words <= 6),
        "overturns": float(claimed_as("overturned", sentence)),
        "short": float(words <= 12),
        "named": min(1.0, 3 * named / max(1, words)),
        "formal": float(is_formal(sentence)),
        "message_pasted": float(typed.passage.pasted or is_pasted(typed.said.text)),
        "asks_for_fact": float(_ASKS_FOR_FACT.match(sentence) is not None),
        "several_sentences": float(typed.passage.of > 5),
        "whole_message": float(typed.passage.of == 1),
        "last_of_several": float(typed.passage.position == typed.passage.of - 1 > 0),
        "emphatic": float(_EMPHATIC.search(typed.passage.text) is not None),
        "middling": float(6 < words <= 25),
        "long": float(words > 25),
    }


def _surroundings(typed: Typed) -> dict[str, float]:
    answer = typed.answer[:OPENING]
    return {
        "in_the_middle": float(typed.in_the_middle),
        "refuses": float(typed.refused_call is not None),
        "conceded": float(bool(answer) and claimed_as("conceded", answer)),
        "delivered": float(claimed_as("delivered", answer)),
        "explained": float(claimed_as("explained", answer)),
        "apologised": float(claimed_as("apologised", answer)),
        "agreed": float(claimed_as("agreed", answer)),
        "acknowledged": float(claimed_as("acknowledged", answer)),
        "reversed": float(claimed_as("reversed", answer)),
        "admitted": float(claimed_as("admitted", answer)),
        "curt": float(0 < length(answer) <= CURT),
        "after_options": float(typed.after_options),
    }


def _together(values: Mapping[str, float]) -> dict[str, float]:
    """Return what only the meeting of cues says."""

    def any_of(*cues: str) -> float:
        return max(values[cue] for cue in cues)

    rule, question, conceded = any_of(*_RULE), values["question"], values["conceded"]
    objects = any_of("critique", "correction", "done_wrong")
    told_what_to_do = any_of("prohibition", "obligation")
    return {
        "objection": values["critique"] * question,
        "quality_objection": values["quality"] * max(objects, values["prohibition"]),
        "quality_in_short": values["quality"] * values["short"] * (1 - values["task"]),
        "quality_granted": values["quality"] * conceded,
        "only_task": values["task"] * (1 - rule),
        "only_asking": values["asking"] * question * (1 - max(objects, values["quality"])),
        "only_status": values["status"] * (1 - rule),
        "only_trouble": values["trouble"]
        * (1 - max(told_what_to_do, any_of("preference", "quality", "decided", "wants", "place"))),
        "rule_with_reason": values["reason"] * max(told_what_to_do, any_of("preference", "decided", "wants")),
        "costly": values["harm"] * told_what_to_do,
        "general_rule": values["general"] * max(told_what_to_do, values["use"]),
        "no_rule": 1 - rule,
        "granted_rule": rule * conceded,
        "refusal_rule": rule * values["in_the_middle"],
        "granted_objection": objects * conceded * (1 - max(told_what_to_do, any_of("preference", "use"))),
        "granted_question": question * conceded,
        "bare_objection": values["overturns"]
        * values["very_short"]
        * (1 - max(told_what_to_do, any_of("use", "quality"))),
        "explained_question": question * values["explained"] * (1 - conceded),
        "delivered_task": values["delivered"] * max(values["task"], values["specification"]),
        "plain_question": question * (1 - conceded),
        "declarative": values["states"]
        * (1 - max(question, told_what_to_do, any_of("task", "preference", "hedge", "decided"))),
        "habitual": values["habit"] * (1 - question) * (1 - values["task"]),
        "only_done_wrong": values["done_wrong"] * (1 - max(told_what_to_do, any_of("preference", "use"))),
        "unsure": values["hedge"] * question,
    }


def _told_otherwise(values: Mapping[str, float]) -> dict[str, float]:
    """Return what is told by the way, or shows in what the agent did about it."""

    def any_of(*cues: str) -> float:
        return max(values[cue] for cue in cues)

    question, granted = values["question"], any_of("apologised", "agreed", "reversed", "admitted")
    told_what_to_do = any_of("prohibition", "obligation")
    told = 1 - max(question, any_of("task", "status"))
    return {
        "reproach": max(values["you_did"], values["asks_of_past"], values["why"]) * granted,
        "reproach_answered": max(values["asks_of_past"], values["why"]) * (1 - granted),
        "put_otherwise": values["reversed"] * (1 - max(question, values["task"])),
        "asked_otherwise": values["reversed"] * question,
        "rule_at_once": values["bare_rule"] * told,
        "told_of_others": values["others"] * told,
        "told_in_passing": values["aside"] * told,
        "spliced_reason": values["spliced"] * told,
        "told_bounds": values["bound"] * told,
        "how_it_is_here": max(values["environment"], values["bound"])
        * told
        * (1 - max(told_what_to_do, any_of("preference", "use", "you_did", "trouble", "decided"))),
        "no_exception": values["absolute"] * told * (1 - values["very_short"]),
        "settled": values["after_options"] * (1 - max(question, values["hedge"], values["asks_for_fact"])),
    }
