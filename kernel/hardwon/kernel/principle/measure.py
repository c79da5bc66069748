"""How long a sentence is, whether it is one, and in which language."""

from __future__ import annotations

import re
from collections.abc import Collection

from hardwon.kernel.text import language_of

SHORTEST, LONGEST = 6, 40
"""Words (a Chinese character counts as one half) that a rule may have."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9'-]+")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|no)\.", re.IGNORECASE)
_BETWEEN_SENTENCES = re.compile(r"[.!?][\"'”’)\]]*\s+(?=\S)|[。！？][”’）」]*(?=.)|(?<=\S)\s*\n\s*(?=\S)")


def length_in_words(sentence: str) -> float:
    """Return the number of words, two Chinese characters counting as one."""
    return len(_WORD.findall(sentence)) + len(_HAN.findall(sentence)) / 2


def is_one_sentence(sentence: str) -> bool:
    """Tell whether nothing follows the first sentence."""
    return not _BETWEEN_SENTENCES.search(_ABBREVIATION.sub("", sentence.strip()))


def is_in(sentence: str, languages: Collection[str]) -> bool:
    """Tell whether a sentence is in one of these languages; in any, where none is asked for."""
    return not languages or language_of(sentence) in languages
