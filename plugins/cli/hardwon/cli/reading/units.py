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
from hardwon.cli.reading.signals import length_of

SENTENCE = 6
"""Words from which an item says something of its own."""
FEW = 4
"""Passages or items that can still be about one thing."""

GUIDE_PASSAGES = 1
"""The same for passages of CLAUDE.md, AGENTS.md and their like, whose chapters gather what belongs to a subject."""

_BOLD_LEAD = re.compile(r"^(\*\*|__)[^*_\n]{6,200}?[^*_\n]*\1")
_DATE = re.compile(r"^\[?20\d\d-\d\d(?:-\d\d)?\]?[\s:：—–-]*")
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
    """The headings above it; a section's own heading is its title."""
    title: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    opening: bool = False
    """Whether it stands under the document's title, before everything else."""
    task: bool = False


def units_of(lines: Sequence[str], *, guide: bool = False) -> Iterator[Unit]:
    """Walk the units of a document, in order; no line is in two of them. A guide's sections tell many things."""
    sections = list(sections_of(parse_blocks(lines)))
    one_title = sum(section.level == 1 for section in sections) <= 1
    deeper = any(section.level > 1 for section in sections)
    for section in sections:
        place = "opening" if deeper else "title"
        cut = _Cut(lines, section, place if one_title and section.level <= 1 else "chapter", guide=guide)
        yield from (unit for unit in cut.walk() if unit.content)


class _Cut:
    """Cuts one section. Its place is `opening` before all chapters, `title` where there are none, or `chapter`."""

    def __init__(self, lines: Sequence[str], section: Section, place: str, *, guide: bool) -> None:
        self.lines = lines
        self.section = section
        self.place = place
        self.guide = guide
        self.blocks = [block for block in _opened(section.blocks) if block.kind not in ("html", "rule")]

    def walk(self) -> Iterator[Unit]:
        """Walk the units, the whole section or what stands in it."""
        if not self.blocks:
            return
        if self.section.has_parts or (self.place == "chapter" and self._tells_one_thing()):
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
        if self._has_labelled_blocks():
            return True
        if any(block.kind == "table" for block in self.blocks):
            return False
        if any(block.kind == "list" and self._stands_alone(block) for block in self.blocks):
            return False
        passages = [block for block in self.blocks if block.kind == "paragraph" and not _leads_on(block)]
        titled = sum(bool(_BOLD_LEAD.match(block.text)) for block in passages)
        return titled < 2 and (len(passages) <= GUIDE_PASSAGES if self.guide else not titled or len(passages) <= FEW)

    def _has_labelled_blocks(self) -> bool:
        """Tell whether paragraphs or items are the parts of one lesson: each label once, or a closing rule or fix."""
        labels = [leading_label(text) for text in self._first_words()]
        names = [label[1] for label in labels if label]
        if len(names) != len(set(names)):
            return False
        ends_with_fix = bool(labels) and labels[-1] is not None and labels[-1][0] == "fix"
        return len({label[0] for label in labels if label}) >= 2 or (ends_with_fix and len(labels) <= FEW + 1)

    def _first_words(self) -> Iterator[str]:
        """Walk how each paragraph and each item of a list begins."""
        for block in self.blocks:
            if block.kind == "list":
                yield from (item.children[0].text if item.children else "" for item in block.children)
            elif block.kind == "paragraph":
                yield block.text

    def _stands_alone(self, block: Block) -> bool:
        """Tell whether a list's items say things of their own, rather than belong to the prose around them."""
        lengths = [length_of(item.prose()) for item in block.children]
        prose = sum(length_of(each.text) for each in self.blocks if each.kind == "paragraph" and not _leads_on(each))
        return median(lengths) >= SENTENCE and (sum(lengths) >= prose or len(lengths) > FEW)

    def _whole(self) -> Unit:
        first = self.section.heading.first if self.section.heading else self.blocks[0].first
        last = self.blocks[-1].last
        body = passage_text(self.lines, self.blocks[0].first, last)
        title = self.section.title
        prose = "\n".join([f"{_DATE.sub('', title)}.", *(block.prose() for block in self.blocks)])
        content = f"{title}\n\n{body}" if title else body
        return Unit("section", first, last, content, prose, self.section.path, title, labelled_parts(body))

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
        opening = self.place == "opening" or (self.place == "title" and len(self.blocks) > 1)
        parts = labelled_parts(content)
        return Unit("passage", first, last, content, prose, self._path(), parts=parts, opening=opening)

    def _items(self, item: Block, path: tuple[str, ...]) -> Iterator[Unit]:
        """Walk an item, or the items below it when it does no more than name them."""
        waiting = [(item, path)]
        while waiting:
            item, path = waiting.pop()
            own = " ".join(child.text for child in item.children if child.text)
            below = [each for child in item.children if child.kind == "list" for each in child.children]
            labelled = any(each.children and leading_label(each.children[0].text) for each in below)
            if below and not labelled and _names_only(own, below):
                waiting.extend((each, (*path, plain(own).rstrip(":："))) for each in reversed(below))
            else:
                yield self._item(item, path)

    def _item(self, item: Block, path: tuple[str, ...]) -> Unit:
        content = item_text(self.lines, item.first, item.last)
        prose = item.prose()
        task = bool(_TASK.match(prose))
        return Unit("item", item.first, item.last, content, prose, path, parts=labelled_parts(content), task=task)

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
            yield Unit("row", row.first, row.last, row_text(header, cells), "\n".join(cells), self._path(), parts=parts)


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
    return text.endswith((":", "：")) and length_of(text) <= 3 * SENTENCE


def _names_only(own: str, below: Sequence[Block]) -> bool:
    short = length_of(own) < SENTENCE or own.rstrip("*_ ").endswith((":", "："))
    return short and median(length_of(item.prose()) for item in below) >= SENTENCE
