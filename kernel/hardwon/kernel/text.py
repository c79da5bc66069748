"""Text into index terms: the same for what is kept, what is asked and what is compared. Any text at all is safe.

Words are folded and stemmed. Code identifiers are split at their humps, dots and underscores and also kept whole.
Scripts that are written without spaces become single characters and pairs of them, so that a word of two characters
is found in the middle of a sentence. A term consists of letters, digits and underscores, which makes it a safe word
of any search engine's language. Standard library alone, since the hook program uses it too.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache
from itertools import chain

from hardwon.kernel.stemming import stem
from hardwon.kernel.stop_words import ALL as STOP_WORDS

LONGEST_TERM = 64
"""Characters of a term: beyond it, a token is a key or an encoded file, and no word."""
_LONGEST_REMEMBERED = (8, 32)
"""Characters of a piece of text, and of one in ASCII, whose terms are remembered: longer ones hardly come twice."""
_REMEMBERED = 1 << 15
"""Pieces of text: some 10 MB."""

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_THAI_LAO_BURMESE_KHMER = "\u0e01-\u0e4e\u0e80-\u0ece\u1000-\u103f\u1050-\u109d\u1780-\u17d3"
_UNSPACED = _HAN + _KANA + _HANGUL + _THAI_LAO_BURMESE_KHMER
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0966-\u0dff"
_LETTERS = rf"(?:[^\W_]|[{_MARKS}])+"

_ASCII_RUNS = re.compile(r"[A-Za-z0-9]+(?:[._'-]+[A-Za-z0-9]+)*")
_RUNS = re.compile(rf"{_LETTERS}(?:[._'’-]+{_LETTERS})*")
_UNSPACED_RUNS = re.compile(f"([{_UNSPACED}]+)")
_JOINTS = re.compile(r"[._-]+")
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MIXED_CASE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_ACCENTS = re.compile(r"(?<=[A-Za-z])[\u0300-\u036f]+")
_ACCENT = re.compile(r"[\u0300-\u036f]")
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]")
_NAMED_BY_SIGNS = re.compile(r"(?<![A-Za-z0-9])(?:[Cc]\+\+|[CcFf]#)(?![A-Za-z0-9+#])")
_SPELT_OUT = {"c++": " cpp ", "c#": " csharp ", "f#": " fsharp "}
_DATE = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)(?:年|[-/.])(\d{1,2})(?:(?:月|[-/.])(\d{1,2})[日号]?|月)?(?![\d.]\d)(?!\d)"
)
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip

_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_HAN_RUNS = re.compile(f"[{_HAN}]+")
_KANA_RUNS = re.compile(f"[{_KANA}]+")
_LATIN_RUNS = re.compile("[A-Za-z]+")
_SENTENCE_END = re.compile(r"\n+|(?<=[.!?;])\s+|(?<=[。！？；])\s*")
LETTERS_OF_A_HAN_CHARACTER = 4
"""How many Latin letters say as much as a Han character."""
SAME_TWICE = 0.3
"""A text is bilingual where what it says in one language is at least so long a part of what it says in the other."""


def clean(text: str) -> str:
    """Return the text without what no store can hold: control characters and lone surrogates become spaces."""
    return text if text.isprintable() else _UNSAFE.sub(" ", text)


def _normalise(text: str) -> str:
    """Return one form of what looks the same, its case kept: full width, ligatures, accents, invisible characters."""
    text = clean(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        apart = unicodedata.normalize("NFD", text)
        if _ACCENT.search(apart):
            text = unicodedata.normalize("NFC", _ACCENTS.sub("", apart))
    if "+" in text or "#" in text:
        text = _NAMED_BY_SIGNS.sub(lambda found: _SPELT_OUT[found[0].lower()], text)
    return text


def fold(text: str) -> str:
    """Return the form under which two spellings of one text are equal: normalised, without case, single spaces."""
    return " ".join(_normalise(text).casefold().split())


def _parts(word: str) -> list[str]:
    """Split an identifier at its joints and humps; a plain word is its only part."""
    parts: list[str] = []
    for piece in _JOINTS.split(word):
        if piece.isascii() and _MIXED_CASE.search(piece):
            parts.extend(_HUMPS.findall(piece))
        elif piece:
            parts.append(piece)
    return [part.casefold() for part in parts]


def _whole(word: str, parts: list[str]) -> str:
    """Return an identifier as one term, the same whether humps, dots or underscores join it; a version stays apart."""
    joint = "_" if all(part.isdigit() for part in parts) else ""
    return joint.join(parts) if joint else _JOINTS.sub("", word).casefold()


def _words(text: str, form: Callable[[str], str]) -> list[str]:
    """Return the terms of a text in order, each word in this form; characters and pairs of them have but one."""
    text = _normalise(text)
    if text.isascii():
        return [*map(form, _spaced(_ASCII_RUNS.findall(text)))]
    terms: list[str] = []
    for place, part in enumerate(_UNSPACED_RUNS.split(text)):
        if place % 2:
            terms += part
            terms += map(operator.add, part, part[1:])
        else:
            terms += map(form, _spaced((_ASCII_RUNS if part.isascii() else _RUNS).findall(part)))
    return terms


def _spaced(words: list[str]) -> Iterator[str]:
    """Walk the unstemmed terms of words in a script that is written with spaces."""
    for found in words:
        word = found.replace("'", "").replace("’", "")
        if word.isdecimal() or (word.isalpha() and word[1:].islower()):
            yield word.casefold()[:LONGEST_TERM]
            continue
        parts = _parts(word)
        yield from (part[:LONGEST_TERM] for part in parts)
        if len(parts) > 1:
            yield _whole(word, parts)[:LONGEST_TERM]


def _dates(text: str) -> tuple[list[str], str]:
    """Return the terms of the dates that a text names in figures, and the text without them."""
    terms: list[str] = []
    if "20" not in text and "19" not in text:
        return terms, text

    def take(found: re.Match[str]) -> str:
        year, month, day = found.groups()
        if not 1 <= int(month) <= 12:
            return found[0]
        terms.extend((year, f"{year}_{int(month):02}"))
        if day:
            terms.append(f"{year}_{int(month):02}_{int(day):02}")
        return " "

    return terms, _DATE.sub(take, text)


def index_terms(text: str) -> list[str]:
    """Return the terms that a kept text is found by, with repeats.

    It is read a piece between blanks at a time, since most pieces of any text were met before.
    """
    dates, rest = _dates(text)
    return [*chain.from_iterable(map(_PIECES.__getitem__, rest.split())), *dates]


class _Pieces(dict[str, tuple[str, ...]]):
    """The terms of pieces of text, those of short ones remembered."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        number = piece.rstrip(",.:;")
        if number.isdecimal() and number.isascii():
            return (number[:LONGEST_TERM],)
        terms = tuple(_words(piece, stem))
        if len(piece) <= _LONGEST_REMEMBERED[piece.isascii()]:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = terms
        return terms


_PIECES = _Pieces()


def date_terms(moment: datetime) -> list[str]:
    """Return the terms that a memory's date is found by: year, month, day, and the month's English name."""
    return [*_day_terms(moment.year, moment.month, moment.day)]


@lru_cache(4096)
def _day_terms(year: int, month: int, day: int) -> tuple[str, ...]:
    return str(year), f"{year}_{month:02}", f"{year}_{month:02}_{day:02}", stem(_MONTHS[month - 1])


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a question, in order, without stop words.

    Chinese that is made of stop words alone keeps them: a word of two characters may look like one.
    """
    dates, rest = _dates(text)
    words = _words(rest, str)
    telling = [word for word in words if word not in STOP_WORDS] or [word for word in words if not word.isascii()]
    return list(dict.fromkeys([*map(stem, telling), *dates]))


def language_of(text: str) -> str:
    """Return `zh` for Chinese, however many English words are mixed in, else `en`.

    A Han character counts as much as four Latin letters; a text with kana is Japanese and not Chinese.
    """
    han = 0 if text.isascii() else _characters(_HAN_RUNS, text)
    if not han or _characters(_KANA_RUNS, text) * 4 > han:
        return "en"
    return "zh" if han * LETTERS_OF_A_HAN_CHARACTER >= _characters(_LATIN_RUNS, text) else "en"


def _characters(runs: re.Pattern[str], text: str) -> int:
    return sum(map(len, runs.findall(text)))


def by_language(text: str) -> list[str]:
    """Return what a text says in each language where it says about as much in both; else the text alone."""
    if text.isascii() or not _HAN_RUNS.search(text) or not _LATIN_RUNS.search(text):
        return [text]
    sentences: dict[str, list[str]] = {}
    for sentence in filter(str.strip, _SENTENCE_END.split(text)):
        sentences.setdefault(language_of(sentence), []).append(sentence.strip())
    parts = [" ".join(each) for each in sentences.values()]
    lengths = sorted(map(_said, parts))
    return parts if len(parts) > 1 and lengths[0] >= SAME_TWICE * lengths[1] else [text]


def in_language(text: str, language: str) -> str:
    """Return the paragraph in a language of a text that says the same in several, a paragraph each; else the text."""
    paragraphs = [each.strip() for each in text.split("\n\n") if each.strip()]
    if len(paragraphs) < 2:
        return text
    spoken = {language_of(each): each for each in paragraphs}
    lengths = sorted(map(_said, paragraphs))
    says_the_same = len(spoken) == len(paragraphs) and lengths[0] >= SAME_TWICE * lengths[-1]
    return spoken.get(language, text) if says_the_same else text


def _said(text: str) -> int:
    """Return how much a text says, in Latin letters."""
    return _characters(_LATIN_RUNS, text) + LETTERS_OF_A_HAN_CHARACTER * _characters(_HAN_RUNS, text)


def is_unspaced(term: str) -> bool:
    """Return whether a term is of a script written without spaces: a character or a pair of them, and no word."""
    return not term.isascii() and _UNSPACED_START.match(term) is not None
