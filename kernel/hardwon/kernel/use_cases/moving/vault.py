"""A vault: the memory as a folder of Markdown notes, to be read in Obsidian or any editor, by people without hardwon.

It is for reading, and nothing is read back from it: the archive is what another home takes.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.batches import batches
from hardwon.kernel.errors import Conflict, NotFound
from hardwon.kernel.memory import Status
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.moving.vault_notes import (
    decision_note,
    folder_of,
    linked_ids,
    memory_note,
    stem_of,
    turn_note,
)

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.relation import Relation

AT_ONCE = 200


def write_vault(home: Home, to: Path) -> int:
    """Write the memory as notes into a folder that is not there or empty, whole or not at all; return how many.

    Raises NotFound, Conflict where something is there.
    """
    home.require()
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise Conflict(f"There is something in {to} already; name another folder.")
    if not to.parent.is_dir():
        raise NotFound(f"There is no folder {to.parent}; make it, or name another place.")
    aside = Path(tempfile.mkdtemp(prefix=".hardwon-vault-", dir=to.parent))
    try:
        number = _Vault(home, aside).write()
        if to.exists():
            to.rmdir()
        aside.rename(to)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return number


class _Vault:
    """One vault as it is written."""

    def __init__(self, home: Home, folder: Path) -> None:
        self._home = home
        self._storage = home.storage
        self._folder = folder
        self._counts: Counter[str] = Counter()

    def write(self) -> int:
        """Write all notes; return how many."""
        for entries in batches(self._storage.memories.scan(Filter(statuses=None)), AT_ONCE):
            self._write_memories(entries)
        self._write_decisions()
        self._write_journal()
        self._write_index()
        return sum(1 for _ in self._folder.rglob("*.md"))

    def _write_memories(self, entries: list[MemoryEntry]) -> None:
        memories = self._storage.memories
        edges = {entry.id: memories.relations(entry.id) for entry in entries}
        former = memories.versions([entry.id for entry in entries])
        stems = self._stems(entries, edges)
        for entry in entries:
            own = [version for version in former if version.memory == entry.id]
            folder = folder_of(entry)
            self._counts[folder] += entry.status is not Status.ARCHIVED
            self._put(f"{folder}/{stems[entry.id]}.md", memory_note(entry, edges[entry.id], own, stems))

    def _stems(self, entries: list[MemoryEntry], edges: dict[str, list[Relation]]) -> dict[str, str]:
        """Return the names of the notes of some memories and of all that they link to."""
        known = {entry.id: entry for entry in entries}
        others = {edge.other(id) for id, each in edges.items() for edge in each}
        others |= {id for entry in entries for id in linked_ids(entry.content)}
        return self._named([*known.values(), *self._storage.memories.get(list(others - known.keys())).values()])

    def _named(self, entries: Iterable[MemoryEntry]) -> dict[str, str]:
        return {entry.id: stem_of(entry, self._storage.reference(entry.id)) for entry in entries}

    def _write_decisions(self) -> None:
        decisions = self._storage.ledger.decisions()
        if decisions:
            rules = [decision.rule for decision in decisions if decision.rule]
            stems = self._named(self._storage.memories.get(rules).values())
            told = "\n".join(decision_note(decision, stems) for decision in decisions)
            self._put("decisions.md", f"# Decisions\n\n{told}")

    def _write_journal(self) -> None:
        """Write the journal, a note a day; what was taken back has no words any more."""
        for known in self._storage.journal.blocks():
            if known.block.said:
                path = self._folder / "daily" / f"{known.block.at:%Y-%m-%d}.md"
                start = "" if path.exists() else f"# {known.block.at:%Y-%m-%d}\n\n"
                self._put(f"daily/{path.name}", f"{start}{turn_note(known.block)}\n", mode="a")

    def _write_index(self) -> None:
        rows = [f"| {folder} | {number:,} |" for folder, number in sorted(self._counts.items()) if number]
        table = "\n".join(["| folder | notes |", "|---|---:|", *rows])
        self._put("index.md", f"# Memory\n\nWritten on {self._home.clock.now():%Y-%m-%d}, to be read.\n\n{table}\n")

    def _put(self, name: str, text: str, mode: str = "w") -> None:
        path = self._folder / name
        for folder in reversed(path.parents):
            folder.mkdir(mode=0o700, exist_ok=True)
        with path.open(mode, encoding="utf-8", newline="\n") as file:
            file.write(text)
        path.chmod(0o600)
