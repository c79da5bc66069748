"""Reads the lessons in a Markdown file and says of everything else in it why it is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon.cli.reading.files import LARGEST_MARKDOWN, file_bytes, shown
from hardwon.kernel.records import Problem, Skipped

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdc")

_UNREADABLE = re.compile("[\0\udc80-\udcff]")


class MarkdownReader:
    """Takes what passes on something learned from LESSONS.md, gotchas, CLAUDE.md, AGENTS.md and other notes."""

    def accepts(self, path: Path) -> bool:
        """Tell whether a file is Markdown, by its ending."""
        return path.suffix.lower() in SUFFIXES

    def read(self, path: Path) -> Iterator[Mapping[str, Any] | Problem]:
        """Walk the file's lessons, and a Skipped for each unit that is none. Raises InvalidInput when it is no text."""
        from hardwon.cli.reading.dates import day_of_file, day_of_unit
        from hardwon.cli.reading.recognition import WHY_SKIPPED, judged_units

        content = file_bytes(path, largest=LARGEST_MARKDOWN).decode("utf-8", "surrogateescape")
        lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        day = day_of_file(lines, shown(Path(path.stem)))
        for unit, verdict in judged_units(lines, path.stem):
            where = f"{shown(path)}:{unit.first}"
            if _UNREADABLE.search("\n".join(lines[unit.first - 1 : unit.last])):
                yield Problem(where=where, what="Here are bytes that are no UTF-8 text; mend them and import it again.")
                continue
            if verdict.skipped_as:
                yield Skipped(where=where, what=WHY_SKIPPED[verdict.skipped_as])
            else:
                source = {"said_by": "import", "file": shown(path), "line": unit.first}
                yield {"kind": "lesson", "content": unit.content, "tags": _tags(unit.path), "lesson": unit.parts,
                       "valid_at": day_of_unit(unit) or day, "source": source}  # fmt: skip


def _tags(path: tuple[str, ...]) -> list[str]:
    """Return the headings that a unit stands under, but the title and those that only say what sort of file it is."""
    from hardwon.cli.reading.signals import vocabulary

    telling = (heading[:60] for heading in path[1:] if not vocabulary().kind_of(heading))
    return list(dict.fromkeys(heading for heading in telling if not _UNREADABLE.search(heading)))
