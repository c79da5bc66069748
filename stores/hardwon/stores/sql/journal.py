"""SqlJournal: what was said in sessions, a row a block, with its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.journal import (
    Acquaintance,
    Block,
    JournalSession,
    JournalTurn,
    Known,
    Standing,
    copy_key,
    identity,
    known_as,
    order,
    sessions_of,
)
from hardwon.kernel.journal_search import best_blocks
from hardwon.stores.sql.journal_rows import INSERT, WITH_WORDS, WITHOUT_WORDS, known_of, row_of

if TYPE_CHECKING:
    from hardwon.kernel.session import Turn
    from hardwon.stores.sql.database import Database

_PAGE = 500
_STANDING = "retracted_at IS NULL"


class SqlJournal:
    """Keeps turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, turns: Sequence[JournalTurn], *, again: bool = False) -> list[Standing]:
        """Keep turns, all or none; return what was known of each before. Raises StoreError."""
        if not turns:
            return []
        with self._database.operation(f"Journal {len(turns)} turns"):
            known = self._known([each.turn for each in turns])
            if again:
                known = self._taken_again(known, [each.turn for each in turns])
            fresh: list[Known] = []
            result = [_meet(entry, known, fresh) for entry in turns]
            self._insert(fresh)
        return result

    def _taken_again(self, known: Acquaintance, turns: Sequence[Turn]) -> Acquaintance:
        """Take out what is left of turns that were taken back, as if they had never been known."""
        gone = [(each.harness, each.session, each.id) for each in turns if known.standing(each) is Standing.RETRACTED]
        if not gone:
            return known
        self._database.run_many("DELETE FROM journal WHERE harness = ? AND session = ? AND turn = ?", gone)
        return self._known(turns)

    def _insert(self, blocks: Sequence[Known]) -> None:
        if blocks:
            change = self._database.change
            numbers = self._database.reserve("journal", len(blocks))
            rows = [row_of(number, each, change) for number, each in zip(numbers, blocks, strict=True)]
            self._database.run_many(INSERT, rows)

    def standing(self, turns: Sequence[Turn]) -> list[Standing]:
        """Return what is known of each turn."""
        known = self._known(turns)
        return [known.standing(turn) for turn in turns]

    def of_session(self, session: str, harness: str | None = None) -> list[Block]:
        """Return what is kept of a session, oldest first."""
        conditions, values = [_STANDING, "session = ?"], [session]
        if harness is not None:
            conditions, values = [*conditions, "harness = ?"], [*values, harness]
        return [each.block for each in self._select(WITH_WORDS, " AND ".join(conditions), values)]

    def sessions(self) -> list[JournalSession]:
        """Return the sessions that something is kept of, the newest first."""
        return sessions_of([each.block for each in self._select(WITHOUT_WORDS)])

    def blocks(self) -> Iterator[Known]:
        """Walk everything that is kept, what was taken back too, in the order of time."""
        return self._walk("1 = 1", [])

    def keep(self, blocks: Sequence[Known]) -> int:
        """Keep blocks as another journal had them, all or none; return how many were not here."""
        if not blocks:
            return 0
        with self._database.operation(f"Keep {len(blocks)} blocks of another journal"):
            clause, values = self._database.among("session", list({each.block.session for each in blocks}))
            here = {identity(each) for each in self._select(WITHOUT_WORDS, clause, values)}
            fresh = {identity(each): each for each in blocks if identity(each) not in here}
            self._insert(sorted(fresh.values(), key=order))
        return len(fresh)

    def search(self, text: str, limit: int = 8, projects: Sequence[str | None] | None = None) -> list[Block]:
        """Return the blocks that hold most words of a question, best first."""
        conditions, values = [_STANDING], list[Any]()
        if projects is not None:
            clause, values = self._database.among("project", [each for each in projects if each is not None])
            conditions.append(f"({clause} OR project IS NULL)" if None in projects else clause)
        return best_blocks(text, (each.block for each in self._walk(" AND ".join(conditions), values)), limit)

    def retract(
        self, at: datetime, *, session: str | None = None, harness: str | None = None, taken_by: str | None = None
    ) -> int:
        """Take out the words of a session, or of what one import took; return of how many turns."""
        asked = {"session": session, "harness": harness, "taken_by": taken_by}
        named = {column: value for column, value in asked.items() if value is not None}
        condition = " AND ".join([_STANDING, *(f"{column} = ?" for column in named)])
        with self._database.operation(f"Take back {session or taken_by or harness or 'the journal'}"):
            found = self._select(WITHOUT_WORDS, condition, list(named.values()))
            turns = {(each.block.harness, each.block.session, each.block.turn) for each in found}
            if turns:
                sql = (
                    "UPDATE journal SET said = '', retracted_at = ?, changed = ? "
                    "WHERE harness = ? AND session = ? AND turn = ?"
                )
                self._database.run_many(sql, [(at.isoformat(), self._database.change, *turn) for turn in turns])
                self._database.leave_no_trace()
        return len(turns)

    def _known(self, turns: Sequence[Turn]) -> Acquaintance:
        """Return what may tell of these turns: the blocks of their sessions, of their ids and of their copies."""
        parts = (
            ("session", {turn.session for turn in turns}),
            ("turn", {turn.id for turn in turns}),
            ("copy", {copy_key(turn) for turn in turns} - {""}),
        )
        clauses, values = [], list[Any]()
        for column, wanted in parts:
            clause, named = self._database.among(column, list(wanted))
            clauses.append(clause)
            values += named
        condition = f"{clauses[0]} OR {clauses[1]} OR (copy != '' AND {clauses[2]})"
        return Acquaintance(self._select(WITHOUT_WORDS, condition, values, "number"))

    def _select(
        self, columns: str, condition: str = "1 = 1", values: Sequence[Any] = (), by: str = "at, number"
    ) -> list[Known]:
        sql = f"SELECT {columns} FROM journal WHERE {condition} ORDER BY {by}"  # noqa: S608
        return [known_of(row) for row in self._database.rows(sql, values)]

    def _walk(self, condition: str, values: Sequence[Any]) -> Iterator[Known]:
        """Walk blocks with their words, in the order of time, some at a time: a year's words fill the memory."""
        by = "at, harness, session, turn, messages"
        sql = f"SELECT number FROM journal WHERE {condition} ORDER BY {by}"  # noqa: S608
        numbers = [number for (number,) in self._database.rows(sql, values)]
        for start in range(0, len(numbers), _PAGE):
            some = numbers[start : start + _PAGE]
            yield from self._select(WITH_WORDS, f"number IN ({', '.join('?' * len(some))})", some, by)


def _meet(entry: JournalTurn, known: Acquaintance, fresh: list[Known]) -> Standing:
    """Return what is known of a turn, adding to `fresh` what has to be kept of it."""
    before, messages = known.standing(entry.turn), known.unknown(entry.turn)
    if before in (Standing.NEW, Standing.GREW) and messages:
        at = entry.at if before is Standing.NEW else messages[0].at or entry.at
        block = known_as(entry, messages, "", at=at)
        known.learn(replace(block, block=replace(block.block, said="")))
        fresh.append(block)
    return before
