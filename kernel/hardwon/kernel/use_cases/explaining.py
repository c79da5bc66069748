"""Why a memory stands: its links both ways, the decisions about it, the file it lies in, and one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.ports import Filed
from hardwon.kernel.proposal import Decision
from hardwon.kernel.use_cases.rules.telling import told_decision

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


@dataclass(frozen=True)
class Explanation:
    """What is known of how a memory came about."""

    path: str | None
    """The file it lies in, in stores that keep it in one."""
    links: list[tuple[str, MemoryEntry]]
    """The name of the edge as read from the memory, and what is at its other end."""
    decisions: list[Decision]
    why: str
    restore: str | None
    """The command, for any folder, that brings back the file that a person deleted."""


def explain(home: Home, entry: MemoryEntry) -> Explanation:
    """Return everything known of how a memory came about."""
    storage = home.storage
    path = storage.path_of(entry.id) if isinstance(storage, Filed) else None
    decisions = [each for each in storage.ledger.decisions() if _is_about(each, entry.id)]
    return Explanation(
        str(path) if path else None, links_of(home, entry.id), decisions, _why(entry, decisions), _restore(home, entry)
    )


def _is_about(decision: Decision, memory: str) -> bool:
    return memory in (decision.rule, *decision.revisions, *decision.targets)


def links_of(home: Home, id: str) -> list[tuple[str, MemoryEntry]]:
    """Return a memory's edges by name as read from it, with the memories at their other ends."""
    edges = home.storage.memories.relations(id)
    others = home.storage.memories.get([edge.other(id) for edge in edges])
    return [(edge.named_from(id), others[edge.other(id)]) for edge in edges if edge.other(id) in others]


def _restore(home: Home, entry: MemoryEntry) -> str | None:
    import shlex

    command = entry.metadata.get("restore_with")  # as docs/reference/memory-folder.md describes it
    if not command:
        return None
    return str(command).replace("git ", f"git -C {shlex.quote(str(home.path / 'memory'))} ", 1)


def _why(entry: MemoryEntry, decisions: list[Decision]) -> str:
    if entry.kind is Kind.RULE and decisions:
        last = decisions[-1]
        return f"On {last.at:%Y-%m-%d} {told_decision(last)}"
    source = entry.source
    place = source.url or (f"{source.file}:{source.line}" if source.file and source.line else source.file)
    origin = f" from {place}" if place else f" in session {source.session}" if source.session else ""
    return f"Kept on {entry.times.asserted_at:%Y-%m-%d}{origin}, as said by {source.said_by}."
