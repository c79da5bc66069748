"""Memories as rows of the table `memories`, and back; a test holds the names of the columns against the tables."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from hardwon.kernel.cleaning import cleaned_content, cleaned_entry, may_be_dirty, refuse_too_deep
from hardwon.kernel.errors import StoreError
from hardwon.kernel.memory import MemoryEntry
from hardwon.stores.search.documents import FACTS, Document, document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardwon.stores.sql.searching import Posted

COLUMNS = ("number", "id", *FACTS, "channel", "changed", "length", "vector_keys", "terms", "entry", "content")
INSERT = f"INSERT INTO memories ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
INSERT_UNKNOWN = f"{INSERT} ON CONFLICT (id) DO NOTHING"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in COLUMNS[2:])} WHERE number = ?"  # noqa: S608
ENTRY = "id, entry, content"
"""The columns that a memory is read from, in the order of `entry_of`."""
_APART = {"id", "content"}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A memory as it will be written, made before the writers' lock is held: finding its terms takes longest."""

    entry: MemoryEntry
    json: str
    document: Document

    def row(self, number: int, change: int) -> tuple[Any, ...]:
        """Return the values of COLUMNS."""
        entry, found = self.entry, self.document
        return (
            number, entry.id, *found.facts, entry.channel.value, change, found.length, found.vector_keys, found.terms,
            self.json, entry.content,
        )  # fmt: skip

    def posted(self, number: int) -> Posted:
        """Return what search is told."""
        return number, self.document.length, self.document.terms


def prepared(entry: MemoryEntry) -> Prepared:
    """Return a memory ready to be written, cleaned of what no store can hold. Raises InvalidInput where that fails."""
    refuse_too_deep(entry.metadata)
    text = _plain(entry)
    if text is None or may_be_dirty(text) or cleaned_content(entry.content) != entry.content:
        entry = cleaned_entry(entry)
        text = _plain(entry)
    assert text is not None
    if entry.metadata:  # only here can stand what JSON has no word for
        entry = entry_of((entry.id, text, entry.content))
    return Prepared(entry, text, document(entry))


def plain(entry: MemoryEntry) -> str:
    """Return what the column `entry` holds of a memory."""
    return entry.model_dump_json(exclude=_APART, exclude_defaults=True)


def _plain(entry: MemoryEntry) -> str | None:
    """Return the column `entry`; None where a text of it has no bytes."""
    try:
        return plain(entry)
    except PydanticSerializationError:  # a lone surrogate
        return None


def entry_of(row: Sequence[Any]) -> MemoryEntry:
    """Return the memory of a row of ENTRY. Raises StoreError when the row is damaged."""
    id, text, content = row
    try:
        return MemoryEntry.model_validate({**json.loads(text), "id": id, "content": content})
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"The row of the memory {id} is damaged ({_first(error)}); restore a backup.") from None


def _first(error: BaseException) -> str:
    return str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else str(error)
