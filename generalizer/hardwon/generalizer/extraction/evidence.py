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
_ASKS = re.compile(
    r"(?:and |ok,? |so )*(?:now|please|can|could|would|let's|let us|next|go|continue|fix this)\b|"
    r"(?:好的?[，,]?)?(?:现在|请|接下来|然后|继续|帮)|.*[?？]$",
    re.IGNORECASE,
)
"""With this begins what is asked for after a lesson was told."""
_SENTENCE = re.compile(r"[ \t]*[^\n]{1,400}?(?:[.!?](?=\s|$)|[。！？]|$)", re.MULTILINE)


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
    if typed_as("lesson", sentence):
        return message[start : _end_of_lesson(message, start, start + len(sentence))]
    more = _GOES_ON.match(message, start + len(sentence))
    return message[start : more.end()] if more and more.end() - start <= LONGEST_STATEMENT else sentence


def _end_of_lesson(message: str, start: int, end: int) -> int:
    """Return where a lesson ends: whoever announces one says in the next sentences of its line what helped."""
    while match := _SENTENCE.match(message, end):
        said = match[0].strip()
        if match.end() - start > LONGEST_STATEMENT or _ASKS.match(said) or typed_as("stated", said):
            break
        end = match.end()
    return end
