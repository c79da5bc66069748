"""Headings and what stands under them, as sections that know the headings above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from hardwon.cli.reading.blocks import Block
from hardwon.cli.reading.labels import part_of_heading, part_of_label

_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)|^#+\s*|\s*#+$|!?\[([^\]]*)\]\([^)]*\)|</?[a-zA-Z][^>]*>")
_NUMBER = re.compile(r"^\(?\d+[.)、:：]\s*")


@dataclass
class Section:
    """A heading, if there is one, and the blocks under it up to the next heading."""

    heading: Block | None
    path: tuple[str, ...]
    """The headings above it, the outermost first, without their marks."""
    blocks: list[Block] = field(default_factory=list)
    has_parts: bool = False
    """Whether sub-headings such as Problem and Fix were taken into it."""

    @property
    def title(self) -> str:
        """Return the heading's words without marks and number, or nothing."""
        return plain(self.heading.text) if self.heading else ""

    @property
    def level(self) -> int:
        """Return the heading's level, 0 for the text before the first."""
        return self.heading.level if self.heading else 0


def plain(text: str) -> str:
    """Return the words of a heading without inline marks, number and line ends."""
    words = " ".join(_MARKS.sub(lambda found: found[1] or "", text).split())
    return _NUMBER.sub("", words) or words


def sections_of(blocks: Sequence[Block]) -> Iterator[Section]:
    """Walk the sections of a document. A heading that only names a part of a lesson belongs to the section above it."""
    parts = _part_headings([block for block in blocks if block.kind == "heading"])
    above: list[Section] = []
    current = Section(None, ())
    for block in blocks:
        if block.kind != "heading":
            current.blocks.append(block)
        elif block.first in parts:
            current.blocks.append(block)
            current.has_parts = True
        else:
            yield current
            while above and above[-1].level >= block.level:
                above.pop()
            current = Section(block, tuple(section.title for section in above))
            above.append(current)
    yield current


def _part_headings(headings: Sequence[Block]) -> set[int]:
    """Return the lines of the headings that name parts of the lesson that the heading above them tells."""
    lines: set[int] = set()
    for number, parent in enumerate(headings):
        under = _under(headings, number)
        below = _directly_below(under)
        if parent.first in lines or not below:
            continue
        if _is_report(below):
            lines.update(each.first for each in under)
        elif parent.level > 1:
            lines.update(each.first for each in _leading_parts(below))
    return lines


def _under(headings: Sequence[Block], number: int) -> list[Block]:
    """Return the headings below one of them, whatever their depth; a heading is below at most five others."""
    level = headings[number].level
    return list(takewhile(lambda each: each.level > level, islice(headings, number + 1, None)))


def _directly_below(headings: Sequence[Block]) -> list[Block]:
    """Return those of the headings under another that stand under no other of them."""
    direct: list[Block] = []
    for heading in headings:
        if not direct or heading.level <= direct[-1].level:
            direct.append(heading)
    return direct


def _is_report(headings: Sequence[Block]) -> bool:
    """Tell whether headings are those of a post-mortem: hardly one unknown, and together a lesson."""
    parts = [part_of_heading(plain(heading.text)) for heading in headings]
    told = {part for part in parts if part}
    return 4 * parts.count(None) <= len(parts) and len(told) >= 2 and ("cause" in told or len(parts) > 2)


def _leading_parts(headings: Sequence[Block]) -> Iterator[Block]:
    """Walk the headings up to the first that names no part."""
    return takewhile(lambda heading: part_of_label(plain(heading.text)) is not None, headings)
