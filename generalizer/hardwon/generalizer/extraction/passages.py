"""What somebody said in their own words: sentences without code, quotations, pasted logs and what recall showed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hardwon.kernel.injection import without_ours

LONGEST_READ = 6_000
"""Characters of a message that are read, half from either end: what is longer was not typed."""
LONGEST_SENTENCE = 400
"""Characters: beyond it, a line is a log or a paragraph that was pasted, and cut."""

_BLOCKS = (
    re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL),
    re.compile(r'("""|\'\'\').*?(?:\1|\Z)', re.DOTALL),
    re.compile(r"<([A-Za-z][\w-]{2,40})\b[^<>\n]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL),
    re.compile(r"^[ \t]*>.*$", re.MULTILINE),
    re.compile(r"^(?: {4}|\t).*$", re.MULTILINE),
)
_QUOTED = re.compile(r'"[^"\n]{12,}"|“[^”\n]{8,}”|「[^」\n]{4,}」|『[^』\n]{4,}』')
_SENTENCE_END = re.compile(r"\n+|(?<=[.!?;])(?:[\"')\]]*)\s+(?!\d)|(?<=[。！？；])\s*")
_LIST_SIGN = re.compile(r"^\s*(?:[-*•#>|]+|\d{1,2}[.)]|[a-zA-Z]\))\s+")
_WORDS = re.compile(r"[A-Za-z][A-Za-z'’]*|[\u3400-\u9fff]")
_SIGNS = re.compile(r"[^\w\s.,;:!?'’()\-\u3000-\u303f\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, as it stands in its message."""

    text: str
    position: int
    """Which sentence of the message it is, from 0."""
    of: int
    """How many sentences the message has."""
    pasted: bool
    """It stands in what looks like a log, a review or a page, and not like typing."""


@lru_cache(maxsize=1_000)
def passages(text: str) -> tuple[Passage, ...]:
    """Return the sentences of a message that somebody may have said in their own words."""
    text = without_ours(text)
    if len(text) > LONGEST_READ:
        text = f"{text[: LONGEST_READ // 2]}\n\n{text[-LONGEST_READ // 2 :]}"
    for block in _BLOCKS:
        text = block.sub("\n", text)
    found = [part for each in _SENTENCE_END.split(text) if (part := _LIST_SIGN.sub("", each).strip(" \t*"))]
    return tuple(
        Passage(part[:LONGEST_SENTENCE], position, len(found), _is_pasted(part))
        for position, part in enumerate(found)
        if _WORDS.search(part) or part.strip("().").isdigit()
    )


def own_words(sentence: str) -> str:
    """Return the sentence without what it quotes."""
    return _QUOTED.sub(" ", sentence)


def length(text: str) -> int:
    """Return how many words a text has; a Chinese word counts as two characters."""
    found = _WORDS.findall(text)
    chinese = sum(1 for word in found if ord(word[0]) > 0x33FF)
    return len(found) - chinese + (chinese + 1) // 2


def _is_pasted(sentence: str) -> bool:
    """Tell whether a line has the look of a log: too long, or with more signs than words."""
    return len(sentence) > LONGEST_SENTENCE or len(_SIGNS.findall(sentence)) > 3 + len(sentence) // 12
