"""Small changes of a sentence's words: in one line, shortened, without what only asks to remember it."""

from __future__ import annotations

import re
from functools import lru_cache

from hardwon.kernel.text import query_terms

LONGEST_CONTEXT = 160
"""Characters of what is told of the surroundings."""

_LEAD = re.compile(
    r"^(?:(?:please|ok|and|so|btw|also|no|nope|wait|oh|well|hm+|um+)[,:! ]+|"
    r"(?:remember|note|lessons? learn(?:ed|t)|lesson|gotcha|from now on|going forward|for future reference|"
    r"keep in mind)"
    r"(?: that| this| to)?\s*[:,]?\s*|(?:请?记住|请?记得|教训|切记|牢记)[:：，,]?\s*)+",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_MARKUP = re.compile(r"\*\*|^#+\s*|^[-*]\s+", re.MULTILINE)
_SPACES = re.compile(r"\s+")


def is_chinese(text: str) -> bool:
    """Tell whether it is to be worded in Chinese."""
    return len(_CHINESE.findall(text)) * 4 > len(text)


def one_line(text: str, limit: int = LONGEST_CONTEXT) -> str:
    """Return the text in one line without Markdown's signs, shortened at a word to at most `limit` characters."""
    line = _SPACES.sub(" ", _MARKUP.sub("", text[: 4 * limit])).strip()
    if len(line) <= limit:
        return line
    return line[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def without_lead(sentence: str) -> str:
    """Return a sentence without the words that only ask to remember it."""
    return _LEAD.sub("", sentence).strip()


def with_capital(sentence: str) -> str:
    """Return a sentence as one that stands at the beginning."""
    return sentence[:1].upper() + sentence[1:]


@lru_cache(maxsize=4_000)
def distinct_terms(text: str) -> frozenset[str]:
    """Return the words that say what a text is about, by their stems."""
    return frozenset(query_terms(text))
