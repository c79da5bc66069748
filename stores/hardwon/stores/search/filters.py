"""A kernel Filter as a condition on any table with the columns of `memories`, those of search among them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from hardwon.kernel.query import Filter


@dataclass(slots=True)
class Conditions:
    """A Filter without pydantic, as the hook program has it; moments are seconds since 1970."""

    ids: Sequence[str] | None = None
    external_ids: Sequence[str] | None = None
    idempotency_keys: Sequence[str] | None = None
    kinds: Sequence[str] | None = None
    statuses: Sequence[str] | None = None
    namespace: str | None = None
    projects: Sequence[str | None] | None = None
    topic_prefix: str | None = None
    tags: Sequence[str] | None = None
    as_of: float | None = None
    known_at: float | None = None


def condition(filter: Filter | Conditions) -> tuple[str, list[Any]]:
    """Return an SQL condition on the columns of `memories` (unqualified), and its parameters.

    Lists travel as one JSON parameter, so that their length is not limited by SQLite.
    """
    clauses: list[str] = []
    values: list[Any] = []

    def any_of(column: str, wanted: Sequence[str] | None) -> None:
        if wanted is not None:
            clauses.append(f"{column} IN (SELECT value FROM json_each(?))")  # noqa: S608
            values.append(json.dumps(list(wanted)))

    any_of("id", filter.ids)
    any_of("external_id", filter.external_ids)
    any_of("idempotency_key", filter.idempotency_keys)
    any_of("kind", filter.kinds)
    any_of("status", filter.statuses)
    any_of("namespace", None if filter.namespace is None else (filter.namespace,))
    if filter.projects is not None:
        any_of("project", [each for each in filter.projects if each is not None])
        if None in filter.projects:
            clauses[-1] = f"({clauses[-1]} OR project IS NULL)"
    if filter.tags is not None:
        clauses.append(
            "EXISTS (SELECT 1 FROM json_each(tags) WHERE json_each.value IN (SELECT value FROM json_each(?)))"
        )
        values.append(json.dumps(list(filter.tags)))
    _topic(filter.topic_prefix, clauses, values)
    _times(filter, clauses, values)
    return " AND ".join(clauses) or "1", values


def _topic(prefix: str | None, clauses: list[str], values: list[Any]) -> None:
    if prefix:
        clauses.append(
            "EXISTS (SELECT 1 FROM json_each(topics) WHERE json_each.value = ? OR substr(json_each.value, 1, ?) = ?)"
        )
        values += [prefix, len(prefix) + 1, prefix + "."]


def _times(filter: Filter | Conditions, clauses: list[str], values: list[Any]) -> None:
    """Add conditions on both times, each a half-open interval: from its start until just before its end."""
    if filter.as_of is not None:
        moment = _seconds(filter.as_of)
        clauses.append("(valid_at IS NULL OR valid_at <= ?) AND (valid_until IS NULL OR valid_until > ?)")
        values += [moment, moment]
    if filter.known_at is not None:
        moment = _seconds(filter.known_at)
        clauses.append("asserted_at <= ? AND (retracted_at IS NULL OR retracted_at > ?)")
        values += [moment, moment]


def _seconds(moment: datetime | float) -> float:
    return moment if isinstance(moment, float) else moment.timestamp()
