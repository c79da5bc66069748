"""JSON by the C half of `json` alone: the Python half imports `re` and costs more than the interpreter's start.

Type checkers know the C half as `json` calls it, with objects of its own where a class or a number does as well.
"""

from __future__ import annotations

from typing import Any

_SPACES = " \t\n\r"


class _Rules:
    """What the scanner reads its rules from: those of `json.loads`, but that texts may hold control characters."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        """Return what NaN, Infinity or -Infinity means."""
        return float(name.replace("Infinity", "inf"))


def first_value(text: str) -> tuple[Any, int]:
    """Return the first JSON value of a text and where it ends. Raises ValueError where there is no whole value."""
    start = len(text) - len(text.lstrip(_SPACES))
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the C half
        from json import JSONDecoder

        return JSONDecoder(strict=False).raw_decode(text, start)
    try:
        return make_scanner(_Rules)(text, start)  # type: ignore[arg-type]
    except (StopIteration, RecursionError, SystemError):  # the last where nobody imported json's own error
        raise ValueError("there is no whole value") from None


def dumps(value: Any) -> str:
    """Return a value as JSON in ASCII: lone surrogates are escaped, so that any text can be written."""
    try:
        from _json import encode_basestring_ascii, make_encoder
    except ImportError:
        import json

        return json.dumps(value)
    encode: Any = make_encoder(None, None, encode_basestring_ascii, None, ": ", ", ", False, False, True)  # type: ignore[arg-type]
    return "".join(encode(value, 0))


def loads(text: str) -> Any:
    """Return the value that a text holds. Raises ValueError where it holds none, or more than one."""
    value, end = first_value(text)
    if text[end:].strip(_SPACES):
        raise ValueError("there is more than one value")
    return value
