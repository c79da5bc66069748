"""The indexes of vectors (HNSW): for each space and language one, made when there are enough to be worth it.

Below that the server reads all vectors, which is exact. A space's index is one a language, since what nearness is worth
is measured by language (`hardwon.stores.search.impostors`): only within one is what is nearer also further above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hardwon.kernel.errors import StoreBusy
from hardwon.kernel.records import Measurement, Problem
from hardwon.stores.vectors.languages import LANGUAGES

if TYPE_CHECKING:
    from hardwon.stores.postgres.database import PostgresDatabase

ENOUGH = 1000
"""Texts of one language with a vector: to read all of them takes a millisecond or two."""
QUESTIONS = 20
"""Texts of each language that are taken as questions when the indexes are measured."""
NEAREST = 10
LEAST = 0.95
"""What share of the nearest an index has to find."""
MEMORY = "512MB"
"""What the server may use to make an index; with less it takes many times as long."""

_COPY = "_cc(new|old)[0-9]*$"
"""How PostgreSQL ends the names of copies of indexes while it builds them anew."""


def arrange(database: PostgresDatabase, space: int, setting: Literal["auto", "exact", "hnsw"]) -> list[str]:
    """Make the indexes that are worth it and missing, or drop them all; return the names of those that were made.

    It takes minutes for a million vectors, in which others read and write: no lock is held meanwhile that they need.
    Nothing happens while another machine is at it.
    """
    with database.turn(f"arrange {space}") as got:
        if not got:
            return []
        standing = _standing(database, space)
        if setting == "exact":
            database.run_alone([f"DROP INDEX CONCURRENTLY IF EXISTS {name}" for name in standing])
            return []
        return [name for language in LANGUAGES if (name := _made(database, space, language, setting, standing))]


def _made(database: PostgresDatabase, space: int, language: str, setting: str, standing: dict[str, bool]) -> str | None:
    """Make the index of one language where it is worth it; return its name, None where there was nothing to do."""
    name = f"search_texts_near_{space}_{language}"
    if standing.get(name):
        return None
    sql = "SELECT count(*), min(vector_dims(embedding)) FROM search_texts WHERE space = ? AND language = ?"
    ((count, dimensions),) = database.rows(sql, [space, language])
    if not count or (setting == "auto" and count < ENOUGH):
        return None
    database.run_alone(
        [
            f"DROP INDEX CONCURRENTLY IF EXISTS {name}",  # what a killed process left is not usable
            f"SET maintenance_work_mem = '{MEMORY}'",
            f"CREATE INDEX CONCURRENTLY {name} ON search_texts "
            f"USING hnsw ((embedding::halfvec({dimensions})) halfvec_ip_ops) "
            f"WHERE space = {space} AND language = '{language}'",
        ]
    )
    return name


def rebuild_indexes(database: PostgresDatabase) -> None:
    """Build anew the indexes by which memories are found, while others read and write. Raises StoreBusy, StoreError.

    One after the other: whatever ends it half-way, a kill or somebody who reads for too long, the server is left with
    one copy that answers nothing and that each write keeps up to date. It goes the next time.
    """
    with database.turn("reindex") as got:
        if not got:
            raise StoreBusy(f"Another machine is building the indexes of {database.server} anew; wait until it has.")
        rows = database.rows(
            "SELECT pg_class.relname, pg_index.indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
            "WHERE indrelid IN (to_regclass(?), to_regclass(?)) AND (indisvalid OR relname ~ ?) ORDER BY relname",
            [f"{database.schema}.memories", f"{database.schema}.search_texts", _COPY],
        )
        database.run_alone(
            [
                *(f"DROP INDEX CONCURRENTLY IF EXISTS {name}" for name, is_whole in rows if not is_whole),
                f"SET maintenance_work_mem = '{MEMORY}'",
                *(f"REINDEX INDEX CONCURRENTLY {name}" for name, is_whole in rows if is_whole),
            ]
        )


def _standing(database: PostgresDatabase, space: int) -> dict[str, bool]:
    """Return the indexes of a space, and of each whether it is whole."""
    rows = database.rows(
        "SELECT pg_class.relname, pg_index.indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE indrelid = to_regclass(?) AND starts_with(pg_class.relname, ?)",
        [f"{database.schema}.search_texts", f"search_texts_near_{space}_"],
    )
    return {str(name): bool(valid) for name, valid in rows}


def measure(database: PostgresDatabase, space: int) -> Measurement:
    """Return how many of the nearest texts the indexes find of those that reading all of them finds."""
    standing = sorted(name for name, valid in _standing(database, space).items() if valid)
    found = wanted = 0
    for language in (name.rpartition("_")[2] for name in standing):
        sample = "SELECT embedding FROM search_texts WHERE space = ? AND language = ? ORDER BY key LIMIT ?"
        for (vector,) in database.rows(sample, [space, language, QUESTIONS]):
            near, exact = (_nearest(database, space, language, vector, index) for index in (True, False))
            found, wanted = found + len(near & exact), wanted + len(exact)
    if not wanted:
        return Measurement(told=("Vectors on the server are compared one by one: the nearest are found for sure.",))
    recall = found / wanted
    told = f"The server's indexes of vectors find {recall:.1%} of the {NEAREST} nearest texts."
    if recall >= LEAST:
        return Measurement(told=(told,))
    what = f"Its indexes of vectors find only {recall:.1%} of the nearest texts; run `hardwon reindex`."
    return Measurement(told=(told,), problems=(Problem(where=database.server, what=what),))


def _nearest(database: PostgresDatabase, space: int, language: str, vector: str, index: bool) -> set[tuple[int, str]]:
    """Return the texts nearest to a vector, by the index or by reading all of them."""
    type = f"halfvec({vector.count(',') + 1})"
    # An order that is computed is none that the index has.
    order = f"(embedding::{type} <#> ?::{type})" + ("" if index else " + 0")
    sql = (
        f"SELECT memory, key FROM search_texts WHERE space = {space} AND language = '{language}' "  # noqa: S608
        f"ORDER BY {order} LIMIT {NEAREST}"
    )
    return {(memory, key) for memory, key in database.rows(sql, [vector])}
