"""Patterns that are compiled on first use, and cheap looks for the places where trying one is worth the time.

Standard library, `re` alone, since the hook program carries it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORTEST = 16
"""Characters of the shortest secret that is told by its prefix."""
_TABLE = bytes(120 if (byte < 128 and chr(byte).isalnum()) or byte in b"_-" else 32 for byte in range(256))
"""Makes every character that stands in tokens an `x`, and every other one a blank."""
_ACROSS_LINES = bytes(10 if byte in b"\r\n" else _TABLE[byte] for byte in range(256))
"""The same, with line breaks, which may have cut a token."""
_lowered_last = ("", "")
"""A text and what it is in small letters: several ask for it, one after the other."""
_compiled: dict[str, re.Pattern[str]] = {}


def pattern(text: str) -> re.Pattern[str]:
    r"""Return a compiled pattern in which `\w` and `\d` are of ASCII; most texts need none."""
    if text not in _compiled:
        _compiled[text] = re.compile(f"(?a){text}")
    return _compiled[text]


def lowered(text: str) -> str:
    """Return the text in small ASCII letters, each where it stood; `?` stands for every other character."""
    global _lowered_last
    known, small = _lowered_last
    if known is not text:
        small = text.encode("ascii", "replace").decode("ascii").lower()
        _lowered_last = text, small
    return small


def places(text: str, word: str) -> Iterator[int]:
    """Walk the places of a word."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def runs(text: str, shortest: int = SHORTEST, *, across_lines: bool = False) -> Iterator[tuple[int, int]]:
    """Walk the runs of ASCII letters, digits, `_` and `-` of at least so many characters."""
    shape = text.encode("ascii", "replace")
    shape = _joined(shape) if across_lines else shape.translate(_TABLE)
    long = b"x" * shortest
    place = shape.find(long)
    while place >= 0:
        end = shape.find(b" ", place)
        end = len(shape) if end < 0 else end
        yield shape.rfind(b" ", 0, place) + 1, end
        place = shape.find(long, end)


def _joined(text: bytes) -> bytes:
    """Return the shape of a text in which what a line break brings along, a backslash and an indent, is in the token.

    Without a pattern, since the hook program would have to import `re` for it.
    """
    shape = bytearray(text.replace(b"\\\n", b"\n\n").replace(b"\\\r\n", b"\n\n\n").translate(_ACROSS_LINES))
    place = shape.find(b"\n ")
    while place >= 0:
        end = shape.find(b"x", place)
        if end < 0:
            break
        if shape[max(place - 1, 0)] != 32 and not shape[place + 1 : end].strip(b" "):
            shape[place:end] = b"\n" * (end - place)
        place = shape.find(b"\n ", end)
    return bytes(shape.replace(b"\n", b"x"))
