"""Markdown as a tree of blocks with their lines. Parsing is markdown-it's; inline marks stay as they were written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "table_open": "table",
    "tr_open": "row",
    "th_open": "cell",
    "td_open": "cell",
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
}
_FRONT_MATTER_END = re.compile(r"^(---|\.\.\.)[ \t]*$")


@dataclass
class Block:
    """A block of a document. `first` and `last` are its lines, from 1; blank lines at its end are not its own."""

    kind: str
    """heading, paragraph, list, item, quote, table, row, cell, code, html, rule."""
    first: int
    last: int
    level: int = 0
    """Of a heading: 1 to 6."""
    text: str = ""
    """Its own words: of a paragraph, a heading or a cell."""
    children: list[Block] = field(default_factory=list)

    def walk(self) -> Iterator[Block]:
        """Walk the block and everything in it, in order."""
        waiting: list[Block] = [self]
        while waiting:
            block = waiting.pop()
            yield block
            waiting.extend(reversed(block.children))

    def prose(self) -> str:
        """Return the words of everything in it but code."""
        return "\n".join(block.text for block in self.walk() if block.text)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def parse_blocks(lines: Sequence[str]) -> list[Block]:
    """Return the blocks of a document given by its lines; its front matter is passed over."""
    start = front_matter_length(lines)
    text = "\n".join([""] * start + list(lines[start:]))
    root = Block("document", 1, len(lines))
    open_blocks = [root]
    for token in _parser().parse(text):
        if token.nesting == -1:
            if token.type.replace("_close", "_open") in _KINDS:
                open_blocks.pop()
        elif token.type == "inline":
            open_blocks[-1].text = token.content
        elif token.type in _KINDS:
            block = _block(token, lines, open_blocks[-1])
            open_blocks[-1].children.append(block)
            if token.nesting == 1:
                open_blocks.append(block)
    return root.children


def _block(token: Token, lines: Sequence[str], parent: Block) -> Block:
    start, end = token.map or (parent.first - 1, parent.last)
    while end - 1 > start and not lines[end - 1].strip(" \t>"):
        end -= 1
    kind = _KINDS[token.type]
    return Block(kind, start + 1, max(end, start + 1), level=int(token.tag[1]) if kind == "heading" else 0)


def front_matter_length(lines: Sequence[str]) -> int:
    """Return how many lines at the beginning are YAML front matter; 0 when it never ends."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if _FRONT_MATTER_END.match(line):
            return number + 1
        if not line.strip() and number == 1:
            return 0
    return 0
