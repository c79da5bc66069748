"""A text as it is compared: concepts in their order, values in one form, what it denies.

Words become concepts of the lexicon, others their stems; unknown Chinese falls into characters. What the text itself
turns down (“instead of tabs”, 而不是制表符) is no part of what it says and is kept apart.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hardwon.kernel.sameness import values
from hardwon.kernel.sameness.identities import IDENTITY
from hardwon.kernel.sameness.vocabulary import vocabulary
from hardwon.kernel.stemming import stem
from hardwon.kernel.text import clean

Sort = Literal["word", "name", "value", "identity", "light", "connector"]

_HAN = "\u3400-\u9fff"
_PIECES = re.compile(
    rf"(?P<date>\d{{4}}-\d{{1,2}}-\d{{1,2}})|(?P<clock>{values.CLOCK})"
    rf"|(?P<identity>{IDENTITY})"
    r"|(?P<flag>(?<!\w)--?[A-Za-z][\w-]*)"
    r"|(?P<path>(?:~|\.{1,2})?/[\w.@~-]+(?:/[\w.@~-]*)*|\b[\w.@-]+(?:/[\w.@-]+)+"
    r"|\b[\w-]+\.(?:md|toml|ya?ml|json|ini|cfg|txt|py|js|ts|go|rs|sh|env|lock|sql|xml|html|css)\b)"
    r"|(?P<version>\bv\d+(?:\.\d+)*\b|\b\d+\.\d+(?:\.\d+)*(?![\w.]))"
    r"|(?P<number>\d+(?:[,_]\d{3})*(?:\.\d+)?)"
    r"|(?P<word>[#@$]?[A-Za-z][A-Za-z0-9_]*(?:[-'’+.][A-Za-z0-9_+]+)*[+#]*)"
    rf"|(?P<han>(?:(?!{IDENTITY})[{_HAN}])+)"
    r"|(?P<percent>%)"
    r"|(?P<end>[.;:!?,，。；：！？、()（）\n])"
)
_CHANGE = re.compile(
    r"\b(?:from now on|no longer|any ?more|instead of|switch(?:ed|ing)? (?:\w+ ){0,4}?(?:to|from)|"
    r"moved? (?:\w+ ){0,3}?from|"
    r"migrated? (?:\w+ ){0,3}?(?:to|from)|replac(?:e|es|ed) (?:\w+ ){1,4}?(?:with|by)|changed? (?:\w+ ){0,4}?to|"
    r"i(?:'ve| have)? changed my mind|as of (?:today|now)|going forward|not .{1,30} but)\b"
    r"|从现在起|从今以后|从今天起|以后都?|今后|改为|改成|改用|换成|换用|不再|切换到|迁移到|而不是|取代|代替",
    re.IGNORECASE,
)
_CHANGE_ALONE = re.compile(
    r"\b(?:from now on|going forward|as of (?:today|now)|i(?:'ve| have)? changed my mind)\b[:,]?"
    r"|从现在起|从今以后|从今天起|今后|以后都",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"^\W*(?:i |we |the \w+ )?(?:merged|fixed|released|deployed|closed|opened|upgraded|finished|completed|shipped|met|"
    r"reviewed|published|rolled back|reverted|tagged|bumped)\b"
    r"|^\W*(?:我们?)?(?:合并|修复|发布|部署|关闭|升级|完成|回滚)了",
    re.IGNORECASE,
)
_NOT = re.compile(r"n['’]t$", re.IGNORECASE)
_END = r"(?P<denied>[^.;,，。；]*?)(?=\b(?:for|in|to|when|as|on)\b|[.;,，。；]|$)"
_DENIALS = re.compile(
    r"(?:\b(?:instead of|rather than|and not)\b"
    r"|(?<=[^.;,，。；])[,，;；]\s*(?:and )?(?:not|no longer|不再使用|不再用|不再|不用|不是)"
    rf"|而不是|而非)\s*{_END}",
    re.IGNORECASE,
)
"""What a text turns down; “no longer” and 不再 in a clause of their own, else they negate the whole."""
_MOVED = re.compile(r"\b(?:switch|mov|migrat|chang)\w*|换成|改成|改为|改用|切换|迁移", re.IGNORECASE)
_MOVED_FROM = re.compile(
    r"\bfrom (?P<denied>[^.;,]{1,60}?) (?=to\b)|从(?P<from>[^。；，]{1,20}?)(?=换成|改成|改为|改用|切换到|迁移到|换到)",
    re.IGNORECASE,
)
_CLOCK = re.compile(values.CLOCK)
_OVER = re.compile(r"\bover (?P<denied>[^.;,]*?)(?=\b(?:for|in|to|when|as|on)\b|[.;,]|$)", re.IGNORECASE)
_PREFERS = re.compile(r"\b(?:prefer|favou?r|choose|pick)", re.IGNORECASE)
_SWITCHED = re.compile(r"\b(on|off)\b(?=\s*(?:by default)?\s*(?:[.;,!]|$))", re.IGNORECASE)
_STATES = {"on": "enabled", "off": "disabled"}
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets?)\s+(?:\w+ly\s+)?\w+(?:ed|en|un|lt|nt|ept|eld)\b|由|被|把", re.IGNORECASE
)
_WORDS_FOR_VALUES = values.NUMBER_WORDS.keys() | values.WEEKDAYS.keys() | values.MONTHS.keys()
_POSSESSIVE = re.compile(r"['’]s?$")
_ARTICLES = frozenset(("the", "a", "an", "our", "your", "thi", "that"))


@dataclass(frozen=True, slots=True)
class Token:
    """One thing that a text says."""

    form: str
    """Equal for what means the same."""
    sort: Sort
    shown: str
    """As the text has it."""
    dimension: str = ""
    """Of a value: number, time, size, date, path, … Two of one dimension exclude each other."""
    before: str = ""
    """The form of what stands before it, light words too."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says."""

    tokens: tuple[Token, ...]
    """In order, without light words and negations."""
    is_negated: bool
    denied: frozenset[str]
    """The concepts that it turns down in favour of others."""
    changes_mind: bool
    tells_event: bool
    is_passive: bool

    @property
    def content(self) -> dict[str, Token]:
        """Return what it says by form, connectors apart."""
        return {token.form: token for token in self.tokens if token.sort != "connector"}


@functools.lru_cache(maxsize=5000)
def read(said: str) -> Reading:
    """Read a text; any text at all is safe."""
    text = _SWITCHED.sub(lambda found: _STATES[found[1].lower()], _CHANGE_ALONE.sub(" ", clean(said)))
    turned_down = [found["denied"] for found in _DENIALS.finditer(text)]
    if _PREFERS.search(text):
        turned_down += [found["denied"] for found in _OVER.finditer(text)]
        text = _OVER.sub(" ", text)
    if _MOVED.search(text):
        turned_down += [found["denied"] or found["from"] or "" for found in _MOVED_FROM.finditer(text)]
        text = _MOVED_FROM.sub(" ", _MOVED.sub(" ", text))
    denied = {token.form for each in turned_down for token in _tokens(each) if token.sort not in ("light", "connector")}
    rest = _DENIALS.sub(" ", text)
    tokens: list[Token] = []
    negations = 0
    before = ""
    for token in _tokens(rest):
        if token.form in vocabulary().negations:
            negations += 1
        elif token.sort != "light":
            tokens.append(Token(token.form, token.sort, token.shown, token.dimension, before))
        before = before if token.form in _ARTICLES else token.form
    return Reading(
        tokens=tuple(tokens),
        is_negated=negations % 2 == 1,
        denied=frozenset(denied - {token.form for token in tokens}),
        changes_mind=_CHANGE.search(said) is not None,
        tells_event=_EVENT.search(said) is not None,
        is_passive=_PASSIVE.search(said) is not None,
    )


def _tokens(text: str) -> Iterator[Token]:
    """Walk everything that a text says, light words too."""
    yield from _with_phrases(list(_pieces(text)))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Walk the pieces of a text with their sorts; Chinese is cut into known words and single characters."""
    for found in _PIECES.finditer(text):
        sort, piece = found.lastgroup or "", found[0]
        if sort == "han":
            yield from _chinese(piece)
        elif sort != "end":
            yield sort, piece


def _chinese(run: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(run):
        figures = re.match(f"[{values.CHINESE_NUMBER}]+", run[place:])
        date = re.match(
            rf"[{values.CHINESE_NUMBER}]+月(?:[{values.CHINESE_NUMBER}]+[日号])?|(?:周|星期|礼拜)[一二三四五六日天]",
            run[place:],
        )
        clock = _CLOCK.match(run, place)
        if date:
            yield "date", date[0]
            place += len(date[0])
        elif clock:
            yield "clock", clock[0]
            place += len(clock[0])
        elif figures and _is_counted(run[place + len(figures[0]) :]):
            yield "number", figures[0]
            place += len(figures[0])
        else:
            word = _longest(run, place)
            if re.match("[一二三四五六日天]", run[place + len(word) :]) and word.endswith(("周", "星期", "礼拜")):
                word = run[place]  # 每周二 is a day, and not every week
            yield "han", word
            place += len(word)


def _is_counted(rest: str) -> bool:
    return rest.startswith((*values.MEASURES, "空格"))


def _longest(run: str, place: int) -> str:
    known = vocabulary()
    for length in range(min(known.longest_chinese, len(run) - place), 1, -1):
        word = run[place : place + length]
        if word in known.chinese or word in values.MEASURES:
            return word
    return run[place]


def _with_phrases(pieces: list[tuple[str, str]]) -> Iterator[Token]:
    stems = [_stemmed(piece) if sort == "word" else "" for sort, piece in pieces]
    place = 0
    while place < len(pieces):
        token, taken = _phrase(pieces, stems, place) or _value(pieces, place) or (_single(*pieces[place]), 1)
        yield token
        place += taken


def _phrase(pieces: list[tuple[str, str]], stems: list[str], place: int) -> tuple[Token, int] | None:
    """Return the longest phrase of the lexicon that begins here, and its number of words."""
    known = vocabulary()
    longest = known.longest_phrases.get(stems[place], 0) if stems[place] else 0
    for length in range(min(longest, len(pieces) - place), 0, -1):
        if length == 1 and pieces[place][1].lower() in _WORDS_FOR_VALUES:
            continue
        concept = known.english.get(tuple(stems[place : place + length]))
        if concept is not None:
            shown = " ".join(piece for _, piece in pieces[place : place + length])
            return Token(concept, _sort(concept), shown), length
    return None


def _sort(concept: str) -> Sort:
    known = vocabulary()
    return "light" if concept in known.light else "connector" if concept in known.connectors else "word"


def _stemmed(word: str) -> str:
    return stem(_POSSESSIVE.sub("", word.lower()))


def _value(pieces: list[tuple[str, str]], place: int) -> tuple[Token, int] | None:
    """Return the number that begins here with its unit, and how many pieces it takes."""
    sort, piece = pieces[place]
    following = pieces[place + 1][1] if place + 1 < len(pieces) else ""
    number = _number(sort, piece)
    if number is None or (piece.lower() in ("one", "time", "once") and not values.is_unit(following)):
        return None
    known = values.measured(number, following) if following else None
    if known is not None and known[0] != "count":
        dimension, amount = known
        return Token(f"{amount:g} {dimension}", "value", f"{piece} {following}", dimension), 2
    return Token(f"{number:g}", "value", piece, "number"), 2 if known else 1


def _number(sort: str, piece: str) -> float | None:
    if sort == "number":
        try:
            return float(re.sub("[,_]", "", piece))
        except ValueError:
            return values.chinese_number(piece)
    return values.NUMBER_WORDS.get(piece.lower()) if sort == "word" else None


def _single(sort: str, piece: str) -> Token:
    lowered = piece.lower()
    if sort == "date" or lowered in values.WEEKDAYS or lowered in values.MONTHS:
        return Token(_date(lowered), "value", piece, "date")
    if sort == "clock":
        return Token(values.time_of_day(piece) or lowered, "value", piece, "time of day")
    if sort == "identity":
        return Token(re.sub(r"\s", "", lowered), "identity", piece)
    if sort == "version":
        return Token(lowered.removeprefix("v"), "value", piece, "number")
    if sort == "path":
        return Token(piece.rstrip("/"), "value", piece, "path")
    if sort == "flag":
        return Token(piece, "name", piece)
    if sort == "han":
        concept = vocabulary().chinese.get(piece, piece)
        return Token(concept, _sort(concept), piece)
    if _NOT.search(piece):
        return Token("not", "word", piece)
    return Token(_stemmed(piece).replace("-", ""), "name" if _is_name(piece) else "word", piece)


def _date(text: str) -> str:
    known = values.WEEKDAYS.get(text, values.MONTHS.get(text))
    return values.day_of(text) or (
        f"{text}" if known is None else f"{'day' if text in values.WEEKDAYS else 'month'} {known}"
    )


def _is_name(word: str) -> bool:
    """Tell whether a word looks like a name wherever it stands: marks, figures or capitals inside it."""
    return bool(re.search(r"[_#@$+.\d]|[a-z][A-Z]|^[A-Z]{2,}", word))
