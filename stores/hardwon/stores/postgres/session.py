"""One connection as a session of ours: how it is made ready, and statements on it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import psycopg

from hardwon.stores.postgres.statements import fit, numbered

if TYPE_CHECKING:
    from hardwon.kernel.settings import PostgresSettings
    from hardwon.stores.postgres.connections import Connection

ABANDONED = 300
"""Seconds after which the server ends an operation that nobody goes on with: its machine was switched off."""
SEARCHED = 64
"""Vectors of an index that a search compares at least: the more, the surer it finds the nearest."""


def prepare(connection: Connection, settings: PostgresSettings) -> None:
    """Make a new connection ours: its schema and its time-outs."""
    run(
        connection,
        f'SET search_path = "{settings.schema_name}", public; '
        "SET default_transaction_isolation = 'read committed'; "
        f"SET statement_timeout = {milliseconds(settings.statement_timeout)}; "
        f"SET lock_timeout = {milliseconds(settings.lock_timeout)}; "
        f"SET idle_in_transaction_session_timeout = {milliseconds(ABANDONED)}; "
        "SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 6; "
        # Compiling a statement, or sharing it among processes, takes longer than a search.
        "SET jit = off; SET max_parallel_workers_per_gather = 0; "
        f"SET hnsw.ef_search = {SEARCHED}; SET hnsw.iterative_scan = relaxed_order; SET client_min_messages = error",
    )


def lock_number(schema: str, name: str) -> int:
    """Return the number of an advisory lock: another for each schema, the same on every machine."""
    digest = hashlib.sha256(f"hardwon:{schema}:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def milliseconds(seconds: float) -> int:
    """Return a time-out as the server takes it, where 0 would mean none."""
    return max(1, int(seconds * 1000))


def run(connection: Connection, script: str) -> None:
    """Run statements without values. Raises psycopg.Error."""
    connection.execute(script.encode())


def executed(connection: Connection, statement: str, values: Sequence[Any]) -> psycopg.RawCursor[tuple[Any, ...]]:
    """Run a statement; return its rows. Raises psycopg.Error."""
    cursor = psycopg.RawCursor(connection)
    cursor.execute(numbered(statement), fit(values))
    return cursor


def executed_many(connection: Connection, statement: str, rows: Iterable[Sequence[Any]]) -> int:
    """Run a statement for each of the rows, which travel together; return how many rows were touched."""
    with psycopg.RawCursor(connection) as cursor:
        cursor.executemany(numbered(statement), [fit(row) for row in rows])
        return cursor.rowcount
