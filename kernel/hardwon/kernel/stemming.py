"""English words to their stems, so that “deadlocks” finds “deadlock”.

M. F. Porter, An algorithm for suffix stripping (Program 14.3, 1980), in the form that SQLite's FTS5 calls `porter`.
It is written out here, and not left to the index, because stems are also needed outside of it: for the rarity of a
query's terms, for diversity, for --explain, and for stores whose database has no such tokenizer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"[a-z]{3,63}")
_CONSONANT = "[^aeiou]"
_VOWEL = "[aeiouy]"
_RUN_OF_CONSONANTS = f"{_CONSONANT}[^aeiouy]*"
_RUN_OF_VOWELS = f"{_VOWEL}[aeiou]*"
_MEASURE_ABOVE_0 = re.compile(f"^(?:{_RUN_OF_CONSONANTS})?{_RUN_OF_VOWELS}{_RUN_OF_CONSONANTS}")
_MEASURE_1 = re.compile(f"^(?:{_RUN_OF_CONSONANTS})?{_RUN_OF_VOWELS}{_RUN_OF_CONSONANTS}(?:{_RUN_OF_VOWELS})?$")
_MEASURE_ABOVE_1 = re.compile(
    f"^(?:{_RUN_OF_CONSONANTS})?{_RUN_OF_VOWELS}{_RUN_OF_CONSONANTS}{_RUN_OF_VOWELS}{_RUN_OF_CONSONANTS}"
)
_HAS_VOWEL = re.compile(f"^(?:{_RUN_OF_CONSONANTS})?{_VOWEL}")
_SHORT = re.compile(f"^{_RUN_OF_CONSONANTS}{_VOWEL}[^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeioulsz])\1$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "logi": "log", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate",
    "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive",
    "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate", "iti", "ous",
    "ive", "ize",
)  # fmt: skip


def _suffixes(endings: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(endings, key=len, reverse=True)
    return re.compile(f"^(.+?)({'|'.join(longest_first)})$")


_ENDS_2, _ENDS_3, _ENDS_4 = _suffixes(_STEP_2), _suffixes(_STEP_3), _suffixes(_STEP_4)


def _plural(word: str) -> str:
    """Do step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word: str) -> str:
    """Do step 1b."""
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_ABOVE_0.match(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word:
            return _tidy(stem) if _HAS_VOWEL.match(stem) else word
    return word


def _tidy(stem: str) -> str:
    """Give back the e, or take the doubled consonant, that -ed and -ing hid."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _DOUBLE.search(stem):
        return stem[:-1]
    return stem + "e" if _SHORT.match(stem) else stem


def _replace(word: str, pattern: re.Pattern[str], endings: dict[str, str]) -> str:
    """Do step 2 or 3."""
    found = pattern.match(word)
    if found and _MEASURE_ABOVE_0.match(found[1]):
        return found[1] + endings[found[2]]
    return word


def _strip(word: str) -> str:
    """Do step 4."""
    found = _ENDS_4.match(word)
    if found:
        return found[1] if _MEASURE_ABOVE_1.match(found[1]) else word
    if word.endswith(("sion", "tion")) and _MEASURE_ABOVE_1.match(word[:-3]):
        return word[:-3]
    return word


def _last_letters(word: str) -> str:
    """Do step 5."""
    if word.endswith("e"):
        stem = word[:-1]
        if _MEASURE_ABOVE_1.match(stem) or (_MEASURE_1.match(stem) and not _SHORT.match(stem)):
            word = stem
    if word.endswith("ll") and _MEASURE_ABOVE_1.match(word):
        word = word[:-1]
    return word


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; what is not three or more letters a to z is its own stem."""
    if not _WORD.fullmatch(word):
        return word
    word = _past(_plural(word))
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _ENDS_2, _STEP_2)
    word = _replace(word, _ENDS_3, _STEP_3)
    return _last_letters(_strip(word))
