"""The words that prove a memory, as they stand in their message."""

from __future__ import annotations

import re

from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.typed import Typed

WHOLE_MESSAGE = 200
"""Characters up to which a typed message is quoted whole: its sentences belong together."""
LONGEST_STATEMENT = 400
"""Characters of what somebody asks to remember, with the list or the reason that belongs to it."""

_GOES_ON = re.compile(
    r"[ \t]*(?:(?:otherwise|because|that(?:'s| is)|it|this|they|these|else|if not|so)\b[^\n]{0,250}?"
    r"(?:[.!?](?=\s|$)|$)|"
    r"(?:否则|因为|不然|所以|这)[^\n]{0,150}?(?:[。！？]|$))",
    re.IGNORECASE | re.MULTILINE,
)


def evidence_of(typed: Typed) -> str:
    """Return a statement with what belongs to it, a short message whole, and of a longer one the sentence."""
    message = typed.said.text.strip()
    if typed_as("stated", typed.passage.text):
        return _statement(message, typed.passage.text)
    if len(message) <= WHOLE_MESSAGE and typed.passage.of <= 3 and "```" not in message:
        return message
    return typed.passage.text


def _statement(message: str, sentence: str) -> str:
    """Return a sentence with the list or block that it announces, or with the reason that the next one gives."""
    start = message.find(sentence)
    if start < 0:
        return sentence
    if sentence.endswith((":", "：")):
        return message[start : start + LONGEST_STATEMENT].strip()
    more = _GOES_ON.match(message, start + len(sentence))
    return message[start : more.end()] if more and more.end() - start <= LONGEST_STATEMENT else sentence
