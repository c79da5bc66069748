"""The write gate: is it useful in another session, stable and reusable? If not, why, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from hardwon.generalizer.extraction.passages import own_words
from hardwon.generalizer.extraction.typed import Typed

ENOUGH = 0.55
"""Likelihood from which a sentence passes."""
STATED = 0.95
"""Confidence of what somebody asks outright to remember."""
UNKNOWN = "Nothing in it says that it holds beyond this session."


def refusal(typed: Typed, signs: Mapping[str, float], confidence: float) -> str | None:
    """Return why a typed sentence is not written, or None."""
    if confidence >= STATED:
        return None
    if signs["message_pasted"] or typed.passage.pasted:
        return "It stands in what was pasted (a review, a log or a page), not in the person's own words."
    if signs["no_rule"] and own_words(typed.passage.text) != typed.passage.text:
        return "What it says stands in a quotation."
    if signs["bare_objection"]:
        return "It says that something is wrong, and not what would be right."
    if confidence >= ENOUGH:
        return None
    for sign, reason in _REASONS:
        if signs[sign]:
            return reason
    return UNKNOWN


_REASONS = (
    ("only_trouble", "It tells of a trouble, and nobody says what it was."),
    ("only_task", "It is a task for now."),
    ("only_asking", "It asks for information."),
    ("unsure", "It weighs an option that nobody decided."),
    ("only_status", "It tells how far the work is."),
    ("now", "It holds for now only."),
    ("hedge", "It is a guess."),
    ("textbook", "It stands in every book."),
    ("task", "It is a task for now."),
    ("question", "It asks, and nothing came of it."),
)


def is_a_doubt(reason: str) -> bool:
    """Tell whether something was refused because cues did not speak for it, which a better reader may overrule."""
    return reason == UNKNOWN or reason in {each for _, each in _REASONS}
