"""What the demo shows of a memory after each step: files where there are files, else what the store says of itself."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from hardwon.cli.demo.disk import LINES, Disk, block, file_block, history_block
from hardwon.kernel.ports import Filed
from hardwon.kernel.use_cases.moving.exporting import archive_lines

if TYPE_CHECKING:
    from pathlib import Path

    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

WHOLE = 30
"""Lines: more than any file of the demo has."""


class Exhibit(Protocol):
    """The memory of a demo, as it can be looked at."""

    lesson: str
    """How a lesson lies there, in words."""
    proposal: str
    rule: str
    links: str
    steps: str

    def memory(self, entry: MemoryEntry) -> str:
        """Return a memory as it is kept, as a block of text."""
        ...

    def link_back(self, entry: MemoryEntry) -> str:
        """Return where a lesson names its rule, as a block of text."""
        ...

    def changes(self) -> str:
        """Return what is other than at the last call, with a heading."""
        ...

    def history(self) -> str:
        """Return the steps that led here, as a block of text."""
        ...


class Files:
    """Markdown files in a git repository."""

    lesson = "as it lies on disk, a Markdown file a lesson"
    proposal = "each a file that you may edit"
    rule = "The rule is a file that names its lessons:"
    links = "And each lesson's file, such as the one above, now ends with a link back to the rule:"
    steps = "Each step is a commit of the memory's own git repository, each decision a file"

    def __init__(self, home: Home, storage: Filed) -> None:
        self._home = home
        self._storage = storage
        self._disk = Disk(home.path)

    def memory(self, entry: MemoryEntry) -> str:
        """Return its file."""
        return file_block(self._path(entry), WHOLE)

    def link_back(self, entry: MemoryEntry) -> str:
        """Return the end of its file."""
        return file_block(self._path(entry), 6, last=True)

    def changes(self) -> str:
        """Return which files are new, changed or moved."""
        return f"On disk:\n\n{self._disk.changes()}"

    def history(self) -> str:
        """Return the last commits."""
        return history_block(self._home.path / "memory")

    def _path(self, entry: MemoryEntry) -> Path:
        path = self._storage.path_of(entry.id)
        assert path is not None, "the memory was just written, and no hand removed it"
        return path


class Records:
    """The records of an export: what any store knows, whatever it keeps them in."""

    lesson = "as `hardwon export` tells it"
    proposal = "each opens as Markdown with `hardwon review edit`"
    rule = "The rule:"
    links = "And its links, which are read from both ends:"
    steps = "Each step is one transaction, and each decision is kept"

    def __init__(self, home: Home) -> None:
        self._home = home
        self._seen: Counter[str] = Counter()

    def memory(self, entry: MemoryEntry) -> str:
        """Return its record."""
        record = entry.model_dump(mode="json", exclude_defaults=True)
        return block(json.dumps(record, ensure_ascii=False, indent=2), "json")

    def link_back(self, entry: MemoryEntry) -> str:
        """Return its edges."""
        edges = self._home.storage.memories.relations(entry.id)
        return block("\n".join(f"{edge.source} {edge.kind} {edge.target}" for edge in edges))

    def changes(self) -> str:
        """Return how many records of each type came."""
        now = Counter(str(json.loads(line)["type"]) for line in archive_lines(self._home, []))
        grown = [f"{'new':10} {count - self._seen[type]} of type {type}" for type, count in now.items()]
        changed = [line for line, type in zip(grown, now, strict=True) if now[type] != self._seen[type]]
        self._seen = now
        return f"In the {self._home.settings.store} store:\n\n" + block("\n".join(changed) or "nothing changed")

    def history(self) -> str:
        """Return the last decisions."""
        decisions = self._home.storage.ledger.decisions()[-LINES:]
        return block(
            "\n".join(f"{each.at:%Y-%m-%d %H:%M} {each.by}: {each.action} {each.proposal}" for each in decisions)
        )


def exhibit(home: Home) -> Exhibit:
    """Return what shows the memory of a home."""
    return Files(home, home.storage) if isinstance(home.storage, Filed) else Records(home)
