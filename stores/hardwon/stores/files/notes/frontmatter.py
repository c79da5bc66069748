"""Reads a Markdown file: where its front matter stands, what each key says, and what is text.

The file is never put together again from what was read: `frontmatter_writer` changes single lines of the original. So
this module keeps positions, and values as far as they mean something to a program. Rules, each of them tested:

- UTF-8, with or without a byte order mark; lines end with LF, CRLF or CR. Anything else (UTF-16, Latin-1, a NUL, a
  file without any text) is unreadable.
- Front matter begins with `---` on the first line that is not blank and ends with `---` or `...`. What stands between
  is front matter only if it is a YAML mapping: `---` used as a rule above a text is part of the text.
- YAML that does not parse, a key given twice, a `---` followed by `key: value` that is never closed, a second block
  below a first one that is not ours, and unresolved merge conflicts are unreadable.
- Plain values are text unless reading them as something else loses nothing: `no`, `1.10`, `012345`, `1e5`, `10:00` and
  dates stay text; `12`, `0.5`, `true`, `null` do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from hardwon.kernel.cleaning import with_plain_line_ends
from hardwon.kernel.errors import UnreadableFile
from hardwon.stores.files.notes.front_values import Field, plain_value
from hardwon.stores.files.notes.own_block import read_own_block

BYTE_ORDER_MARK = "\ufeff"
FORMAT_KEY = "hardwon"
LITERAL_CONFLICT_KEY = "literal_conflict_markers"

_OPEN, _CLOSE = "---\n", "\n---\n"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_KEY_LINE = re.compile(r"[\w\"'][^:#\n]*:(\s|\Z)")
_FENCE = re.compile(r"(?:^|\n) {0,3}(```+|~~~+).*?(?:\n {0,3}\1[`~]*[ \t]*(?=\n|\Z)|\Z)", re.DOTALL)
_CONFLICT = re.compile(r"^<<<<<<< .*?^=======$.*?^>>>>>>> ", re.DOTALL | re.MULTILINE)

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # a PyYAML built without libyaml reads the same, slower
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]


@dataclass(frozen=True)
class MarkdownFile:
    """A file taken apart; `head + front + fence + body` is the file without its byte order mark, with LF alone."""

    mark: str
    """The byte order mark, or empty."""
    newline: str
    """What most lines end with."""
    text: str
    """All of it, without the byte order mark."""
    first: int
    """Index of the first line inside the front matter; 0 with `last` 0 when there is none."""
    last: int
    """Index of the line that closes the front matter."""
    fields: Mapping[str, Field]
    in_braces: bool = False
    """The mapping is written as `{…}`, where no single line can be changed."""

    @property
    def has_front_matter(self) -> bool:
        """Tell whether there is a block."""
        return self.last > 0

    body_at: int | None = None
    """Where the body begins in the text, if that is known and every line ends with LF."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return all lines with their own ends, without the byte order mark."""
        return _lines(self.text)

    @cached_property
    def body(self) -> str:
        """Return the text below the front matter, with LF alone."""
        if self.body_at is not None:
            return self.text[self.body_at :]
        start = self.last + 1 if self.has_front_matter else 0
        return with_plain_line_ends("".join(self.lines[start:]))

    @property
    def is_ours(self) -> bool:
        """Tell whether hardwon wrote the front matter, or took it over."""
        return FORMAT_KEY in self.fields

    def refuse_newer(self, version: int, path: str) -> None:
        """Raise UnreadableFile for a file in a newer format than `version`."""
        found = self.fields.get(FORMAT_KEY)
        if found is not None and isinstance(found.value, int) and found.value > version:
            raise UnreadableFile(path, "a newer hardwon wrote it; upgrade hardwon", found.line)

    def values(self) -> dict[str, Any]:
        """Return the values by key, in the file's order."""
        return {key: field.value for key, field in self.fields.items()}


def decode(data: bytes, path: str) -> str:
    """Return the text of a file. Raises UnreadableFile."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(path, "it is UTF-16; save it as UTF-8", 1)
    if b"\0" in data:
        raise UnreadableFile(path, "it holds NUL bytes", data.count(b"\n", 0, data.index(b"\0")) + 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(path, "it is not UTF-8; save it as UTF-8", line) from None
    if not text.strip(BYTE_ORDER_MARK + " \t\r\n"):
        raise UnreadableFile(path, "it is empty", 1)
    return text


def parse(data: bytes, path: str) -> MarkdownFile:
    """Take a file apart. Raises UnreadableFile with the line."""
    text = decode(data, path)
    return _parse_own(text) or _parse_any(text, path)


def _parse_own(text: str) -> MarkdownFile | None:
    """Take a file apart that is written as hardwon writes it; None for any other."""
    if not text.startswith(_OPEN) or "\r" in text:
        return None
    end = text.find(_CLOSE, len(_OPEN) - 1) + 1
    fields = read_own_block(text[len(_OPEN) : end], 2) if end else None
    if fields is None or FORMAT_KEY not in fields:
        return None
    if LITERAL_CONFLICT_KEY not in fields and has_conflict_markers(text):
        return None
    last = text.count("\n", 0, end)
    return MarkdownFile("", "\n", text, 1, last, fields, body_at=end + len(_CLOSE) - 1)


def _parse_any(text: str, path: str) -> MarkdownFile:
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    lines = _lines(text[len(mark) :])
    first, last = _block(lines, path)
    fields, in_braces = _fields(lines, first, last, path) if last else ({}, False)
    if last and fields is None:
        first = last = 0
    result = MarkdownFile(mark, _newline(text), text[len(mark) :], first, last, fields or {}, in_braces)
    _refuse_two_blocks(result, path)
    if not result.fields.get(LITERAL_CONFLICT_KEY):
        _refuse_conflict(with_plain_line_ends(text), path)
    return result


def _lines(text: str) -> tuple[str, ...]:
    return tuple(found for found in _LINE.findall(text) if found)


def has_conflict_markers(text: str) -> bool:
    """Tell whether a text holds the three marks of an unresolved merge, in order, outside fenced code."""
    return "<<<<<<<" in text and _CONFLICT.search(_FENCE.sub("", text)) is not None


def _newline(text: str) -> str:
    crlf = text.count("\r\n")
    lf = text.count("\n") - crlf
    if crlf or lf:
        return "\r\n" if crlf > lf else "\n"
    return "\r" if "\r" in text else "\n"


def _block(lines: tuple[str, ...], path: str) -> tuple[int, int]:
    """Return the first line inside the block and the line that closes it; 0, 0 for none."""
    start = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[start].rstrip() != "---":
        return 0, 0
    for number in range(start + 1, len(lines)):
        if lines[number].rstrip() in ("---", "..."):
            return start + 1, number
    if start + 1 < len(lines) and _KEY_LINE.match(lines[start + 1]):
        raise UnreadableFile(path, "its front matter is never closed with ---", start + 1)
    return 0, 0


def _fields(lines: tuple[str, ...], first: int, last: int, path: str) -> tuple[dict[str, Field] | None, bool]:
    """Return the keys of a block; None for what is no mapping and therefore text between two rules."""
    text = with_plain_line_ends("".join(lines[first:last]))
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return {}, False
        if not isinstance(node, yaml.MappingNode):
            return None, False
        return _read_mapping(node, first, path), bool(node.flow_style)
    except yaml.MarkedYAMLError as error:
        if not any(_KEY_LINE.match(line) for line in lines[first:last]):
            return None, False
        mark = error.problem_mark or error.context_mark
        line = first + 1 + (mark.line if mark else 0)
        raise UnreadableFile(path, f"its front matter is no valid YAML: {error.problem}", line) from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise UnreadableFile(path, f"its front matter is no valid YAML: {reason}", first + 1) from None
    finally:
        loader.dispose()


def _read_mapping(node: yaml.MappingNode, first: int, path: str) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    for key, value in node.value:
        line = first + 1 + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            raise UnreadableFile(path, "a key of its front matter is no plain text", line)
        if key.value in fields:
            raise UnreadableFile(path, f"the key {key.value} is given twice", line)
        plain = _plain(value, path, line, _Budget())
        fields[key.value] = Field(plain, line, key.start_mark.index, value.start_mark.index, value.end_mark.index)
    return fields


@dataclass
class _Budget:
    """How much one value may still unfold: aliases of aliases grow without bound, or contain themselves."""

    left: int = 10_000


def _plain(node: yaml.Node, path: str, line: int, budget: _Budget) -> Any:
    """Return a node as plain data; text stays text wherever another reading would lose something."""
    budget.left -= 1
    if budget.left < 0:
        raise UnreadableFile(path, "a value of its front matter is too large, or contains itself", line)
    if isinstance(node, yaml.ScalarNode):
        return plain_value(node.value) if not node.style else node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(each, path, line, budget) for each in node.value]
    result: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise UnreadableFile(path, "a key of its front matter is no plain text (a template?)", line)
        if key.value in result:
            raise UnreadableFile(path, f"the key {key.value} is given twice", line)
        result[key.value] = _plain(value, path, line, budget)
    return result


def _refuse_two_blocks(file: MarkdownFile, path: str) -> None:
    if not file.has_front_matter or file.is_ours:
        return
    rest = file.lines[file.last + 1 :]
    if not any(line.strip() for line in rest):
        return
    first, last = _block(rest, path)
    if last and _fields(rest, first, last, path)[0]:
        line = file.last + 1 + first
        raise UnreadableFile(path, "a second block of front matter follows the first; make one of them", line)


def _refuse_conflict(text: str, path: str) -> None:
    if has_conflict_markers(text):
        line = text[: text.index("<<<<<<<")].count("\n") + 1
        raise UnreadableFile(path, "it holds an unresolved merge conflict", line)
