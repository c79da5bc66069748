"""How a memory stands: its confidence by now, what took its place and whose it took, what it is in conflict with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.counting import counted
from hardwon.kernel.memory import Kind
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.superseding import ChainLink, chain_of, predecessors
from hardwon.kernel.use_cases.usage import confidence_of
from hardwon.kernel.use_cases.write_gate.conflicts import open_questions

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


@dataclass(frozen=True)
class Opposed:
    """A memory that cannot hold beside another one."""

    id: str
    reason: str | None
    question: str | None
    """The proposal that asks the user; None where that is settled, or is an exception."""


@dataclass(frozen=True)
class StandingNow:
    """How a memory stands."""

    confidence: float
    """By now; what it was kept with is in the entry."""
    chain: tuple[ChainLink, ...]
    """From what it replaced to what replaced it, the oldest first; empty where it stands alone."""
    superseded_by: str | None
    until: datetime | None
    """When it was no longer true: when its successor began, or what it says itself."""
    opposed: tuple[Opposed, ...]


def standing_now(home: Home, entry: MemoryEntry) -> StandingNow:
    """Return how a memory stands."""
    chain = tuple(chain_of(home, entry.id))
    own = next((link for link in chain if link.entry.id == entry.id), None)
    questions = {target.id: each.id for each in open_questions(home, entry.id) for target in each.targets}
    edges = home.storage.memories.relations(entry.id) if entry.kind is not Kind.RULE else []
    opposed = tuple(
        Opposed(edge.other(entry.id), edge.note, questions.get(edge.other(entry.id)))
        for edge in edges
        if edge.kind is RelationKind.CONTRADICTS
    )
    return StandingNow(
        confidence=confidence_of(home, entry),
        chain=chain,
        superseded_by=own.superseded_by if own else None,
        until=own.until if own else entry.times.valid_until,
        opposed=opposed,
    )


def replaced_told(home: Home, entries: Iterable[MemoryEntry]) -> list[str]:
    """Return a sentence for each of these memories that took the place of others, with how to see what was before."""
    told = []
    for entry in entries:
        before = predecessors(home, entry.id) if entry.kind is not Kind.RULE else []
        if before:
            some = counted(len(before), "earlier memory", "earlier memories")
            told.append(f"{entry.id} took the place of {some}: `hardwon show {entry.id}` tells what was before.")
    return told


def standing_json(standing: StandingNow) -> dict[str, Any]:
    """Return how a memory stands for programs."""
    return {
        "confidence_now": standing.confidence,
        "superseded_by": standing.superseded_by,
        "true_until": standing.until,
        "chain": chain_json(standing.chain),
        "opposed": [{"id": each.id, "why": each.reason, "question": each.question} for each in standing.opposed],
    }


def chain_json(chain: Sequence[ChainLink]) -> list[dict[str, Any]]:
    """Return a chain for programs, the oldest first."""
    return [_link_json(link) for link in chain]


def _link_json(link: ChainLink) -> dict[str, Any]:
    return {
        "id": link.entry.id,
        "content": link.entry.content,
        "said_by": link.entry.source.said_by,
        "since": link.since,
        "until": link.until,
        "superseded_by": link.superseded_by,
        "superseded_at": link.superseded_at,
        "why": link.note,
    }


def standing_text(standing: StandingNow) -> str:
    """Return what took whose place and what is in conflict, in Markdown; empty where nothing is."""
    parts = []
    if standing.chain:
        parts.append(f"## What was before, and what is now\n\n{chain_text(standing.chain)}")
    if standing.opposed:
        parts.append("## What cannot hold beside it\n\n" + "\n".join(map(_opposed_told, standing.opposed)))
    return "\n\n".join(parts)


def chain_text(chain: Sequence[ChainLink]) -> str:
    """Return a chain as a list in Markdown, the oldest first."""
    return "\n".join(map(_told, chain))


def _told(link: ChainLink) -> str:
    until = f" until {link.until:%Y-%m-%d %H:%M}" if link.until else ", and still"
    why = f" ({link.note})" if link.note and link.superseded_by else ""
    return (
        f"- `{link.entry.id}` since {link.since:%Y-%m-%d %H:%M}{until}, said by {link.entry.source.said_by}{why}: "
        f"{link.entry.title}"
    )


def _opposed_told(each: Opposed) -> str:
    reason = f" ({each.reason})" if each.reason else ""
    if each.question is None:
        return f"- `{each.id}`{reason}"
    accept, reject = (f"`hardwon review {decision} {each.question}`" for decision in ("accept", "reject"))
    return f"- `{each.id}`{reason}: {accept} lets the newer one hold, {reject} lets both stand"
