"""Whether the file is whole: SQLite's own checks, every row, and that search finds what the memories say."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from hardwon.kernel.records import Problem
from hardwon.stores.search import bitmaps
from hardwon.stores.sql.verifying import REINDEX, verify_rows
from hardwon.stores.sqlite.errors import in_our_words, is_damage

if TYPE_CHECKING:
    from hardwon.stores.sqlite.database import SqliteDatabase

_FINDINGS = 20
"""Faults after which SQLite stops looking."""
_LATE = (
    "SELECT id FROM memories JOIN search_chunks AS written ON chunk = number / ? "
    "WHERE written.asserted_at > memories.asserted_at OR written.valid_at > memories.valid_at "
    "OR (written.valid_at IS NOT NULL AND memories.valid_at IS NULL) LIMIT 1"
)
"""A memory whose chunk is passed over for times at which it was known, or held, already."""


def verify(database: SqliteDatabase) -> list[Problem]:
    """Return what is damaged in the file, and what is derived wrongly. Raises StoreBusy, StoreError."""
    where = str(database.path)
    try:
        damage = _damage(database.held.connection)
        if damage:
            what = (
                f"It is damaged ({damage}); run `hardwon reindex`, which keeps what can be read, or restore a backup."
            )
            return [Problem(where=where, what=what)]
        found = verify_rows(database, where)
        if not found and (wrong := _wrong_search(database)):
            found.append(
                Problem(where=where, what=f"Search knows something else than the memories: {wrong}; {REINDEX}.")
            )
    except sqlite3.Error as error:
        raise in_our_words(error, database.path) from None
    return found


def is_damaged(database: SqliteDatabase) -> bool:
    """Tell whether SQLite itself finds the file damaged. Raises StoreError."""
    try:
        return bool(_damage(database.held.connection))
    except sqlite3.Error as error:
        raise in_our_words(error, database.path) from None


def _damage(connection: sqlite3.Connection) -> str:
    """Return the first fault that SQLite finds in its pages and indexes, or an edge whose end is no memory."""
    try:
        found = connection.execute(f"PRAGMA integrity_check({_FINDINGS})").fetchall()
        if found != [("ok",)]:
            return str(found[0][0]).splitlines()[-1]
        loose = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.Error as error:
        if is_damage(error):
            return str(error)
        raise
    return f"{len(loose)} edges lead to memories that are none" if loose else ""


def _wrong_search(database: SqliteDatabase) -> str:
    """Return in what the search tables differ from the rows of the memories; empty where they do not."""
    connection = database.held.connection
    counted = connection.execute("SELECT count(*), coalesce(sum(length), 0) FROM memories").fetchone()
    if counted != connection.execute("SELECT documents, length FROM search_totals").fetchone():
        return "how many there are"
    if wrong := _wrong_bitmaps(connection):
        return wrong
    return "" if not database.place.is_writable or _postings_agree(database) else "which words they hold"


def _postings_agree(database: SqliteDatabase) -> bool:
    """Let FTS5 compare its postings with the terms of the memories; it asks for the writers' lock to do so."""
    try:
        with database.operation("Verify"):
            database.held.connection.execute(
                "INSERT INTO search_postings(search_postings, rank) VALUES ('integrity-check', 1)"
            )
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise
    return True


def _wrong_bitmaps(connection: sqlite3.Connection) -> str:
    """Return in what the written postings are not those of the memories; empty where all are."""
    left = dict(connection.execute("SELECT term, documents FROM search_terms"))
    for chunk in range(bitmaps.full_chunks(connection)):
        holders = _holders(connection, chunk)
        if wrong := _wrong_chunk(connection, chunk, holders):
            return wrong
        for term in left.keys() & holders.keys():
            left[term] -= len(holders[term])
    if wrong := next((term for term, count in left.items() if count), ""):
        return f"how many hold {wrong}"
    late = connection.execute(_LATE, (bitmaps.CHUNK,)).fetchone()
    return f"since when {late[0]} is known" if late else ""


def _holders(connection: sqlite3.Connection, chunk: int) -> dict[str, set[int]]:
    """Return by term the memories of a chunk that hold it, and by the term of each project those that lie in it."""
    first = chunk * bitmaps.CHUNK
    sql = "SELECT number, terms, project FROM memories WHERE number >= ? AND number < ?"
    holders: dict[str, set[int]] = {}
    for number, terms, project in connection.execute(sql, (first, first + bitmaps.CHUNK)):
        for term in (bitmaps.of_project(project), *set(terms.split())):
            holders.setdefault(term, set()).add(number - first)
    return holders


def _wrong_chunk(connection: sqlite3.Connection, chunk: int, holders: dict[str, set[int]]) -> str:
    """Return in what a chunk differs from its memories: a term may be left to FTS5, a project may not."""
    written: set[str] = set()
    for term, documents in connection.execute("SELECT term, documents FROM search_bitmaps WHERE chunk = ?", (chunk,)):
        written.add(term)
        try:
            same = bitmaps.places(documents) == holders.get(term, set())
        except sqlite3.DatabaseError:
            same = False
        if not same:
            return f"who holds {term.strip() or 'anything'}"
    missing = next((term for term in holders if term.startswith(" ") and term not in written), "")
    return f"what lies in {missing.strip() or 'no project'}" if missing else ""
