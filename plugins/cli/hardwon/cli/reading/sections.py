"""Headings and what stands under them, as sections that know the headings above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.cli.reading.blocks import Block
from hardwon.cli.reading.labels import part_of_label

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
    above: list[Section] = []
    current = Section(None, ())
    for block in blocks:
        if block.kind != "heading":
            current.blocks.append(block)
        elif current.heading and block.level > current.level and part_of_label(plain(block.text)):
            current.blocks.append(block)
            current.has_parts = True
        else:
            yield current
            while above and above[-1].level >= block.level:
                above.pop()
            current = Section(block, tuple(section.title for section in above))
            above.append(current)
    yield current
