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
    agent: str | None = None
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
    for column, wanted in (
        ("id", filter.ids),
        ("external_id", filter.external_ids),
        ("idempotency_key", filter.idempotency_keys),
        ("kind", filter.kinds),
        ("status", filter.statuses),
        ("namespace", None if filter.namespace is None else (filter.namespace,)),
    ):
        if wanted is not None:
            clauses.append(f"{column} IN (SELECT value FROM json_each(?))")  # noqa: S608
            values.append(json.dumps(list(wanted)))
    if filter.projects is not None:
        clause, value = of_projects(filter.projects)
        clauses.append(clause)
        values.append(value)
    seen_by(filter, clauses, values)
    if filter.tags is not None:
        clauses.append(
            "EXISTS (SELECT 1 FROM json_each(tags) WHERE json_each.value IN (SELECT value FROM json_each(?)))"
        )
        values.append(json.dumps(list(filter.tags)))
    _topic(filter.topic_prefix, clauses, values)
    times_condition(filter, clauses, values)
    return " AND ".join(clauses) or "1", values


def is_narrow(filter: Filter | Conditions) -> bool:
    """Tell whether a filter asks for more than a place and a time: what it lets in may be few among many."""
    asked = (filter.ids, filter.external_ids, filter.idempotency_keys, filter.kinds, filter.topic_prefix, filter.tags)
    return any(each is not None for each in asked)


def names_few(filter: Filter | Conditions) -> bool:
    """Tell whether a filter names the memories that it lets in."""
    return any(each is not None for each in (filter.ids, filter.external_ids, filter.idempotency_keys))


def of_projects(projects: Sequence[str | None]) -> tuple[str, str]:
    """Return the part of a condition that names projects, and its parameter."""
    clause = "project IN (SELECT value FROM json_each(?))"
    named = json.dumps([each for each in projects if each is not None])
    return (f"({clause} OR project IS NULL)" if None in projects else clause), named


def seen_by(filter: Filter | Conditions, clauses: list[str], values: list[Any]) -> None:
    """Add the condition on whom a memory is for, as `hardwon.kernel.visibility.may_see` has it."""
    if filter.agent is None:
        return
    if filter.agent.strip():
        clauses.append("(agent IS NULL OR agent = ?)")
        values.append(filter.agent)
    else:
        clauses.append("agent IS NULL")


def _topic(prefix: str | None, clauses: list[str], values: list[Any]) -> None:
    if prefix:
        clauses.append(
            "EXISTS (SELECT 1 FROM json_each(topics) WHERE json_each.value = ? OR substr(json_each.value, 1, ?) = ?)"
        )
        values += [prefix, len(prefix) + 1, prefix + "."]


def times_condition(filter: Filter | Conditions, clauses: list[str], values: list[Any]) -> None:
    """Add conditions on both times, each a half-open interval: from its start until just before its end."""
    if filter.as_of is not None:
        moment = seconds(filter.as_of)
        clauses.append("(valid_at IS NULL OR valid_at <= ?) AND (valid_until IS NULL OR valid_until > ?)")
        values += [moment, moment]
    if filter.known_at is not None:
        moment = seconds(filter.known_at)
        clauses.append("asserted_at <= ? AND (retracted_at IS NULL OR retracted_at > ?)")
        values += [moment, moment]


def seconds(moment: datetime | float | None) -> float | None:
    """Return a moment as seconds since 1970."""
    return moment if moment is None or isinstance(moment, int | float) else moment.timestamp()
