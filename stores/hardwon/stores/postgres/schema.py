"""The tables in PostgreSQL: those of `hardwon.stores.sql`, and what search in this database needs beside them.

Made and brought up to date in one transaction under a lock of all machines; the tables of the house are imported only
then. The tokens are those of the other stores, as they come from `hardwon.kernel.text`: an index over them as an array
(GIN) keeps each as it is, where the parsers of PostgreSQL's own text search would cut Chinese and identifiers anew.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from hardwon.kernel.errors import NewerFormat
from hardwon.stores.sql.format import FORMAT_KEY, FORMAT_VERSION, NUMBERED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardwon.stores.postgres.database import PostgresDatabase

BIRTH_KEY = "birth"
"""The key of `meta` under which tables say which they are: made anew, they number operations anew."""
_EXTENDING = 4_841_001
"""An advisory lock of the whole database: an extension is made once for all its schemas."""
MIGRATIONS: dict[int, tuple[str, ...]] = {}
"""By format, the statements that make the next one of it."""

TERMS = "string_to_array(memories.terms, ' ')"
"""The terms of a memory, as the index of them has it."""
_SEARCH = (
    f"CREATE INDEX memories_by_terms ON memories USING gin (({TERMS})) WITH (fastupdate = off)",
    'CREATE TABLE search_terms (term text COLLATE "C" PRIMARY KEY, documents bigint NOT NULL) WITH (fillfactor = 70)',
    "CREATE TABLE search_totals (documents bigint NOT NULL, length bigint NOT NULL) WITH (fillfactor = 10)",
    "INSERT INTO search_totals VALUES (0, 0)",
    "CREATE TABLE search_usual (language text PRIMARY KEY, memory double precision NOT NULL, "
    "rule double precision NOT NULL, documents bigint NOT NULL, rules bigint NOT NULL, links bigint NOT NULL)",
    # Which texts of a memory are embedded, whether or not a vector is there yet.
    'CREATE TABLE search_keys (key text COLLATE "C", memory bigint, language text NOT NULL, PRIMARY KEY (key, memory))',
    "CREATE INDEX search_keys_by_memory ON search_keys (memory)",
    "CREATE TABLE search_texts (space integer, memory bigint, key text COLLATE \"C\", language text NOT NULL, "
    "embedding halfvec NOT NULL, PRIMARY KEY (space, memory, key))",
    "CREATE INDEX search_texts_by_memory ON search_texts (memory)",
    "CREATE INDEX search_links_of_rules ON relations (target) WHERE kind = 'generalizes' AND retracted_at IS NULL",
)  # fmt: skip


def open_schema(database: PostgresDatabase) -> None:
    """Make the tables where there are none, and bring older ones up to date. Raises NewerFormat, StoreError."""
    if _format(database) == FORMAT_VERSION:
        return
    with database.operation("Bring the tables up to date"):
        database.run("SELECT pg_advisory_xact_lock(?)", [_EXTENDING])
        database.run_script("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        database.run_script(f'CREATE SCHEMA IF NOT EXISTS "{database.schema}"')
        found = _format(database)
        if found is None:
            for statement in _creation():
                database.run_script(statement)
            given = [(FORMAT_KEY, str(FORMAT_VERSION)), (BIRTH_KEY, secrets.token_hex(8))]
            database.run_many("INSERT INTO meta (key, value) VALUES (?, ?)", given)
        for step in range(found or FORMAT_VERSION, FORMAT_VERSION):
            for statement in MIGRATIONS[step]:
                database.run_script(statement)
            database.run("UPDATE meta SET value = ? WHERE key = ?", [str(step + 1), FORMAT_KEY])


def _format(database: PostgresDatabase) -> int | None:
    """Return the format of the tables; None where there are none. Raises NewerFormat."""
    if database.rows("SELECT to_regclass(?)", [f"{database.schema}.meta"]) == [(None,)]:
        return None
    rows = database.rows("SELECT value FROM meta WHERE key = ?", [FORMAT_KEY])
    found = int(rows[0][0]) if rows else None
    if found is not None and found > FORMAT_VERSION:
        raise NewerFormat(
            f"{database.server} holds format {found} and this hardwon knows {FORMAT_VERSION}; "
            "upgrade hardwon, nothing was touched."
        )
    return found


def _creation() -> Iterator[str]:
    from hardwon.stores.sql.schema import statements

    yield from statements("postgresql")
    yield from (f"CREATE SEQUENCE {table}_numbers" for table in NUMBERED)
    yield from _SEARCH
