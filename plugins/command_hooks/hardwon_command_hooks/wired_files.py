"""The kinds of files that wire a harness: JSON settings that hold parts of ours, and files that are ours alone."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from hardwon.kernel.errors import InvalidInput
from hardwon_command_hooks.files import content_of
from hardwon_command_hooks.json_edit import take
from hardwon_command_hooks.json_text import RELAXED, Dialect, Node, NotJson, parse
from hardwon_command_hooks.settings_parts import Part
from hardwon_command_hooks.wiring_record import Kept


class WiredFile(Protocol):
    """A file of a harness, and what of it is ours. Each method raises InvalidInput where the file is not valid."""

    @property
    def path(self) -> Path:
        """Return where the file is."""
        ...

    def wired(self, content: bytes | None, home: Path, kept: Kept | None) -> bytes | None:
        """Return the content wired to a home; the same content where nothing is to be done."""
        ...

    def unwired(self, content: bytes, kept: Kept | None) -> bytes | None:
        """Return the content without what is ours; None where there was no such file before."""
        ...

    def home(self, content: bytes | None) -> Path | None:
        """Return the home that it is wired to; None where it is not, or does not say."""
        ...


@dataclass(frozen=True)
class OwnFile:
    """A file that is ours as a whole: a skill or a command. What a person made of it is theirs."""

    path: Path
    text: str

    def wired(self, content: bytes | None, home: Path, kept: Kept | None) -> bytes | None:
        """Return our text, unless somebody wrote another."""
        ours = self.text.encode("utf-8")
        return ours if content is None or (kept and kept.wrote(content)) else content

    def unwired(self, content: bytes, kept: Kept | None) -> bytes | None:
        """Return nothing where the file is as we wrote it."""
        is_ours = content == self.text.encode("utf-8") or (kept and kept.wrote(content))
        return None if is_ours else content

    def home(self, content: bytes | None) -> Path | None:
        """Return None: it is the same for every home."""
        return None


@dataclass(frozen=True)
class JsonSettings:
    """A settings file in JSON, in which parts are ours."""

    path: Path
    parts: tuple[Part, ...]
    dialect: Dialect = RELAXED

    def wired(self, content: bytes | None, home: Path, kept: Kept | None) -> bytes | None:
        """Put our parts in."""
        return self.edited(content, *(partial(_put_in, part, home) for part in self.parts))

    def unwired(self, content: bytes, kept: Kept | None) -> bytes | None:
        """Take our parts out; where nothing else was changed since, the bytes are those from before."""
        before = kept.before if kept else None
        stripped = self._stripped(content)
        if stripped == content:
            return content
        if kept and stripped == self._stripped(self.wired(before, Path("/"), None) or b""):
            return before
        there = parse(self._text(before)[1]) if before is not None else None
        rest = self.edited(stripped, *(partial(_without_empty, part.places, there) for part in self.parts)) or b""
        was_made_by_us = kept is not None and before is None
        return None if was_made_by_us and parse(self._text(rest)[1]).members == [] else rest

    def home(self, content: bytes | None) -> Path | None:
        """Return the home of the first part."""
        if content is None:
            return None
        try:
            return self.parts[0].home(self._text(content)[1])
        except NotJson as error:
            raise self._invalid(error) from None

    def says(self, place: tuple[str, ...], value: object) -> bool:
        """Tell whether a setting has a value."""
        node = _inside(parse(self._text(content_of(self.path) or b"")[1]), place)
        return node is not None and node.data() == value

    def _stripped(self, content: bytes) -> bytes:
        return self.edited(content, *(part.take_out for part in self.parts)) or b""

    def edited(self, content: bytes | None, *edits: Callable[[str], str]) -> bytes | None:
        """Return the content with its text edited; the very same where no edit changed anything."""
        mark, text = self._text(content or b"")
        edited = text
        try:
            for edit in edits:
                edited = edit(edited)
        except NotJson as error:
            raise self._invalid(error) from None
        if edited == text:
            return content
        return mark + edited.encode("utf-8") + (b"\n" if content is None else b"")

    def _text(self, content: bytes) -> tuple[bytes, str]:
        """Return the mark of the encoding and the text of a file; an empty file is an empty object."""
        mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        try:
            text = content[len(mark) :].decode("utf-8")
            if text.strip():
                parse(text, self.dialect)
        except (UnicodeDecodeError, NotJson) as error:
            raise self._invalid(error) from None
        return mark, text if text.strip() else "{}"

    def _invalid(self, error: ValueError) -> InvalidInput:
        return InvalidInput(f"{self.path} is no valid settings file ({error}); mend it first, it was left as it is.")


def _put_in(part: Part, home: Path, text: str) -> str:
    return part.put_in(text, home)


def _without_empty(places: Sequence[tuple[str, ...]], before: Node | None, text: str) -> str:
    """Return the text without the objects and lists that are empty now and were not there before; inner ones first."""
    for place in sorted(places, key=len, reverse=True):
        container = _inside(parse(text), place[:-1])
        found = container.get(place[-1]) if container else None
        if container and found and found.members == [] and not (before and _inside(before, place)):
            member = next(each for each in container.members or [] if each.node is found)
            text = take(text, container, member)
    return text


def _inside(node: Node | None, place: tuple[str, ...]) -> Node | None:
    """Return what stands at a place below a value."""
    for key in place:
        node = node.get(key) if node and node.is_object else None
    return node
