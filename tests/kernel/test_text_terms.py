"""The terms of a text are those they always were, however fast they are found: nothing kept has to be indexed anew."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.stemming import stem
from hardwon.kernel.text import index_terms

WORDS = st.sampled_from([
    "getUserId", "HTTPServer2", "v1.20.3", "don't", "don’t", "C++", "c#", "F#-like", "re-entrant", "snake_case.name",
    "2026-03-01", "2026年3月", "1999/12", "20.04", "数据库", "连接池payment", "データ", "연결", "ข้อมูล", "समय", "naïve",
    "e\u0301tat", "ﬁle", "ＦＵＬＬ", "\u00ad", "\u200b", "İstanbul", "straße", "K", "Å", "\u0301x", "\u3099", "\ud83d",
    "\x1c", "\x85", "\xa0", "\u2028", "¨", "-", "._", "'", "’", "a" * 70, "x1y2" * 20, "止损" * 20,
])  # fmt: skip
MIXED = st.lists(st.one_of(WORDS, st.text(max_size=6)), max_size=12).flatmap(
    lambda parts: st.sampled_from(["", " ", "\n", "，", "\u3000"]).map(lambda joint: joint.join(parts))
)


@given(st.one_of(st.text(st.characters(exclude_categories=()), max_size=200), MIXED))
def test_any_text_has_the_terms_it_had(text: str) -> None:
    assert index_terms(text) == former_terms(text)
    assert index_terms(text) == former_terms(text)  # its pieces are remembered now


@pytest.mark.parametrize("text", ["\n".join(SENTENCES), "\n".join(TASKS)])
def test_everyday_texts_have_the_terms_they_had(text: str) -> None:
    assert index_terms(text) == former_terms(text)


def test_a_character_between_letters_has_the_terms_it_had() -> None:
    """What a character is folded to, and what it joins or parts: all of the common scripts, some of every plane."""
    codes = [*range(0x3100), *range(0x3100, 0x110000, 61)]
    for start in range(0, len(codes), 1000):
        text = " ".join(f"a{chr(code)}B {chr(code)}止" for code in codes[start : start + 1000])
        assert index_terms(text) == former_terms(text), hex(codes[start])


# The terms as they were first found: slow but plain.

LONGEST_TERM = 64
"""Characters of a term: beyond it, a token is a key or an encoded file, and no word."""

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_THAI_LAO_BURMESE_KHMER = "\u0e01-\u0e4e\u0e80-\u0ece\u1000-\u103f\u1050-\u109d\u1780-\u17d3"
_UNSPACED = _HAN + _KANA + _HANGUL + _THAI_LAO_BURMESE_KHMER
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0966-\u0dff"
_LETTERS = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])+"

_ASCII_RUNS = re.compile(r"[A-Za-z0-9]+(?:[._'-]+[A-Za-z0-9]+)*")
_RUNS = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|{_LETTERS}(?:[._'’-]+{_LETTERS})*")
_JOINTS = re.compile(r"[._-]+")
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MIXED_CASE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_ACCENTS = re.compile(r"(?<=[A-Za-z])[\u0300-\u036f]+")
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]")
_NAMED_BY_SIGNS = re.compile(r"(?<![A-Za-z0-9])(?:[Cc]\+\+|[CcFf]#)(?![A-Za-z0-9+#])")
_SPELT_OUT = {"c++": " cpp ", "c#": " csharp ", "f#": " fsharp "}
_DATE = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)(?:年|[-/.])(\d{1,2})(?:(?:月|[-/.])(\d{1,2})[日号]?|月)?(?![\d.]\d)(?!\d)"
)


def clean(text: str) -> str:
    """Return the text without what no store can hold: control characters and lone surrogates become spaces."""
    return _UNSAFE.sub(" ", text)


def _normalise(text: str) -> str:
    """Return one form of what looks the same, its case kept: full width, ligatures, accents, invisible characters."""
    text = clean(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    if "+" in text or "#" in text:
        text = _NAMED_BY_SIGNS.sub(lambda found: _SPELT_OUT[found[0].lower()], text)
    return text


def _pairs(run: str) -> Iterator[str]:
    yield from run
    for first, second in pairwise(run):
        yield first + second


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


def _words(text: str) -> Iterator[str]:
    """Walk the unstemmed terms of a text, in order."""
    text = _normalise(text)
    for found in (_ASCII_RUNS if text.isascii() else _RUNS).finditer(text):
        word = found[0]
        if found.lastgroup:
            yield from _pairs(word)
            continue
        word = word.replace("'", "").replace("’", "")
        if word.isalpha() and word[1:].islower():
            yield word.casefold()[:LONGEST_TERM]
            continue
        parts = _parts(word)
        yield from (part[:LONGEST_TERM] for part in parts)
        if len(parts) > 1:
            yield _whole(word, parts)[:LONGEST_TERM]


def _dates(text: str) -> tuple[list[str], str]:
    """Return the terms of the dates that a text names in figures, and the text without them."""
    terms: list[str] = []

    def take(found: re.Match[str]) -> str:
        year, month, day = found.groups()
        if not 1 <= int(month) <= 12:
            return found[0]
        terms.extend((year, f"{year}_{int(month):02}"))
        if day:
            terms.append(f"{year}_{int(month):02}_{int(day):02}")
        return " "

    return terms, _DATE.sub(take, text)


def former_terms(text: str) -> list[str]:
    """Return the terms that a kept text is found by, with repeats."""
    dates, rest = _dates(text)
    return [*map(stem, _words(rest)), *dates]
