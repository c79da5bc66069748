"""What search keeps beside the rows of `memories`: how common each term is, and the vectors of their texts.

Written inside the operation that writes the memories. A vector may come before the memory whose text it embeds, or
after it; both look for the other under the writers' lock, so that neither misses the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.stores.sql.packing import unpacked

if TYPE_CHECKING:
    from hardwon.stores.postgres.database import PostgresDatabase
    from hardwon.stores.sql.searching import Posted

_COUNT = (
    "INSERT INTO search_terms (term, documents) SELECT * FROM unnest(?::text[], ?::bigint[]) "
    "ON CONFLICT (term) DO UPDATE SET documents = search_terms.documents + excluded.documents"
)
_KEYS = (
    "INSERT INTO search_keys (key, memory, language) "
    "SELECT DISTINCT ON (key, number) substr(text, 4) AS key, number, left(text, 2) "
    "FROM memories, string_to_table(vector_keys, ' ') AS text WHERE number = ANY(?) AND text != ''"
)
_KNOWN = (
    "SELECT vectors.space, vectors.key, vectors.vector FROM spaces JOIN vectors ON vectors.space = spaces.number "
    "WHERE vectors.key IN (SELECT key FROM search_keys WHERE memory = ANY(?))"
)
_TEXTS = (
    "INSERT INTO search_texts (space, memory, key, language, embedding) "
    "SELECT ?::integer, search_keys.memory, search_keys.key, search_keys.language, given.embedding::halfvec "
    "FROM unnest(?::text[], ?::text[]) AS given (key, embedding) JOIN search_keys ON search_keys.key = given.key "
    "ON CONFLICT (space, memory, key) DO UPDATE SET embedding = excluded.embedding"
)
_MISSING = (
    "SELECT DISTINCT vectors.key, vectors.vector FROM search_keys JOIN vectors ON vectors.key = search_keys.key "
    "WHERE vectors.space = ?1 AND NOT EXISTS (SELECT 1 FROM search_texts WHERE search_texts.space = ?1 "
    "AND search_texts.memory = search_keys.memory AND search_texts.key = search_keys.key) LIMIT 500"
)

_POSTED = "SELECT number, length, terms FROM memories WHERE number > ? ORDER BY number LIMIT ?"
_PAGE = 1000
LOOSE = (
    "FROM search_texts WHERE NOT EXISTS (SELECT 1 FROM search_keys WHERE search_keys.key = search_texts.key "
    "AND search_keys.memory = search_texts.memory AND search_keys.language = search_texts.language)"
)
"""Vectors of texts that no memory has, or that are held to be in another language."""


def add(database: PostgresDatabase, posted: Sequence[Posted]) -> None:
    """Take in rows that were just written."""
    numbers = [number for number, _, _ in posted]
    _count(database, posted, 1)
    database.run(_KEYS, [numbers])
    by_space: dict[int, dict[str, bytes]] = {}
    known = database.rows(_KNOWN, [numbers])
    for (space, key, _), vector in zip(known, unpacked([kept for _, _, kept in known]), strict=True):
        by_space.setdefault(space, {})[key] = vector
    for space, vectors in by_space.items():
        add_vectors(database, space, vectors)


def add_vectors(database: PostgresDatabase, space: int, vectors: Mapping[str, bytes]) -> None:
    """Let memories be found by vectors of their texts; vectors that are no text's of any memory are passed over."""
    written = [halfvec(vector) for vector in vectors.values()]
    database.run(_TEXTS, [space, list(vectors), written])


def rebuild(database: PostgresDatabase) -> None:
    """Derive everything anew from the rows of the memories and the vectors that are kept, inside the operation.

    Others find what they found until it has ended.
    """
    database.run("DELETE FROM search_terms")
    database.run("DELETE FROM search_keys")
    database.run("UPDATE search_totals SET documents = 0, length = 0")
    last = -1
    while posted := database.rows(_POSTED, [last, _PAGE]):
        _count(database, posted, 1)
        database.run(_KEYS, [[number for number, _, _ in posted]])
        last = posted[-1][0]
    database.run(f"DELETE {LOOSE}")
    for (space,) in database.rows("SELECT number FROM spaces"):
        mend(database, space)


def mend(database: PostgresDatabase, space: int) -> None:
    """Take in the vectors that are kept of texts of memories and that search has not.

    They are kept whatever becomes of the operation around: a process that ended before search was told left them so.
    """
    while known := database.rows(_MISSING, [space]):
        vectors = unpacked([kept for _, kept in known])
        with database.operation(f"Take in {len(known)} vectors"):
            add_vectors(database, space, dict(zip((key for key, _ in known), vectors, strict=True)))


def remove(database: PostgresDatabase, ids: Sequence[str]) -> None:
    """Take out memories while their rows still say what is known of them; unknown ids are passed over."""
    posted = database.rows("SELECT number, length, terms FROM memories WHERE id = ANY(?)", [list(ids)])
    numbers = [number for number, _, _ in posted]
    gone = _count(database, posted, -1)
    database.run("DELETE FROM search_terms WHERE documents <= 0 AND term = ANY(?)", [gone])
    for table in ("search_keys", "search_texts"):
        database.run(f"DELETE FROM {table} WHERE memory = ANY(?)", [numbers])  # noqa: S608


def _count(database: PostgresDatabase, posted: Sequence[Posted], sign: int) -> list[str]:
    """Add documents to what is known of each term and of all, or subtract them; return the terms."""
    frequencies: Counter[str] = Counter()
    for _, _, text in posted:
        frequencies.update(set(text.split()))
    terms = sorted(frequencies)
    database.run(_COUNT, [terms, [sign * frequencies[term] for term in terms]])
    database.run(
        "UPDATE search_totals SET documents = documents + ?, length = length + ?",
        [sign * len(posted), sign * sum(length for _, length, _ in posted)],
    )
    return terms


def halfvec(vector: bytes) -> str:
    """Return a vector (little-endian float32) as pgvector reads it."""
    import numpy as np

    numbers = np.frombuffer(vector, dtype="<f4")
    return f"[{','.join(map('{:.5g}'.format, numbers.tolist()))}]"
