"""Reads every row and says which are damaged, and which derived ones do not say what the truth says; takes seconds.

The truth is what no other row can give: a memory's content and entry, edges, former states, decisions, what happened
and was said. The other columns of `memories`, and the tables of topics and tags, are derived from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Decision, Proposal
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.relation import Relation
from hardwon.stores.sql import labels
from hardwon.stores.sql.rows import COLUMNS, entry_of, prepared

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database, Row

PAGE = 500
"""Rows that are read at a time."""
REINDEX = "run `hardwon reindex`"
_NAMED = 3
"""How many rows a problem names."""
_CHECKS: tuple[tuple[str, str, Callable[[str], Any]], ...] = (
    ("relations", "relation", Relation.model_validate_json),
    ("decisions", "decision", Decision.model_validate_json),
    ("proposals", "proposal", Proposal.model_validate_json),
    ("activity", "record", Activity.model_validate_json),
    ("journal", "moment", parse_time),
)
"""By table: a column of it, and what reads that."""
_KEYS = {"decisions": "id", "proposals": "id"}
_ENTRY = tuple(COLUMNS.index(name) for name in ("id", "entry", "content"))
_NOT_DERIVED = ("number", "changed", "entry")


def verify_rows(database: Database, where: str) -> list[Problem]:
    """Return a problem for each sort of rows that are damaged, or not derived from what stands beside them."""
    damaged: list[str] = []
    stale: list[str] = []
    written = labels.written(database)
    for row in memory_rows(database):
        entry, had = _entry(row), written.pop(row[0], set())
        if entry is None:
            damaged.append(f"memories {row[1]}")
        elif not _agrees(row, entry) or had != {*labels.topic_rows(row[0], entry), *labels.tag_rows(row[0], entry)}:
            stale.append(str(row[1]))
    stale += [f"what no memory has ({number})" for number in written]
    damaged += _damaged_versions(database)
    damaged += [name for table, column, read in _CHECKS for name in _damaged(database, table, column, read)]
    problems = []
    if damaged:
        what = f"{_few(damaged)} cannot be read; restore a backup, or look into the database by hand."
        problems.append(Problem(where=where, what=what))
    if stale and not damaged:
        what = f"What is derived from the memories says something else than they do ({_few(stale)}); {REINDEX}."
        problems.append(Problem(where=where, what=what))
    return problems


def memory_rows(database: Database) -> Iterator[Row]:
    """Walk the rows of `memories`, with COLUMNS, by number."""
    last = -1
    sql = f"SELECT {', '.join(COLUMNS)} FROM memories WHERE number > ? ORDER BY number LIMIT ?"  # noqa: S608
    while rows := database.rows(sql, (last, PAGE)):
        yield from rows
        last = rows[-1][0]


def _entry(row: Row) -> MemoryEntry | None:
    try:
        return entry_of([row[place] for place in _ENTRY])
    except HardwonError:
        return None


def _agrees(row: Row, entry: MemoryEntry) -> bool:
    """Tell whether the derived columns of a row say what its entry does."""
    wanted = prepared(entry).row(0, 0)
    return all(had == want for name, had, want in zip(COLUMNS, row, wanted, strict=True) if name not in _NOT_DERIVED)


def _damaged_versions(database: Database) -> Iterator[str]:
    """Walk the former states that cannot be read, or whose revision is not the hash of what they hold."""
    last = -1
    sql = "SELECT number, memory, entry, content, revision FROM versions WHERE number > ? ORDER BY number LIMIT ?"
    while rows := database.rows(sql, (last, PAGE)):
        for number, memory, text, content, revision in rows:
            try:
                sound = entry_of((memory, text, content)).revision == revision
            except HardwonError:
                sound = False
            if not sound:
                yield f"versions {number}"
        last = rows[-1][0]


def _damaged(database: Database, table: str, column: str, read: Callable[[str], Any]) -> Iterator[str]:
    """Walk the rows of a table that cannot be read."""
    key = _KEYS.get(table, "number")
    last: str | int = "" if table in _KEYS else -1
    sql = f"SELECT {key}, {column} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT ?"  # noqa: S608
    while rows := database.rows(sql, (last, PAGE)):
        for name, text in rows:
            try:
                read(text)
            except (ValueError, TypeError, AttributeError, HardwonError):
                yield f"{table} {name}"
        last = rows[-1][0]


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
