"""Admit: a new memory is kept, or is one more source of what is known; what it contradicts is dealt with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.sameness.verdict import Sameness
from hardwon.kernel.use_cases.superseding import heads_of, supersede
from hardwon.kernel.use_cases.write_gate.conflicts import contradict, mark_conflict, withdraw_questions
from hardwon.kernel.use_cases.write_gate.meeting import Met, met
from hardwon.kernel.use_cases.write_gate.reinforcing import USER, reinforce

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


@dataclass(frozen=True)
class Admitted:
    """What became of a new memory."""

    entry: MemoryEntry
    """The memory that says it now: the new one, or the known one whose evidence it became."""
    is_new: bool
    notes: tuple[str, ...] = ()
    """What else happened, a sentence each, with how to take it back."""


def admit(home: Home, entry: MemoryEntry, *, replaces: MemoryEntry | None = None) -> Admitted:
    """Keep a memory by the rules of the gate; `replaces` names the one whose place it takes. Within one operation."""
    found = [] if replaces is not None else met(home, entry)
    same = next((each for each in found if each.verdict.sameness is Sameness.DUPLICATE), None)
    if same is not None:
        known = reinforce(home, same.known, entry)
        return Admitted(known, False, (f"It says what {known.id} says, and counts as evidence for it.",))
    kept = home.storage.memories.put([entry])[0]
    if kept.id != entry.id:
        return Admitted(kept, False)
    if replaces is not None:
        kept = take_place(home, kept, replaces)
        return Admitted(kept, True, (f"It takes the place of {replaces.id}.",))
    notes = []
    for each in found:
        note = oppose(home, kept, each)
        if note:
            notes.append(note)
    return Admitted(home.storage.memories.get([kept.id])[kept.id], True, tuple(notes))


def take_place(home: Home, newer: MemoryEntry, older: MemoryEntry, note: str | None = None) -> MemoryEntry:
    """Let one memory supersede what another has become by now, and end the questions about both of these.

    Raises Conflict where it lies further back in that chain.
    """
    gone = dict.fromkeys([older.id, *heads_of(home, older.id)])
    newer = supersede(home, newer, older, note)
    for id in gone:
        if id != newer.id:
            withdraw_questions(home, id)
    return newer


def oppose(home: Home, entry: MemoryEntry, other: Met) -> str | None:
    """Deal with a memory that cannot hold beside a new one; return what was done, None where nothing was."""
    present = home.storage.memories.get([entry.id, other.known.id])
    new, known = present[entry.id], present[other.known.id]
    newer, older = (new, known) if other.is_newer else (known, new)
    reason = other.verdict.reason
    if other.narrower:
        contradict(home, known, new, reason)
        return f"It is an exception to {known.id}, which holds in another place too ({reason})."
    if changed_mind(newer, other):
        take_place(home, newer, older, reason)
        return (
            f"{newer.id} takes the place of {older.id} ({reason}), since it says that this changed; both are kept, and "
            f"`hardwon forget {newer.id}` gives that one its place back."
        )
    question = mark_conflict(home, known, new, reason)
    if question is None:
        return None
    return (
        f"It cannot hold beside {known.id} ({reason}); both are marked as in conflict. "
        f"`hardwon review accept {question.id}` lets the newer one take the other's place, "
        f"`hardwon review reject {question.id}` lets both stand."
    )


def changed_mind(newer: MemoryEntry, other: Met) -> bool:
    """Tell whether a person said in so many words that something is no longer as it was."""
    return other.verdict.changes_mind and newer.source.said_by == USER
