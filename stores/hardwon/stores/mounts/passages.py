"""Cuts a note into passages: what is found, ranked and shown of it is a part that fits a prompt, not the whole note.

A passage is a section, or paragraphs of one, of at most some 1,200 characters; short sections stand together. Its first
line says where it stands: the note's path and the headings above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 1200
"""Characters of a passage, without the line that says where it stands."""
SHORT = 300
"""Characters of a passage below which the next section stands with it."""
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
ABOVE = " › "


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a note."""

    line: int
    """In the note, from 1."""
    headings: tuple[str, ...]
    """From the outermost to the one that it stands below."""
    text: str


@dataclass(slots=True)
class _Block:
    """Lines that are not cut apart if they are short enough: a heading with its paragraph, a paragraph, a fence."""

    line: int
    headings: tuple[str, ...]
    lines: list[str]
    opens: bool
    """A heading stands in it: what stands before belongs to something else."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


def passages(text: str, first_line: int = 1) -> list[Passage]:
    """Return the passages of a text whose lines end with LF; `first_line` is the number of its first line."""
    found: list[Passage] = []
    for block in _blocks(text.split("\n"), first_line):
        last = found[-1] if found else None
        if last is not None and _belong_together(last, block):
            found[-1] = Passage(last.line, last.headings, f"{last.text}\n\n{block.text}")
        else:
            found += [Passage(block.line, block.headings, part) for part in _parts(block.text)]
    return found


def _belong_together(last: Passage, block: _Block) -> bool:
    """Tell whether a block goes on with a passage: in its section or in one below it, if there is room."""
    is_below = block.headings[: len(last.headings)] == last.headings
    has_room = len(last.text) + len(block.text) + 2 <= LONGEST
    return is_below and has_room and (not block.opens or len(last.text) < SHORT)


def _blocks(lines: list[str], first: int) -> Iterator[_Block]:
    """Walk what stands between blank lines; blank lines in a fence part nothing."""
    above: list[tuple[int, str]] = []
    block: _Block | None = None
    fence = ""
    for number, line in enumerate(lines, first):
        heading = None if fence else _HEADING.fullmatch(line)
        if heading or (not line.strip() and not fence):
            # A heading alone stays with what follows it.
            if block is not None and not (block.opens and len(block.lines) == 1 and not heading):
                yield block
                block = None
            if heading:
                level = len(heading[1])
                above = [each for each in above if each[0] < level]
                above.append((level, heading[2]))
                if block is not None:
                    yield block
                block = _Block(number, tuple(title for _, title in above), [line], opens=True)
            continue
        fence = _fence_after(fence, line)
        if block is None:
            block = _Block(number, tuple(title for _, title in above), [], opens=False)
        block.lines.append(line)
    if block is not None:
        yield block


def _fence_after(fence: str, line: str) -> str:
    """Return the fence of code that is open after a line; empty for none."""
    mark = _FENCE.match(line)
    if not mark:
        return fence
    if not fence:
        return mark[1]
    closes = mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence


def _parts(text: str) -> Iterator[str]:
    """Cut what is too long for one passage at the ends of lines, and a line at its words."""
    while len(text) > LONGEST:
        end = text.rfind("\n", LONGEST // 3, LONGEST)
        if end < 0:
            end = text.rfind(" ", LONGEST // 3, LONGEST)
        end = end if end > 0 else LONGEST
        yield text[:end].strip()
        text = text[end:].lstrip()
    if text.strip():
        yield text
