"""JSON as models write it, mended by rule where only one reading is left, else refused.

Mended: fences, thoughts and prose around it, commas before a closing bracket, backslashes that escape nothing, line
breaks in texts, NaN and infinities (null), lone surrogates (a space), a list that was cut off (its whole items stand).
Refused: nothing that opens, one name with two values, what was cut off outside a list.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from hardwon.kernel.text import clean

LONGEST = 200_000
"""Characters of an answer that are read: no answer that was asked for is as long."""
MOST_STARTS = 20
"""Opening brackets that are tried: prose has few."""

_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_NO_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_CLOSING = {"{": "}", "[": "]"}
_OPENING = re.compile(r"[{\[]")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class NotJson(ValueError):
    """No value can be read, and why, as it would be told to the one who wrote it."""


def read_json(text: str) -> Any:
    """Return the object or list in an answer. Raises NotJson."""
    text = _THOUGHTS.sub(" ", text.removeprefix("\ufeff"))[:LONGEST]
    if not text.strip():
        raise NotJson("the answer is empty")
    reason = NotJson("the answer holds no JSON")
    for part in (*(found[1] for found in _FENCE.finditer(text)), text):
        try:
            return _first_value(part)
        except NotJson as error:
            reason = error
        except RecursionError:
            reason = NotJson("the JSON is nested too deeply")
    raise reason


def _first_value(text: str) -> Any:
    """Return the first value in a text; what stands in one that cannot be read is no value. Raises NotJson."""
    reason = NotJson("the answer holds no JSON")
    position = 0
    for _ in range(MOST_STARTS):
        start = _OPENING.search(text, position)
        if start is None:
            break
        extent = _extent(text, start.start())
        try:
            return _cleaned(_loaded(text, start.start(), extent))
        except NotJson as error:
            reason = error
        position = extent.end
    raise reason


@dataclass(frozen=True)
class _Extent:
    """How far a value goes."""

    end: int
    open_brackets: bool
    """It was cut off."""
    last_item: tuple[int, str] | None
    """Where the last whole item of a list ended, and the brackets that were open there."""


def _loaded(text: str, start: int, extent: _Extent) -> Any:
    """Return the value that begins there. Raises NotJson."""
    if not extent.open_brackets:
        return _strict(text[start : extent.end])
    if extent.last_item is None:
        raise NotJson("the answer was cut off")
    place, brackets = extent.last_item
    return _strict(text[start:place] + "".join(_CLOSING[each] for each in reversed(brackets)))


def _extent(text: str, start: int) -> _Extent:
    """Return how far the value goes that begins there; one whose brackets do not match ends where that shows."""
    brackets = ""
    last_item: tuple[int, str] | None = None
    position = start
    while position < len(text):
        character = text[position]
        if character == '"':
            position = _end_of_text(text, position)
            continue
        position += 1
        if character in "{[":
            brackets += character
        elif character in "}]":
            matches = _CLOSING[brackets[-1]] == character
            brackets = brackets[:-1]
            if not brackets or not matches:
                return _Extent(position, False, None)
            if brackets[-1] == "[":
                last_item = position, brackets
    return _Extent(position, True, last_item)


def _end_of_text(text: str, start: int) -> int:
    """Return the position after a text in quotation marks; the end where it is not closed."""
    found = _TEXT.match(text, start)
    return found.end() if found else len(text)


def _strict(text: str) -> Any:
    try:
        return _parsed(text)
    except json.JSONDecodeError:
        pass
    try:
        return _parsed(_mended(text))
    except json.JSONDecodeError as error:
        raise NotJson(f"the JSON is broken ({error.msg} at character {error.pos})") from None


def _parsed(text: str) -> Any:
    return json.loads(text, strict=False, object_pairs_hook=_object, parse_constant=lambda _name: None)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises NotJson for a name that has two values: nobody knows which is meant."""
    value: dict[str, Any] = {}
    for name, each in pairs:
        if name in value and value[name] != each:
            raise NotJson(f"the name “{name}” stands twice with different values")
        value[name] = each
    return value


def _mended(text: str) -> str:
    """Return it without commas before closing brackets, and with backslashes doubled that escape nothing."""
    parts = []
    position = 0
    for found in re.finditer(r'"', text):
        if found.start() < position:
            continue
        parts.append(_without_commas(text[position : found.start()]))
        position = _end_of_text(text, found.start())
        parts.append(_NO_ESCAPE.sub(lambda each: each[0] if each[1] else "\\\\", text[found.start() : position]))
    parts.append(_without_commas(text[position:]))
    return "".join(parts)


def _without_commas(text: str) -> str:
    return re.sub(r",(?=\s*[}\]])", "", text)


def _cleaned(value: Any) -> Any:
    """Return it without what no store can hold."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(each) for name, each in value.items()}
    return value
