"""Reads front matter that is written as hardwon writes it, many times faster than YAML.

It is strict: one key a line, plain or quoted text, numbers, lists and mappings in brackets, a list of edges. Whatever
it does not know for sure is left to the reader of YAML, and what it reads, that reader reads the same: a test holds
them against each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from hardwon.stores.files.notes.front_values import Field, plain_value

_TEXT = r"[^\W\d_](?:[\w ./()+'@-]*[\w./()+'@-])?"
_NUMBER = r"-?[0-9](?:[0-9A-Za-z.:+-]*[0-9A-Za-z])?"
_PLAIN = rf"{_TEXT}|{_NUMBER}"
_QUOTED = r'"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u(?!0000|[dD][89a-fA-F])[0-9a-fA-F]{4}))*"'
_LINE = re.compile(
    rf"(?P<key>[^\W\d_][\w-]{{0,99}}):(?:"
    rf" (?:(?P<plain>{_PLAIN})|(?P<quoted>{_QUOTED})|(?P<flow>[\[{{][^\n]*[\]}}]))\n"
    rf"|\n(?P<edges>(?:  - \{{[^\n]*\}}\n)+))"
)
_PART = re.compile(rf"{_QUOTED}|{_PLAIN}|, |: |[\[\]{{}}]")
_STRANGE = re.compile("[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What means something in YAML (other ends of lines, tabs) or may not be in it."""
_MOST_PARTS = 2000
_LONGEST_KEY = 200


def read_own_block(front: str, first: int) -> dict[str, Field] | None:
    """Return the keys of a block whose first line is number `first` of the file; None where YAML has to read it."""
    if _STRANGE.search(front):
        return None
    fields: dict[str, Field] = {}
    position, line = 0, first
    while position < len(front):
        found = _LINE.match(front, position)
        if found is None or found["key"] in fields:
            return None
        try:
            fields[found["key"]] = Field(_value(found), line, position, *_span(found))
        except _NotOurs:
            return None
        line += front.count("\n", position, found.end())
        position = found.end()
    return fields


class _NotOurs(Exception):
    """Something is written in another way."""


def _value(found: re.Match[str]) -> Any:
    if found["plain"] is not None:
        return plain_value(found["plain"])
    if found["quoted"] is not None:
        return json.loads(found["quoted"])
    if found["flow"] is not None:
        return _flow(found["flow"])
    return [_flow(each[len("  - ") :]) for each in found["edges"].splitlines()]


def _span(found: re.Match[str]) -> tuple[int, int]:
    """Return where a value begins and ends; YAML counts the end of its line to a list of edges."""
    if found["edges"] is not None:
        return found.start("edges") + 2, found.end()
    return found.end("key") + 2, found.end() - 1


def _flow(text: str) -> Any:
    """Return what stands in brackets. Raises _NotOurs."""
    parts = _PART.findall(text)
    if len(parts) > _MOST_PARTS or sum(map(len, parts)) != len(text):
        raise _NotOurs
    rest = iter(parts)
    value = _read(next(rest), rest)
    if next(rest, None) is not None:
        raise _NotOurs
    return value


def _read(part: str, rest: Iterator[str], depth: int = 0) -> Any:
    if depth > 20:
        raise _NotOurs
    if part == "[":
        return _list(rest, depth)
    if part == "{":
        return _mapping(rest, depth)
    if part in ("]", "}", ", ", ": "):
        raise _NotOurs
    return json.loads(part) if part[0] == '"' else plain_value(part)


def _list(rest: Iterator[str], depth: int) -> list[Any]:
    values: list[Any] = []
    part = _next(rest)
    if part == "]":
        return values
    while True:
        values.append(_read(part, rest, depth + 1))
        if (after := _next(rest)) == "]":
            return values
        if after != ", ":
            raise _NotOurs
        part = _next(rest)


def _mapping(rest: Iterator[str], depth: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    part = _next(rest)
    if part == "}":
        return values
    while True:
        if part in ("[", "{", "]", "}", ", ", ": ") or len(part) > _LONGEST_KEY or _next(rest) != ": ":
            raise _NotOurs
        key = json.loads(part) if part[0] == '"' else part
        if key in values:
            raise _NotOurs
        values[key] = _read(_next(rest), rest, depth + 1)
        if (after := _next(rest)) == "}":
            return values
        if after != ", ":
            raise _NotOurs
        part = _next(rest)


def _next(rest: Iterator[str]) -> str:
    part = next(rest, None)
    if part is None:
        raise _NotOurs
    return part
