"""Whether the file is whole: SQLite's own checks, every row, and that search finds what the memories say."""

from __future__ import annotations

import contextlib
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
        return f"who holds {wrong}"
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
    """Return a term whose written postings are not those of the memories; empty where all are."""
    for chunk in range(bitmaps.full_chunks(connection)):
        first = chunk * bitmaps.CHUNK
        sql = "SELECT number, terms, project FROM memories WHERE number >= ? AND number < ?"
        holders: dict[str, set[int]] = {}
        for number, terms, project in connection.execute(sql, (first, first + bitmaps.CHUNK)):
            for term in ("", bitmaps.of_project(project), *set(terms.split())):
                holders.setdefault(term, set()).add(number - first)
        sql = "SELECT term, documents FROM search_bitmaps WHERE chunk = ?"
        for term, documents in connection.execute(sql, (chunk,)):
            places: set[int] = set()
            with contextlib.suppress(sqlite3.DatabaseError):
                places = bitmaps.places(documents)
            if places != holders.get(term, set()):
                return term.strip() or "anything"
    return ""
