"""Entries, relations and decisions as rows of the index, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Decision
from hardwon.kernel.relation import Relation

if TYPE_CHECKING:
    from datetime import datetime

_COLUMNS = (
    "id", "namespace", "project", "agent", "kind", "status", "strength", "channel", "confidence", "importance",
    "asserted_at", "retracted_at", "valid_at", "valid_until", "topic", "topics", "tags", "applies_when",
    "external_id", "idempotency_key", "length", "content", "principle", "entry", "path", "stale",
    "stem",
)  # fmt: skip
_NOT_OF_THE_FILE = ("entry", "stale")
"""Columns that may be written otherwise for the same file: one memory has several spellings in JSON."""
_UPSERT = (
    f"INSERT INTO memories ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))}) "  # noqa: S608
    f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS[1:])}"
)


def put_entries(connection: sqlite3.Connection, entries: Iterable[tuple[MemoryEntry, str | None]]) -> None:
    """Write rows of memories with their paths, replacing those of the same id."""
    connection.executemany(_UPSERT, (_row(entry, path) for entry, path in entries))


def stem_of(path: str) -> str:
    """Return the name by which wikilinks find a file, whatever their case."""
    return path.rpartition("/")[2][: -len(".md")].casefold()


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def _json(values: Sequence[Any]) -> str:
    return json.dumps(values, ensure_ascii=False) if values else "[]"


def _row(entry: MemoryEntry, path: str | None) -> tuple[Any, ...]:
    scope, times = entry.scope, entry.times
    return (
        entry.id, scope.namespace, scope.project, scope.agent, entry.kind.value, entry.status.value,
        entry.strength.value, entry.channel.value, entry.confidence, entry.importance, times.asserted_at.timestamp(),
        _seconds(times.retracted_at), _seconds(times.valid_at), _seconds(times.valid_until), entry.home_topic,
        _json(entry.topics), _json(entry.tags), scope.applies_when.model_dump_json(), entry.external_id,
        entry.idempotency_key, len(entry.content), entry.content, entry.lesson.principle,
        entry.model_dump_json(), path, 0, None if path is None else stem_of(path),
    )  # fmt: skip


def entry_of(row: sqlite3.Row) -> MemoryEntry:
    """Return the memory of a row that has the column `entry`. Raises sqlite3.DatabaseError when the row is damaged."""
    try:
        return MemoryEntry.model_validate_json(row["entry"])
    except ValidationError as error:
        raise sqlite3.DatabaseError(f"the row of a memory is damaged: {error.errors()[0]['msg']}") from None


def agrees(row: sqlite3.Row, entry: MemoryEntry, path: str) -> bool:
    """Tell whether a whole row says what its file does. Raises sqlite3.DatabaseError when the row is damaged."""
    plain = dict(zip(_COLUMNS, _row(entry, path), strict=True))
    return entry_of(row) == entry and all(row[name] == plain[name] for name in _COLUMNS if name not in _NOT_OF_THE_FILE)


def put_relations(connection: sqlite3.Connection, relations: Sequence[Relation], *, in_text: bool = False) -> None:
    """Write edges; one that stands already is left alone."""
    connection.executemany(
        "INSERT OR IGNORE INTO relations (source, kind, target, weight, note, asserted_at, retracted_at, relation,"
        " in_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                each.source, each.kind.value, each.target, each.weight, each.note, each.asserted_at.timestamp(),
                _seconds(each.retracted_at), each.model_dump_json(), int(in_text),
            )
            for each in relations
        ),
    )  # fmt: skip


def relation_of(row: sqlite3.Row) -> Relation:
    """Return the edge of a row that has the column `relation`."""
    return Relation.model_validate_json(row["relation"])


def put_decision(connection: sqlite3.Connection, decision: Decision, path: str) -> None:
    """Write the row of a decision."""
    connection.execute(
        "INSERT OR REPLACE INTO decisions (id, proposal, at, decision, path) VALUES (?, ?, ?, ?, ?)",
        (decision.id, decision.proposal, decision.at.timestamp(), decision.model_dump_json(), path),
    )


def in_list(values: Iterable[str]) -> str:
    """Return texts as the JSON parameter of `IN (SELECT value FROM json_each(?))`, which any number fits into."""
    return _json(list(values))
