"""A kernel Filter as a condition on any table with the columns of `memories`, those of search among them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwon.kernel.query import Filter


def condition(filter: Filter) -> tuple[str, list[Any]]:
    """Return an SQL condition on the columns of `memories` (unqualified), and its parameters.

    Lists travel as one JSON parameter, so that their length is not limited by SQLite.
    """
    clauses: list[str] = []
    values: list[Any] = []

    def any_of(column: str, wanted: Sequence[str] | None) -> None:
        if wanted is not None:
            clauses.append(f"{column} IN (SELECT value FROM json_each(?))")  # noqa: S608
            values.append(json.dumps(list(wanted), ensure_ascii=False))

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
        values.append(json.dumps(list(filter.tags), ensure_ascii=False))
    _topic(filter.topic_prefix, clauses, values)
    _times(filter, clauses, values)
    return " AND ".join(clauses) or "1", values


def _topic(prefix: str | None, clauses: list[str], values: list[Any]) -> None:
    if prefix:
        clauses.append(
            "EXISTS (SELECT 1 FROM json_each(topics) WHERE json_each.value = ? OR substr(json_each.value, 1, ?) = ?)"
        )
        values += [prefix, len(prefix) + 1, prefix + "."]


def _times(filter: Filter, clauses: list[str], values: list[Any]) -> None:
    """Add conditions on both times, each a half-open interval: from its start until just before its end."""
    if filter.as_of is not None:
        moment = filter.as_of.timestamp()
        clauses.append("(valid_at IS NULL OR valid_at <= ?) AND (valid_until IS NULL OR valid_until > ?)")
        values += [moment, moment]
    if filter.known_at is not None:
        moment = filter.known_at.timestamp()
        clauses.append("asserted_at <= ? AND (retracted_at IS NULL OR retracted_at > ?)")
        values += [moment, moment]
