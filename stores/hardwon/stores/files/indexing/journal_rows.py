"""What the index knows of the journal: a row a block, without its words, which are read from the day's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.journal import Block, Known
from hardwon.stores.files.indexing.rows import in_list

if TYPE_CHECKING:
    import sqlite3

    from hardwon.kernel.session import Turn
    from hardwon.stores.files.indexing.index import Index

_COLUMNS = (
    "path", "harness", "session", "turn", "at", "project", "branch", "taken_by", "retracted_at", "copy", "messages",
)  # fmt: skip
_INSERT = f"INSERT INTO journal ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608


def add_blocks(index: Index, path: str, blocks: Iterable[Known]) -> None:
    """Write rows of blocks that were added to a file."""
    index.run_many(_INSERT, (_row(path, known) for known in blocks))


def put_file(index: Index, path: str, blocks: Sequence[Known], now: datetime) -> None:
    """Make the rows of a file what it holds.

    What a person took out of it counts as taken back, unless it stands in another file now.
    """
    forget_file(index, path, now)
    add_blocks(index, path, blocks)
    index.run(
        "DELETE FROM journal WHERE path IS NULL AND EXISTS (SELECT 1 FROM journal other WHERE other.path IS NOT NULL"
        " AND other.harness = journal.harness AND other.session = journal.session AND other.turn = journal.turn"
        " AND other.messages = journal.messages)"
    )


def forget_file(index: Index, path: str, now: datetime) -> None:
    """Let the blocks of a file that is gone count as taken back."""
    sql = "UPDATE journal SET path = NULL, retracted_at = coalesce(retracted_at, ?) WHERE path = ?"
    index.run(sql, (now.isoformat(), path))


def agrees(index: Index, path: str, blocks: Iterable[Known]) -> bool:
    """Tell whether the rows of a file say what it holds."""
    rows = index.rows("SELECT * FROM journal WHERE path = ?", (path,))
    return Counter(map(tuple, rows)) == Counter(_row(path, known) for known in blocks)


def known_of(index: Index, turns: Sequence[Turn], copies: Sequence[str]) -> list[Known]:
    """Return what may tell of these turns: the blocks of their sessions, of their ids and of their copies."""
    rows = index.rows(
        "SELECT * FROM journal WHERE session IN (SELECT value FROM json_each(?1))"
        " OR turn IN (SELECT value FROM json_each(?2))"
        " OR (copy != '' AND copy IN (SELECT value FROM json_each(?3))) ORDER BY rowid",
        (
            in_list({turn.session for turn in turns}),
            in_list({turn.id for turn in turns}),
            in_list(filter(None, copies)),
        ),
    )
    return [_known(row) for row in rows]


def known_in(index: Index, sessions: str) -> list[Known]:
    """Return the blocks of some sessions, a JSON list of them."""
    sql = "SELECT * FROM journal WHERE session IN (SELECT value FROM json_each(?))"
    return [_known(row) for row in index.rows(sql, (sessions,))]


def blocks_where(index: Index, condition: str, values: Sequence[Any] = ()) -> list[Block]:
    """Return the blocks without their words, in the order of time."""
    sql = f"SELECT * FROM journal WHERE {condition} ORDER BY at, rowid"  # noqa: S608
    return [_known(row).block for row in index.rows(sql, values)]


def _row(path: str, known: Known) -> tuple[Any, ...]:
    block = known.block
    retracted = block.retracted_at.isoformat() if block.retracted_at else None
    return (
        path, block.harness, block.session, block.turn, block.at.isoformat(), block.project, block.branch,
        block.taken_by, retracted, known.copy, " ".join(sorted(known.messages)),
    )  # fmt: skip


def _known(row: sqlite3.Row) -> Known:
    block = Block(
        harness=row["harness"],
        session=row["session"],
        turn=row["turn"],
        at=parse_time(row["at"]),
        project=row["project"],
        branch=row["branch"],
        taken_by=row["taken_by"],
        retracted_at=parse_time(row["retracted_at"]) if row["retracted_at"] else None,
        said="",
        place=row["path"] or "",
    )
    return Known(block, frozenset(row["messages"].split()), row["copy"])
