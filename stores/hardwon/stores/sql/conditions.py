"""A kernel Filter as a condition on `memories` that any database takes; lists of any length go by `Database.among`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardwon.stores.search.filters import seen_by, times_condition

if TYPE_CHECKING:
    from hardwon.kernel.query import Filter
    from hardwon.stores.sql.database import Database


def condition(database: Database, filter: Filter) -> tuple[str, list[Any]]:
    """Return an SQL condition on the columns of `memories` (unqualified), and its values."""
    clauses: list[str] = []
    values: list[Any] = []
    for column, wanted in (
        ("id", filter.ids),
        ("external_id", filter.external_ids),
        ("idempotency_key", filter.idempotency_keys),
        ("kind", filter.kinds),
        ("status", filter.statuses),
        ("namespace", None if filter.namespace is None else (filter.namespace,)),
    ):
        if wanted is not None:
            _add(database.among(column, list(map(str, wanted))), clauses, values)
    if filter.projects is not None:
        _add(of_projects(database, filter.projects), clauses, values)
    seen_by(filter, clauses, values)
    if filter.tags is not None:
        clause, named = database.among("value", filter.tags)
        _add((f"number IN (SELECT memory FROM tags WHERE {clause})", named), clauses, values)  # noqa: S608
    if filter.topic_prefix:
        _add(of_topic(filter.topic_prefix), clauses, values)
    times_condition(filter, clauses, values)
    return " AND ".join(clauses) or "1 = 1", values


def of_projects(database: Database, projects: Sequence[str | None]) -> tuple[str, list[Any]]:
    """Return the part of a condition that names projects, and its values."""
    clause, named = database.among("project", [each for each in projects if each is not None])
    return (f"({clause} OR project IS NULL)" if None in projects else clause), named


def of_topic(prefix: str) -> tuple[str, list[Any]]:
    """Return the part of a condition that names a topic and all below it, and its values."""
    clause = "number IN (SELECT memory FROM topics WHERE value = ? OR (value >= ? AND value < ?))"
    return clause, [prefix, f"{prefix}.", f"{prefix}/"]


def _add(part: tuple[str, list[Any]], clauses: list[str], values: list[Any]) -> None:
    clauses.append(part[0])
    values += part[1]
