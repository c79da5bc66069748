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


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands."""

    start: int
    end: int
    """Behind its last character."""
    value: Any = None
    """Of a text, number, boolean or null: itself."""
    members: list[Member] | None = None
    """Of an object or list."""
    is_object: bool = False

    def get(self, key: str) -> Node | None:
        """Return the value of a key of an object."""
        return next((each.node for each in reversed(self.members or []) if each.key == key), None)

    def data(self) -> Any:
        """Return the value as Python has it."""
        if self.members is None:
            return self.value
        if self.is_object:
            return {each.key: each.node.data() for each in self.members}
        return [each.node.data() for each in self.members]


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
        opened = self.peek()
        if opened and opened in "{[":
            return self.container(opened == "{")
        start = self.place
        try:
            value, self.place = self.decoder.raw_decode(self.text, start)
        except ValueError:
            self.fail("a value is expected")
        return Node(start, self.place, value=value)

    def container(self, is_object: bool) -> Node:
        start, closing = self.place, "}" if is_object else "]"
        self.place += 1
        members: list[Member] = []
        while self.peek() != closing:
            if members and members[-1].comma is None:
                self.fail(f"a comma or {closing} is expected")
            members.append(self.member(is_object))
        if members and members[-1].comma is not None and not self.dialect.trailing_commas:
            self.fail("a comma stands behind the last value")
        self.place += 1
        return Node(start, self.place, members=members, is_object=is_object)

    def member(self, is_object: bool) -> Member:
        next_character, start, key = self.peek(), self.place, None
        if is_object:
            if next_character != '"':
                self.fail("a key in quotation marks is expected")
            key = self.node().value
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
