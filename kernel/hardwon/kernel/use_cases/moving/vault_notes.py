"""Memories, the journal and decisions as notes of a vault: Markdown that Obsidian and any editor shows."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hardwon.kernel.ids import ID_PATTERN
from hardwon.kernel.memory import Kind, MemoryEntry, Status

if TYPE_CHECKING:
    from hardwon.kernel.journal import Block
    from hardwon.kernel.proposal import Decision
    from hardwon.kernel.relation import Relation
    from hardwon.kernel.version import Version

_LONGEST_SLUG = 60
_NO_NAME = re.compile(r"[^\w]+")
_RESERVED = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
_LINK = re.compile(r"\[\[([^\[\]|#]+)([^\[\]]*)\]\]")
EVERYWHERE = "_global"
"""The folder of what belongs to no project."""


def safe_name(text: str) -> str:
    """Return a text as the name of a file or folder on every system: letters and digits of any script, and `-`."""
    words = _NO_NAME.sub("-", unicodedata.normalize("NFC", text).casefold()).strip("-_")
    name = words[:_LONGEST_SLUG].rstrip("-_")
    return f"{name}-" if _RESERVED.fullmatch(name) else name


def stem_of(entry: MemoryEntry, reference: str) -> str:
    """Return the name of a memory's note: that of its file where it has one, so that links in texts hold."""
    return reference if reference != entry.id else "-".join(filter(None, [safe_name(entry.title), entry.id]))


def folder_of(entry: MemoryEntry) -> str:
    """Return the folder of a memory's note: its project and home topic, or the rules; archived ones apart."""
    topic = [safe_name(part) or "_" for part in entry.home_topic.split(".") if part]
    place = ["rules"] if entry.kind is Kind.RULE else [safe_name(entry.scope.project or "") or EVERYWHERE, *topic]
    return "/".join((["archive"] if entry.status is Status.ARCHIVED else []) + place)


def linked_ids(content: str) -> set[str]:
    """Return the ids of the memories that a text links to."""
    return {found[1].strip()[-18:] for found in _LINK.finditer(content) if ID_PATTERN.fullmatch(found[1].strip()[-18:])}


def memory_note(
    entry: MemoryEntry, edges: Iterable[Relation], former: Iterable[Version], stems: Mapping[str, str]
) -> str:
    """Return a memory as a note, with its links to others from both ends, and what it said before."""

    def link(found: re.Match[str]) -> str:
        stem = stems.get(found[1].strip()[-18:])
        return f"[[{stem}{found[2]}]]" if stem else found[0]

    parts = [_front_matter(_fields(entry)), _LINK.sub(link, entry.content).strip()]
    parts += [f"**{name.capitalize()}**: {value}" for name, value in entry.lesson.model_dump().items() if value]
    links = [
        f"- {edge.named_from(entry.id).replace('_', ' ')}: [[{stems[edge.other(entry.id)]}]]"
        for edge in edges
        if edge.other(entry.id) in stems
    ]
    if links:
        parts.append("## Links\n\n" + "\n".join(links))
    for version in former:
        quoted = "\n".join(f"> {line}".rstrip() for line in version.entry.content.splitlines())
        parts.append(f"## Until {version.until:%Y-%m-%d %H:%M}\n\n{quoted}")
    return "\n\n".join(parts) + "\n"


def _fields(entry: MemoryEntry) -> dict[str, Any]:
    times = entry.times
    return {
        "id": entry.id,
        "kind": entry.kind.value,
        "status": entry.status.value,
        "project": entry.scope.project,
        "topics": list(entry.topics),
        "tags": [re.sub(r"\s+", "-", tag) for tag in entry.tags],
        "valid_at": times.valid_at and times.valid_at.isoformat(),
        "valid_until": times.valid_until and times.valid_until.isoformat(),
        "asserted_at": times.asserted_at.isoformat(),
        "retracted_at": times.retracted_at and times.retracted_at.isoformat(),
        "confidence": entry.confidence,
        "said_by": entry.source.said_by,
    }


def _front_matter(fields: Mapping[str, Any]) -> str:
    lines = [
        f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items() if value not in (None, [])
    ]
    return "\n".join(["---", *lines, "---"])


def decision_note(decision: Decision, stems: Mapping[str, str]) -> str:
    """Return a decision as a paragraph of the list of decisions."""
    lines = [f"## {decision.at:%Y-%m-%d %H:%M}: {decision.action} by {decision.by}"]
    lines += [f"{name}: {text}" for name, text in (("Why", decision.why), ("Then", decision.after)) if text]
    if decision.rule and decision.rule in stems:
        lines.append(f"Rule: [[{stems[decision.rule]}]]")
    return "\n\n".join(lines) + "\n"


def turn_note(block: Block) -> str:
    """Return a turn of the journal as a part of its day's note."""
    return f"## {block.at:%H:%M} {block.harness}{f' in {block.project}' if block.project else ''}\n\n{block.said}\n"
