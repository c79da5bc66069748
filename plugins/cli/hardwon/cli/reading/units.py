"""Cuts a document into units that each tell one thing: a section, an item, a row of a table, a passage.

Parts of one lesson (Problem, Cause, Fix) stay together, and so do prose and the code that follows it. A code block is
never a unit of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from hardwon.cli.reading.blocks import Block, parse_blocks
from hardwon.cli.reading.contents import item_text, passage_text, row_text
from hardwon.cli.reading.labels import labelled_parts, leading_label, part_of_label
from hardwon.cli.reading.sections import Section, plain, sections_of
from hardwon.cli.reading.signals import wording

SENTENCE = 6
"""Words from which an item says something of its own."""
FEW_PASSAGES = 4
"""A section with more passages than that tells more than one thing."""

_BOLD_LEAD = re.compile(r"^(\*\*|__)[^*_\n]{6,200}?[^*_\n]*\1")
_TASK = re.compile(r"^\[[ xX]\]\s")


@dataclass(frozen=True)
class Unit:
    """One thing that a document tells, with its lines (from 1) and what is said around it."""

    shape: str
    """section, item, row or passage."""
    first: int
    last: int
    content: str
    prose: str
    """Its words without code blocks."""
    path: tuple[str, ...]
    parts: dict[str, str] = field(default_factory=dict)
    opening: bool = False
    """Whether it stands under the document's title, before everything else."""
    task: bool = False


def units_of(lines: Sequence[str]) -> Iterator[Unit]:
    """Walk the units of a document, in order; no line is in two of them."""
    sections = list(sections_of(parse_blocks(lines)))
    titles = [section for section in sections if section.level == 1]
    deeper = any(section.level > 1 for section in sections)
    for section in sections:
        title = len(titles) <= 1 and section.level <= 1
        yield from _SectionUnits(lines, section, opening=title and deeper, title=title).walk()


class _SectionUnits:
    """The units of one section."""

    def __init__(self, lines: Sequence[str], section: Section, *, opening: bool, title: bool) -> None:
        self.lines = lines
        self.section = section
        self.opening = opening
        self.title = title
        self.blocks = [block for block in _opened(section.blocks) if block.kind not in ("html", "rule")]

    def walk(self) -> Iterator[Unit]:
        """Walk the units, the whole section or what stands in it."""
        if not self.blocks:
            return
        if not self.title and self._tells_one_thing():
            yield self._whole()
            return
        for group in self._groups():
            if group[0].kind == "list" and len(group) == 1:
                for item in group[0].children:
                    yield from self._items(item, self._path())
            elif group[0].kind == "table":
                yield from self._rows(group[0])
            else:
                yield self._passage(group)

    def _path(self) -> tuple[str, ...]:
        return (*self.section.path, self.section.title) if self.section.title else self.section.path

    def _tells_one_thing(self) -> bool:
        if self.section.has_parts or self._has_labelled_blocks():
            return True
        if any(block.kind == "table" for block in self.blocks):
            return False
        if any(block.kind == "list" and self._stands_alone(block) for block in self.blocks):
            return False
        passages = [block for block in self.blocks if block.kind == "paragraph" and not _leads_on(block)]
        titled = [block for block in passages if _BOLD_LEAD.match(block.text)]
        return len(titled) < 2 and (len(passages) <= FEW_PASSAGES or not titled)

    def _has_labelled_blocks(self) -> bool:
        """Tell whether paragraphs or items are the parts of one lesson, each part once or several times in a row."""
        texts = [item.children[0].text if item.children else "" for item in self._items_and_paragraphs()]
        labels = [label for text in texts if (label := leading_label(text))]
        changes = [label for number, label in enumerate(labels) if number == 0 or labels[number - 1] != label]
        return len(changes) >= 2 and len(changes) == len(set(changes)) or (
            len(labels) == 1 and self.blocks[0].kind == "paragraph" and len(self.blocks) <= FEW_PASSAGES
        )

    def _items_and_paragraphs(self) -> Iterator[Block]:
        for block in self.blocks:
            if block.kind == "list":
                yield from block.children
            elif block.kind == "paragraph":
                yield Block("item", block.first, block.last, children=[block])

    def _stands_alone(self, block: Block) -> bool:
        """Tell whether a list's items say things of their own, rather than belong to the prose around them."""
        lengths = [wording(item.prose()).length for item in block.children]
        prose = sum(wording(each.text).length for each in self.blocks if each.kind == "paragraph" and not _leads_on(each))
        return median(lengths) >= SENTENCE and (sum(lengths) >= prose or len(lengths) > FEW_PASSAGES)

    def _whole(self) -> Unit:
        first = self.section.heading.first if self.section.heading else self.blocks[0].first
        last = self.blocks[-1].last
        body = passage_text(self.lines, self.blocks[0].first, last)
        title = self.section.title
        prose = "\n".join([f"{title}.", *(block.prose() for block in self.blocks)]) if title else body
        content = f"{title}\n\n{body}" if title else body
        return Unit("section", first, last, content, prose, self.section.path, labelled_parts(body))

    def _groups(self) -> Iterator[list[Block]]:
        """Walk the blocks, a passage with the code and the dependent list that follow it."""
        group: list[Block] = []
        for block in self.blocks:
            independent = block.kind == "table" or (block.kind == "list" and self._stands_alone(block))
            if independent or block.kind == "paragraph" or (block.kind == "list" and not group):
                if group and group[0].kind != "code":
                    yield group
                group = []
            if independent:
                yield [block]
            else:
                group.append(block)
        if group and group[0].kind != "code":
            yield group

    def _passage(self, group: Sequence[Block]) -> Unit:
        first, last = group[0].first, group[-1].last
        content = passage_text(self.lines, first, last)
        prose = "\n".join(block.prose() for block in group)
        opening = self.opening or (self.title and self.section.level == 1 and len(self.blocks) > 1)
        return Unit("passage", first, last, content, prose, self._path(), labelled_parts(content), opening=opening)

    def _items(self, item: Block, path: tuple[str, ...]) -> Iterator[Unit]:
        """Walk an item, or the items below it when it does no more than name them."""
        waiting = [(item, path)]
        while waiting:
            item, path = waiting.pop()
            own = " ".join(child.text for child in item.children if child.text)
            below = [each for child in item.children if child.kind == "list" for each in child.children]
            labels = {label for each in below if each.children and (label := leading_label(each.children[0].text))}
            if below and not labels and _names_only(own, below):
                waiting.extend((each, (*path, plain(own).rstrip(":："))) for each in reversed(below))
            else:
                yield self._item(item, path)

    def _item(self, item: Block, path: tuple[str, ...]) -> Unit:
        content = item_text(self.lines, item.first, item.last)
        prose = item.prose()
        task = bool(_TASK.match(prose))
        return Unit("item", item.first, item.last, content, prose, path, labelled_parts(content), task=task)

    def _rows(self, table: Block) -> Iterator[Unit]:
        if not table.children:
            return
        header = [plain(cell.text) for cell in table.children[0].children]
        for row in table.children[1:]:
            cells = [cell.text.strip() for cell in row.children]
            parts: dict[str, str] = {}
            for name, cell in zip(header, cells, strict=False):
                if cell and (part := part_of_label(name)):
                    parts[part] = f"{parts[part]}\n\n{cell}" if part in parts else cell
            yield Unit("row", row.first, row.last, row_text(header, cells), "\n".join(cells), self._path(), parts)


def _opened(blocks: Sequence[Block]) -> Iterator[Block]:
    """Walk the blocks with those that stand in quotes."""
    waiting = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        if block.kind == "quote":
            waiting.extend(reversed(block.children))
        else:
            yield block


def _leads_on(block: Block) -> bool:
    """Tell whether a paragraph only leads on to what follows it."""
    text = block.text.rstrip("*_ ")
    return text.endswith((":", "：")) and wording(text).length <= 3 * SENTENCE


def _names_only(own: str, below: Sequence[Block]) -> bool:
    short = wording(own).length < SENTENCE or own.rstrip("*_ ").endswith((":", "："))
    return short and median(wording(item.prose()).length for item in below) >= SENTENCE
