"""Where everything stands in a JSON text: a settings file is edited as text, so that what is not ours keeps its bytes.

Comments and trailing commas are known; which of them a harness takes, its dialect says. Of a key that stands twice the
last counts, as JavaScript has it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NoReturn

SPACE = " \t\r\n"


@dataclass(frozen=True)
class Dialect:
    """What a harness takes beyond JSON."""

    comments: bool
    trailing_commas: bool


STRICT = Dialect(comments=False, trailing_commas=False)
COMMENTED = Dialect(comments=True, trailing_commas=False)
RELAXED = Dialect(comments=True, trailing_commas=True)


class NotJson(ValueError):
    """The text cannot be read; says where."""


class Node:
    """A value and where it stands. What is in it is looked at when it is asked for: some settings hold megabytes."""

    def __init__(self, reader: _Reader, start: int, end: int, members: list[Member] | None = None) -> None:
        self._reader = reader
        self.start = start
        self.end = end
        """Behind its last character."""
        self._members = members

    @property
    def is_object(self) -> bool:
        """Tell whether it is an object."""
        return self._reader.text[self.start] == "{"

    @property
    def members(self) -> list[Member] | None:
        """Return what is in an object or list; None for any other value."""
        if self._members is None and self._reader.text[self.start] in "{[":
            self._members = self._reader.members(self.start)
        return self._members

    def get(self, key: str) -> Node | None:
        """Return the value of a key of an object."""
        return next((each.node for each in reversed(self.members or []) if each.key == key), None)

    def data(self) -> Any:
        """Return the value as Python has it."""
        members = self.members
        if members is None:
            return self._reader.decoder.raw_decode(self._reader.text, self.start)[0]
        if self.is_object:
            return {each.key: each.node.data() for each in members}
        return [each.node.data() for each in members]


@dataclass(frozen=True, slots=True)
class Member:
    """A value in an object or list."""

    start: int
    """Where its key begins, or itself."""
    node: Node
    key: str | None = None
    comma: int | None = None
    """Where the comma behind it stands."""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


@dataclass
class _Reader:
    text: str
    dialect: Dialect
    place: int = 0
    decoder: json.JSONDecoder = field(default_factory=lambda: json.JSONDecoder(parse_constant=_refuse_constant))

    def fail(self, what: str) -> NoReturn:
        line = self.text.count("\n", 0, self.place) + 1
        column = self.place - self.text.rfind("\n", 0, self.place)
        raise NotJson(f"line {line}, column {column}: {what}")

    def peek(self) -> str:
        """Return the next character that is neither white space nor comment; empty at the end."""
        self.place = skip(self.text, self.place, comments=self.dialect.comments)
        return self.text[self.place : self.place + 1]

    def node(self) -> Node:
        """Read a value; one that holds others is only measured, unless it holds what plain JSON does not."""
        opened, start = self.peek(), self.place
        try:
            _, self.place = self.decoder.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            if not opened or opened not in "{[":
                self.fail("a value is expected")
            members = self.members(start)
            return Node(self, start, self.place, members)
        return Node(self, start, self.place)

    def members(self, start: int) -> list[Member]:
        """Read what is in the object or list that begins at `start`."""
        is_object = self.text[start] == "{"
        self.place = start + 1
        closing = "}" if is_object else "]"
        members: list[Member] = []
        while self.peek() != closing:
            if members and members[-1].comma is None:
                self.fail(f"a comma or {closing} is expected")
            members.append(self.member(is_object))
        if members and members[-1].comma is not None and not self.dialect.trailing_commas:
            self.fail("a comma stands behind the last value")
        self.place += 1
        return members

    def member(self, is_object: bool) -> Member:
        """Read a value in an object or list, with its key and the comma behind it."""
        next_character, start, key = self.peek(), self.place, None
        if is_object:
            if next_character != '"':
                self.fail("a key in quotation marks is expected")
            key = self.node().data()
            if self.peek() != ":":
                self.fail("a colon is expected")
            self.place += 1
        node = self.node()
        comma = self.place if self.peek() == "," else None
        self.place += comma is not None
        return Member(start, node, key, comma)


def skip(text: str, place: int, *, comments: bool) -> int:
    """Return the first place from `place` on that is neither white space nor, if so wished, comment."""
    while place < len(text):
        if text[place] in SPACE:
            place += 1
        elif comments and text.startswith("//", place):
            place = _found(text, "\n", place)
        elif comments and text.startswith("/*", place):
            place = _found(text, "*/", place + 2) + 2
        else:
            break
    return min(place, len(text))


def _found(text: str, wanted: str, place: int) -> int:
    found = text.find(wanted, place)
    return len(text) if found < 0 else found


def parse(text: str, dialect: Dialect = RELAXED) -> Node:
    """Return the value of a whole text. Raises NotJson."""
    reader = _Reader(text, dialect)
    try:
        node = reader.node()
    except RecursionError:
        reader.fail("values are nested too deep")
    if reader.peek():
        reader.fail("something stands behind the value")
    return node
