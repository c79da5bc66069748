"""Whether what the server derives from the memories says what they say: every row, and what search knows."""

# ruff: noqa: S608 - whatever comes from outside is a value; the text is put together from parts of this house
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hardwon.kernel.records import Problem
from hardwon.stores.postgres.indexing import LOOSE
from hardwon.stores.sql.verifying import PAGE, REINDEX, verify_rows

if TYPE_CHECKING:
    from hardwon.stores.postgres.database import PostgresDatabase

_WORDS = "SELECT number, length, terms FROM memories WHERE number > ? ORDER BY number LIMIT ?"
_EMBEDDED = "SELECT {} FROM memories, string_to_table(vector_keys, ' ') AS text WHERE text != '' AND number"
_OF_WHAT_THEY_SAY = f"{_EMBEDDED.format('substr(text, 4), number')} BETWEEN ?1 AND ?2"
_KNOWN = "SELECT key, memory FROM search_keys WHERE memory BETWEEN ?1 AND ?2"
_WRONG_KEYS = (
    f"SELECT * FROM (({_OF_WHAT_THEY_SAY} EXCEPT {_KNOWN}) UNION ALL ({_KNOWN} EXCEPT {_OF_WHAT_THEY_SAY})) AS wrong "
    "LIMIT 1"
)
_ALL = 2**62
"""Above every number of a memory."""


def verify(database: PostgresDatabase) -> list[Problem]:
    """Return what cannot be read, and what is derived wrongly, all of one moment. Raises StoreError."""
    with database.reading():
        found = verify_rows(database, database.server)
        if not found and (wrong := _wrong_search(database)):
            what = f"Search knows something else than the memories: {wrong}; {REINDEX}."
            found.append(Problem(where=database.server, what=what))
    return found


def _wrong_search(database: PostgresDatabase) -> str:
    """Return in what the tables of search differ from the rows of the memories; empty where they do not."""
    documents = length = 0
    left = Counter({str(term): int(count) for term, count in database.rows("SELECT term, documents FROM search_terms")})
    last = -1
    while last < _ALL:
        rows = database.rows(_WORDS, [last, PAGE])
        upto = rows[-1][0] if len(rows) == PAGE else _ALL
        if database.rows(_WRONG_KEYS, [last + 1, upto]):
            return "which of their texts are embedded"
        for _, terms_of_it, text in rows:
            documents, length = documents + 1, length + terms_of_it
            left.subtract(set(text.split()))
        last = upto
    if database.rows("SELECT documents, length FROM search_totals") != [(documents, length)]:
        return "how many there are"
    if wrong := next((term for term, count in left.items() if count), ""):
        return f"how many hold {wrong}"
    return "vectors of texts that none has" if database.rows(f"SELECT memory {LOOSE} LIMIT 1") else ""
