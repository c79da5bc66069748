"""Memories in SQLite as the hook program shows them, for one reader, whatever store wrote them there."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardwon.kernel.injection import Shown
from hardwon.kernel.text import in_language
from hardwon.kernel.visibility import reader
from hardwon.stores.search.filters import Conditions, condition

CONFLICT = "conflict"
STANDING = ("active", CONFLICT)
HARD = "hard"
RULE = "rule"
COLUMNS = (
    "memories.id, memories.kind, memories.content, memories.project, memories.strength, "
    "coalesce(memories.valid_at, memories.asserted_at), "
    "coalesce(json_extract(memories.entry, '$.source.said_by'), 'user'), memories.status, memories.applies_when"
)
"""What a memory is shown by: the fields of Kept."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: which agent, in whose eyes which projects' memories are visible, in which language, and when."""

    agent: str
    visible: Sequence[str | None]
    language: str
    now: float
    """Seconds since 1970."""

    def conditions(self) -> Conditions:
        """Return what lets in the memories that this reader sees now."""
        return Conditions(
            statuses=STANDING,
            namespace="default",
            projects=self.visible,
            agent=reader(self.agent),
            as_of=self.now,
            known_at=self.now,
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory as it stands in the index."""

    id: str
    kind: str
    content: str
    project: str | None
    strength: str
    since: float
    """When it became true or was learned, in seconds since 1970."""
    said_by: str
    status: str
    narrowed: str
    """What narrows its scope, as JSON; empty for nothing."""

    @property
    def applies_when(self) -> dict[str, list[str]]:
        """Return what narrows its scope, by languages, frameworks, roles and tags."""
        found: dict[str, list[str]] = json.loads(self.narrowed) if self.narrowed else {}
        return found

    def shown(self, of: str | None, against: str | None = None) -> Shown:
        """Return it as an agent is shown it; `of` is the memory that brought it."""
        day = time.strftime("%Y-%m-%d", time.gmtime(self.since))
        hard, doubtful = self.strength == HARD, self.status == CONFLICT
        return Shown(self.id, self.kind, self.content, self.project, day, self.said_by, hard, of, against, doubtful)


class Shelf:
    """The memories that a reader sees."""

    def __init__(self, connection: sqlite3.Connection, reader: Reader) -> None:
        self._connection = connection
        self._reader = reader
        self.is_behind = False
        """What is read was found to differ from the truth."""

    def get(self, ids: Sequence[str]) -> dict[str, Kept]:
        """Return those that exist, by id, in the order asked for."""
        found = {kept.id: kept for kept in self.where("memories.id IN (SELECT value FROM json_each(?))", [_list(ids)])}
        return {id: found[id] for id in ids if id in found}

    def visible(self, ids: Sequence[str]) -> list[Kept]:
        """Return those that the reader sees, oldest id first."""
        return self._conditioned(ids, self._reader.conditions()) if ids else []

    def standing(self, ids: Sequence[str]) -> dict[str, Kept]:
        """Return those that stand and hold now, by id, of whatever project."""
        conditions = self._reader.conditions()
        conditions.projects = None
        return {kept.id: kept for kept in self._conditioned(ids, conditions)}

    def has_begun(self, ids: Sequence[str]) -> bool:
        """Tell whether one of these would be visible if nothing ever ended."""
        conditions = self._reader.conditions()
        conditions.ids, conditions.as_of = ids, None
        clause, values = condition(conditions)
        sql = f"SELECT EXISTS (SELECT 1 FROM memories WHERE {clause} AND coalesce(valid_at, 0) <= ?)"  # noqa: S608
        return bool(self._connection.execute(sql, [*values, self._reader.now]).fetchone()[0])

    def edges(self, id: str) -> list[tuple[str, str, str]]:
        """Return the edges that touch a memory and are believed, oldest first: source, kind, target."""
        sql = (
            "SELECT source, kind, target FROM relations "
            "WHERE (source = ?1 OR target = ?1) AND retracted_at IS NULL AND asserted_at <= ?2 "
            "ORDER BY asserted_at, source, kind, target"
        )
        return self._connection.execute(sql, (id, self._reader.now)).fetchall()

    def where(self, clause: str, values: Sequence[object], rest: str = "ORDER BY memories.id") -> list[Kept]:
        """Return the memories of a condition."""
        sql = f"SELECT {COLUMNS} FROM memories WHERE {clause} {rest}"  # noqa: S608
        return [self.kept(*row) for row in self._connection.execute(sql, values).fetchall()]

    def kept(self, id: str, kind: str, content: str, *rest: Any) -> Kept:
        """Return the memory of a row; of a rule, which holds its translations, what it says in the reader's own."""
        return Kept(id, kind, in_language(content, self._reader.language) if kind == RULE else content, *rest)

    def _conditioned(self, ids: Sequence[str], conditions: Conditions) -> list[Kept]:
        conditions.ids = ids
        clause, values = condition(conditions)
        within = f"memories.id IN (SELECT id FROM memories WHERE {clause})"  # noqa: S608
        return self.where(within, values)


def _list(ids: Sequence[str]) -> str:
    """Return texts as the JSON parameter of `IN (SELECT value FROM json_each(?))`, which any number fits into."""
    return json.dumps(list(ids))
