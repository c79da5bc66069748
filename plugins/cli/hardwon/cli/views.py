"""How memories look: as JSON that others may rely on (docs/reference/formats.md), and as lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.records import Problem

SHOWN_PROBLEMS = 20
"""Problems that are told one by one; --json has all."""


def memory_json(entry: MemoryEntry) -> dict[str, Any]:
    """Return a memory for programs: its fields, the scope as one text, the revision and what follows from its kind."""
    fields = entry.model_dump(mode="json")
    scope = fields.pop("scope")
    return {
        **fields,
        "scope": str(entry.scope),
        "project": scope["project"],
        "namespace": scope["namespace"],
        "agent": scope["agent"],
        "applies_when": scope["applies_when"],
        "memory_type": entry.kind.memory_type,
        "revision": entry.revision,
    }


def link_json(relation: str, entry: MemoryEntry) -> dict[str, Any]:
    """Return an edge for programs, as seen from the memory at this end of it."""
    return {
        "relation": relation,
        "id": entry.id,
        "external_id": entry.external_id,
        "kind": entry.kind,
        "project": entry.scope.project,
        "title": entry.title,
    }


def memory_line(entry: MemoryEntry) -> str:
    """Return a memory as one item of a list."""
    notes = [str(entry.kind), entry.scope.project or "everywhere"]
    if entry.status != "active":
        notes.append(str(entry.status))
    return f"- `{entry.id}` {escaped(entry.title)} ({', '.join(notes)})"


def memory_lines(entries: Iterable[MemoryEntry]) -> str:
    """Return memories as a list, or a word that there are none."""
    return "\n".join(map(memory_line, entries)) or "None."


def part_label(part: str) -> str:
    """Return what the records of a part of an archive are; a memory and each of its former states is one."""
    return "memories and former states" if part == "memories" else part


def size_text(size: int) -> str:
    """Return a size in bytes as people read it."""
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def problem_lines(problems: Sequence[Problem]) -> str:
    """Return problems as a list, the first ones only."""
    lines = [f"- {escaped(each.where)}: {escaped(each.what)}" for each in problems[:SHOWN_PROBLEMS]]
    if len(problems) > SHOWN_PROBLEMS:
        lines.append(f"- and {len(problems) - SHOWN_PROBLEMS} more; `--json` has all of them")
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Return a text on one line that Markdown leaves alone."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("<", "\\<").replace("|", "\\|")


def quoted(text: str) -> str:
    """Return a text as a block of quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
