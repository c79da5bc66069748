"""Finds and masks secrets of known formats, and drops what is marked as private: before anything is kept, even spooled.

Standard library, `re` alone, for the hook program carries this module with its four `secret_…` neighbours. What has no
format of its own (a random key in prose) is for the Redactor of the settings. A text without secrets costs some
milliseconds a megabyte: a pattern is tried only where a cheap look found what it always begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardwon.kernel.secret_assignments import assigned, in_headers
from hardwon.kernel.secret_formats import PREFIXED, SHAPED
from hardwon.kernel.secret_patterns import pattern, places, runs
from hardwon.kernel.secret_values import has_long, is_code, is_mixed, is_placeholder, is_random

Secret = tuple[int, int, str]
"""Where a secret begins and ends, and its sort."""

MARK = r"\[redacted: [A-Za-z0-9][A-Za-z0-9 -]{1,40}\]"
"""What stands in place of a secret, as a pattern."""
NO_WIDTH = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
"""A character that nobody sees and the index of words leaves out (`hardwon.kernel.text`), as a pattern."""


_WIDE = {ord(plain) + 0xFEE0: plain for plain in "+-./0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"}
"""What keys are made of, as wide as Chinese characters are: search takes one for the other. The commas and colons of
Chinese sentences are no part of a key and stay what they are."""


def mask_known(text: str) -> str:
    """Return the text with `[redacted: SORT]` in place of each secret of a known format; twice changes nothing more."""
    while secrets := find_known(text):
        text = masked(text, secrets)
    return text


def find_known(text: str) -> list[Secret]:
    """Return the secrets of known formats, in order, none overlapping another, none inside a mark."""
    return as_read(text, _known)


def as_read(text: str, find: Callable[[str], list[Secret]]) -> list[Secret]:
    """Return what is found in a text as people and search read it: no character has no width, or is wide."""
    if text.isascii():
        return find(text)
    if pattern("[＋－．／０-９＝Ａ-Ｚ＿ａ-ｚ]").search(text):
        text = text.translate(_WIDE)
    unseen = {found.start() for found in pattern(NO_WIDTH).finditer(text)}
    if not unseen:
        return find(text)
    places = [at for at in range(len(text)) if at not in unseen]
    found = find("".join(text[at] for at in places))
    return [(places[start], places[end - 1] + 1, sort) for start, end, sort in found]


def _known(text: str) -> list[Secret]:
    found = [*_private_keys(text), *_prefixed(text), *_shaped(text), *in_headers(text), *assigned(text)]
    return settled(text, found) if found else []


def settled(text: str, found: list[Secret]) -> list[Secret]:
    """Return secrets in order, overlapping ones as one, of the sort that stands first in the list; marks are spared."""
    ranked = sorted((start, end, rank, sort) for rank, (start, end, sort) in enumerate(found) if start < end)
    marks = [mark.span() for mark in pattern(MARK).finditer(text)] if "[redacted: " in text else []
    result: list[tuple[int, int, int, str]] = []
    for start, end, rank, sort in ranked:
        if any(start < stop and begin < end for begin, stop in marks):
            continue
        if result and start < result[-1][1]:
            first = result.pop()
            rank, sort = min((first[2], first[3]), (rank, sort))
            start, end = first[0], max(first[1], end)
        result.append((start, end, rank, sort))
    return [(start, end, sort) for start, end, _, sort in result]


def masked(text: str, secrets: list[Secret]) -> str:
    """Return the text with a mark in place of each secret; they are in order and do not overlap."""
    parts, last = [], 0
    for start, end, sort in secrets:
        parts += [text[last:start], f"[redacted: {sort}]"]
        last = end
    return "".join([*parts, text[last:]])


def without_private(text: str) -> str:
    """Return the text without `<private>…</private>`; nested ones go whole, one that is not closed to the end."""
    while "<private" in text.lower() and (left := _without_private(text)) != text:
        text = left
    return text


def _without_private(text: str) -> str:
    kept, depth, last = [], 0, 0
    for tag in pattern(r"(?i:<(/?)private(?:\s[^<>]*)?>)").finditer(text):
        if not depth and not tag[1]:
            kept.append(text[last : tag.start()])
        closes = depth == 1 and tag[1]
        depth = max(0, depth - 1) if tag[1] else depth + 1
        last = tag.end() if closes else last
    return "".join(kept) + ("" if depth else text[last:])


_FORMATS = {prefix: (sort, least, shape) for sort, prefixes, least, shape in PREFIXED for prefix in prefixes.split()}
_LONGEST_PREFIX = max(map(len, _FORMATS))
SHORTEST_TAIL = min(least for _, _, least, _ in PREFIXED)
"""Characters that follow a prefix at least, in this line or, where a line break cut them off, in the next."""
_BY_FIRST = {prefix[0]: [each for each in _FORMATS if each[0] == prefix[0]] for prefix in _FORMATS}
"""Tried by their first character, a pattern of a hundred beginnings takes a third of the time."""
PREFIXES = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?<!sha\d\d\d[=:-])(?:{})".format(
    "|".join(
        rf"{first}(?:{'|'.join(each[1:].replace('.', '[.]') for each in sorted(prefixes, key=len, reverse=True))})"
        for first, prefixes in _BY_FIRST.items()
    )
)
"""A pattern of what secrets begin with that are told by that."""
ANCHORS = ("PRIVATE KEY", "Private-Lines", *SHAPED)
"""What always stands in a secret that is told by its whole shape."""


def _prefixed(text: str) -> Iterator[Secret]:
    """Walk the secrets that are told by what they begin with."""
    last = 0
    for start, end in runs(text, across_lines=True):
        for found in pattern(PREFIXES).finditer(text, max(start - _LONGEST_PREFIX, last), end):
            if found.start() < last:
                continue
            sort, least, shape = _FORMATS[found[0]]
            stop = _tail(text, found.end(), least)
            if _fits(text[found.end() : stop], least, shape):
                yield found.start(), stop, sort
                last = stop


def _tail(text: str, start: int, least: int) -> int:
    """Return where the characters of a token end; those that a line break cut off are its own, if they look so."""
    end = start
    if found := pattern(r"[\w-]+(?:\.[\w-]+)*=*").match(text, start):
        end = found.end()
    while wrapped := pattern(r"\\?\r?\n[ \t]*([\w-]{2,}(?:\.[\w-]+)*)(?![\w-])").match(text, end):
        rest = wrapped[1]
        complete = len("".join(text[start:end].split())) >= least
        word = rest.isalpha() and (rest.islower() or rest.istitle())
        if word or (complete and not (is_mixed(rest) and is_random(rest))):
            break
        end = wrapped.end()
    return end


def _fits(tail: str, least: int, shape: str) -> bool:
    tail = "".join(tail.split()).replace("\\", "")
    if len(tail) < least or is_placeholder(tail):
        return False
    if shape == "mixed":
        return is_mixed(tail)
    if shape == "random":
        return is_mixed(tail) and is_random(tail)
    if shape == "long":
        return has_long(tail)
    return not shape or pattern(shape).fullmatch(tail) is not None


def _shaped(text: str) -> Iterator[Secret]:
    """Walk the secrets that are told by the whole of their shape."""
    for anchor, formats in SHAPED.items():
        for place in places(text, anchor) if anchor in text else ():
            for sort, back, shape in formats:
                found = pattern(shape).match(text, max(0, place - back))
                if found and not is_placeholder(found[1]) and not is_code(found[1]):
                    yield *found.span(1), sort


_BEGIN = r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_END = r"-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_BODY = r"(?:(?:\\[nr]|[\s\"'+,>|#])*(?:[\w-]+: [^\n\\]*(?=\\|\n)|[A-Za-z0-9+/=]{4,}))+"


def _private_keys(text: str) -> Iterator[Secret]:
    """Walk private keys: whole blocks, and the halves that a shortened text has left of them."""
    if "PRIVATE KEY" not in text and "Private-Lines" not in text:
        return
    last = 0
    for found in pattern(rf"{_BEGIN}|Private-Lines: \d+").finditer(text):
        if found.start() < last:
            continue
        close = pattern(_END).search(text, found.end())
        body = pattern(_BODY).match(text, found.end())
        stop = body.end() if body else found.end()
        if close and not pattern(_BEGIN).search(text, found.end(), close.start()):
            stop = close.end()
        if pattern(r"[A-Za-z0-9+/=]{16}").search(text, found.end(), stop):
            yield found.start(), stop, "private key"
            last = stop
    yield from _ends_of_private_keys(text, last)


def _ends_of_private_keys(text: str, last: int) -> Iterator[Secret]:
    """Walk what is left of private keys whose beginning was cut off."""
    for found in pattern(_END).finditer(text, last):
        start = found.start()
        while line := pattern(r"[A-Za-z0-9+/=]{8,100}(?:\\[nr]|\s)*$").search(text, max(last, start - 110), start):
            start = line.start()
        if start < found.start():
            yield start, found.end(), "private key"
