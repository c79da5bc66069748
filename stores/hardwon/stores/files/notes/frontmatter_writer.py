"""Writes front matter: a whole block for a new file, single lines of a file that exists.

Whatever a person or another tool put into a file stays byte for byte: only the values of changed keys are replaced, in
place. A key that is new comes last, a key that goes takes its lines with it, comments above it stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from hardwon.kernel.cleaning import with_plain_line_ends
from hardwon.kernel.errors import InvalidInput
from hardwon.stores.files.notes.front_values import Field
from hardwon.stores.files.notes.frontmatter import MarkdownFile

_PLAIN = re.compile(r"[^\W\d_][\w ./()+'@-]*(?<! )")
_AMBIGUOUS = re.compile(r"(?i)(?:y|n|yes|no|on|off|true|false|null|none|nan|inf)")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PLAIN_KEY = re.compile(r"[^\W\d_][\w-]*")


def write_block(values: Mapping[str, Any], newline: str = "\n") -> str:
    """Return a block with its two fences, one key a line."""
    return newline.join(["---", *(_line(key, value, newline) for key, value in values.items()), "---", ""])


def scalar(value: Any) -> str:
    """Return a value on one line, so that any YAML reader takes it for what it is."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and not _AMBIGUOUS.fullmatch(value):
            return value
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))}: {_in_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_in_flow(each) for each in value) + "]"
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return f'"{value}"'
    return json.dumps(value)


def _quoted(text: str) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _in_flow(value: Any) -> str:
    """Return a value inside brackets, where a comma would end plain text."""
    return scalar(value)


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) and not _AMBIGUOUS.fullmatch(key) else _quoted(key)


def _line(key: str, value: Any, newline: str) -> str:
    """Return `key: value`; a list of mappings takes a line for each of them."""
    if isinstance(value, list | tuple) and value and all(isinstance(each, Mapping) for each in value):
        return newline.join([f"{_key(key)}:", *(f"  - {scalar(each)}" for each in value)])
    return f"{_key(key)}: {scalar(value)}"


def change(file: MarkdownFile, values: Mapping[str, Any], body: str | None = None) -> bytes:
    """Return the file's bytes with some keys changed (None takes a key out) and, if given, another body.

    A file without front matter gets a block above its text. Raises InvalidInput for front matter written in braces.
    """
    if not file.has_front_matter:
        block = write_block({key: value for key, value in values.items() if value is not None}, file.newline)
        text = block + "".join(file.lines)
    else:
        front = "".join(file.lines[file.first : file.last])
        changed = _change_front(file, front, values)
        text = "".join((*file.lines[: file.first], changed, *file.lines[file.last :]))
    if body is not None:
        text = _replace_body(file, text, body)
    return (file.mark + text).encode("utf-8")


def _replace_body(file: MarkdownFile, text: str, body: str) -> str:
    old = "".join(file.lines[file.last + 1 if file.has_front_matter else 0 :])
    head = text[: len(text) - len(old)]
    if not head.endswith(("\n", "\r")):
        head += file.newline
    return head + (body if file.newline == "\n" else body.replace("\n", file.newline))


def _change_front(file: MarkdownFile, front: str, values: Mapping[str, Any]) -> str:
    if file.in_braces and values:
        raise InvalidInput("Its front matter is written in braces; write one key a line, then repeat the change.")
    plain = with_plain_line_ends(front)
    same_ends = "\r" not in front
    appended: list[str] = []
    edits: list[tuple[int, int, str]] = []
    for key, value in values.items():
        field = file.fields.get(key)
        if field is None:
            if value is not None:
                appended.append(_line(key, value, "\n"))
        else:
            edits.append(_edit(plain, field, key, value))
    pieces = _Original(front, plain, same_ends, file.newline)
    return pieces.edited(edits, appended)


def _edit(plain: str, field: Field, key: str, value: Any) -> tuple[int, int, str]:
    """Return what to replace (from, to, by) in the front matter's text, LF alone."""
    start, end = field.value_start, _value_end(plain, field)
    on_key_line = "\n" not in plain[field.key_start : end]
    if value is None:
        return (field.key_start, _line_end(plain, end), "")
    written = _line(key, value, "\n")
    if on_key_line and "\n" not in written:
        if start == end:  # `key:` alone; the value begins behind the colon
            colon = plain.index(":", field.key_start + _key_length(plain, field)) + 1
            return (colon, colon, " " + scalar(value))
        return (start, end, scalar(value))
    return (field.key_start, _line_end(plain, end), written + "\n")


def _key_length(plain: str, field: Field) -> int:
    quote = plain[field.key_start]
    if quote in "\"'":
        return plain.index(quote, field.key_start + 1) + 1 - field.key_start
    return 0


def _value_end(plain: str, field: Field) -> int:
    """Return where the value ends; YAML counts the blank lines and comments below a block to it, we do not."""
    end = max(field.value_end, field.value_start)
    while True:
        line_start = plain.rfind("\n", 0, end) + 1
        line = plain[line_start:end]
        if line_start > field.value_start and (not line.strip() or line.startswith("#")):
            end = line_start - 1
        else:
            return end


def _line_end(plain: str, position: int) -> int:
    if position and plain[position - 1] == "\n":
        return position
    end = plain.find("\n", position)
    return len(plain) if end < 0 else end + 1


class _Original:
    """The front matter's text with its own line ends, edited at positions that were counted with LF alone."""

    def __init__(self, front: str, plain: str, same_ends: bool, newline: str) -> None:
        self._front = front
        self._newline = newline
        self._plain_length = len(plain)
        self._offsets = None if same_ends else self._count(front)

    @staticmethod
    def _count(front: str) -> list[int]:
        """Return, for each position with LF alone, the position in the original."""
        offsets = []
        position = 0
        while position < len(front):
            offsets.append(position)
            position += 2 if front.startswith("\r\n", position) else 1
        return [*offsets, len(front)]

    def _at(self, position: int) -> int:
        return position if self._offsets is None else self._offsets[position]

    def _own(self, text: str) -> str:
        return text if self._newline == "\n" else text.replace("\n", self._newline)

    def edited(self, edits: list[tuple[int, int, str]], appended: list[str]) -> str:
        pieces = []
        position = 0
        for start, end, by in sorted(edits):
            pieces += [self._front[position : self._at(start)], self._own(by)]
            position = self._at(end)
        pieces.append(self._front[position:])
        return "".join(pieces) + "".join(self._own(line + "\n") for line in appended)
