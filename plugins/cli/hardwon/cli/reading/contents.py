"""What a unit of a Markdown file looks like as a memory's text: without the marks of the list or quote it stood in."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARKER = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_ALERT = re.compile(r"^\[!\w+\][ \t]*\n?")


def passage_text(lines: Sequence[str], first: int, last: int) -> str:
    """Return the text of lines `first` to `last` (from 1) outside of lists, without quote marks."""
    chosen = lines[first - 1 : last]
    if _QUOTE.match(chosen[0]):
        chosen = [_QUOTE.sub("", line) for line in chosen]
    return _ALERT.sub("", without_comments("\n".join(chosen))).strip()


def item_text(lines: Sequence[str], first: int, last: int) -> str:
    """Return the text of an item of a list without its marker, its further lines moved left."""
    start, *rest = lines[first - 1 : last]
    marker = _MARKER.match(start)
    width = marker.end() if marker else 0
    indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    shift = min([width, *indents])
    return without_comments("\n".join([start[width:], *(line[shift:] for line in rest)])).strip()


def row_text(header: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row of a table as lines that name their column."""
    named = [(name, cell) for name, cell in zip(header, cells, strict=False) if cell]
    return "\n\n".join(f"{name}: {cell}" if name else cell for name, cell in named)


def without_comments(text: str) -> str:
    """Return a text without HTML comments; one that never ends is text."""
    kept: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[position:start])
        position = end + 3
    return "".join([*kept, text[position:]])
