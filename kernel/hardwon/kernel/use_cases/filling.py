"""Filling in lessons' fields that nobody has worded: one change of the history for many lessons, taken back as one.

The words are made before anything is locked; a lesson that was changed meanwhile is left as its person made it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.kernel.ids import new_id
from hardwon.kernel.lesson_fields import DERIVED, PERSON, author_of, is_derived, is_open, unworded, worded
from hardwon.kernel.records import Activity

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

KIND = "backfill"
"""Of the activity that tells of it, and what `log` and `revert` call it."""


@dataclass(frozen=True)
class Filling:
    """Words for the empty fields of a lesson."""

    entry: MemoryEntry
    """As it was when the words were made."""
    fields: Mapping[str, str]
    by: str
    """DERIVED or a model's name."""


@dataclass(frozen=True)
class Filled:
    """What was filled in."""

    id: str
    """By which it is taken back; empty where nothing was filled in."""
    lessons: tuple[Filling, ...]
    changed_meanwhile: int
    """Lessons that were changed while the words were made."""


def fill_in(home: Home, fillings: Sequence[Filling]) -> Filled:
    """Put the words into the lessons, in one change. Raises StoreError when nothing was kept."""
    if not fillings:
        return Filled("", (), 0)
    memories, now = home.storage.memories, home.clock.now()
    done = []
    id = new_id(now)
    with home.storage.operation(f"Fill in fields of {counted(len(fillings), 'lesson')}"):
        present = memories.get([each.entry.id for each in fillings])
        for each in fillings:
            entry = present.get(each.entry.id)
            if entry is None or entry.revision != each.entry.revision:
                continue
            fields = {name: words for name, words in each.fields.items() if may_be_filled(entry, name, each.by)}
            if fields:
                memories.update(entry.id, worded(entry, fields, each.by), expected_revision=entry.revision)
                done.append(Filling(entry, fields, each.by))
        if done:
            # Within the change: what is told and did not happen is taken back as nothing, the reverse never.
            fields_of = {each.entry.id: list(each.fields) for each in done}
            details = {"backfill": id, "filled": len(done), "fields": fields_of}
            home.storage.ledger.append([Activity(kind=KIND, at=now, details=details)])
    return Filled(id if done else "", tuple(done), len(fillings) - len(done))


def may_be_filled(entry: MemoryEntry, field: str, by: str) -> bool:
    """Tell whether a field is empty and open, or was only derived where somebody better words it now."""
    return is_open(entry, field) or (by != DERIVED and is_derived(entry, field))


def take_out(home: Home, id: str) -> list[MemoryEntry]:
    """Take out what one filling put in, except where a person changed it since; return the lessons it was taken of."""
    told = (each.details for each in home.storage.ledger.activity(KIND) if each.details.get("backfill") == id)
    fields_of = {memory: fields for details in told for memory, fields in dict(details.get("fields") or {}).items()}
    memories = home.storage.memories
    changed = []
    for memory, entry in memories.get(list(fields_of)).items():
        own = [
            field
            for field in fields_of[memory]
            if getattr(entry.lesson, field) and author_of(entry, field) not in (PERSON, entry.source.said_by)
        ]
        if own:
            changed.append(memories.update(entry.id, unworded(entry, own)))
    return changed
