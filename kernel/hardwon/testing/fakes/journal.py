"""FakeJournal: what was said in sessions, in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from hardwon.kernel.journal import (
    Acquaintance,
    Block,
    JournalSession,
    JournalTurn,
    Known,
    Standing,
    identity,
    known_as,
    order,
    sessions_of,
)
from hardwon.kernel.journal_search import best_blocks
from hardwon.kernel.session import Turn
from hardwon.testing.fakes.kept import Kept


class FakeJournal:
    """Keeps turns."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def write(self, turns: Sequence[JournalTurn], *, again: bool = False) -> list[Standing]:
        """Keep turns, all or none; return what was known of each before."""
        with self._kept.all_or_nothing():
            return [self._write(each, again=again) for each in turns]

    def _write(self, entry: JournalTurn, *, again: bool) -> Standing:
        turn = entry.turn
        if again and Acquaintance(self._kept.journal).standing(turn) is Standing.RETRACTED:
            self._kept.journal = [each for each in self._kept.journal if not _is_of(each.block, turn)]
        known = Acquaintance(self._kept.journal)
        before, messages = known.standing(turn), known.unknown(turn)
        if before in (Standing.NEW, Standing.GREW) and messages:
            at = entry.at if before is Standing.NEW else messages[0].at or entry.at
            place = f"journal:{len(self._kept.journal) + 1}"
            self._kept.journal.append(known_as(entry, messages, place, at=at))
        return before

    def standing(self, turns: Sequence[Turn]) -> list[Standing]:
        """Return what is known of each turn."""
        with self._kept.lock:
            known = Acquaintance(self._kept.journal)
            return [known.standing(turn) for turn in turns]

    def of_session(self, session: str, harness: str | None = None) -> list[Block]:
        """Return what is kept of a session, oldest first."""
        return [
            block
            for block in self._blocks()
            if block.session == session and harness in (None, block.harness) and not block.retracted_at
        ]

    def sessions(self) -> list[JournalSession]:
        """Return the sessions that something is kept of, the newest first."""
        return sessions_of(self._blocks())

    def blocks(self) -> Iterator[Known]:
        """Walk everything that is kept, in the order of time."""
        with self._kept.lock:
            return iter(sorted(self._kept.journal, key=order))

    def keep(self, blocks: Sequence[Known]) -> int:
        """Keep blocks as another journal had them; return how many were not here."""
        with self._kept.lock:
            here = {identity(each) for each in self._kept.journal}
            fresh = {identity(each): each for each in blocks if identity(each) not in here}
            self._kept.journal.extend(fresh.values())
            return len(fresh)

    def search(self, text: str, limit: int = 8, projects: Sequence[str | None] | None = None) -> list[Block]:
        """Return the blocks that hold most words of a question, best first."""
        return best_blocks(
            text, (each for each in self._blocks() if projects is None or each.project in projects), limit
        )

    def retract(
        self, at: datetime, *, session: str | None = None, harness: str | None = None, taken_by: str | None = None
    ) -> int:
        """Take out the words of a session, or of what one import took; return of how many turns."""
        with self._kept.lock:
            hit = {
                (block.harness, block.session, block.turn)
                for block in self._blocks()
                if session in (None, block.session)
                and harness in (None, block.harness)
                and taken_by in (None, block.taken_by)
                and not block.retracted_at
            }
            self._kept.journal = [
                replace(each, block=replace(each.block, said="", retracted_at=at))
                if (each.block.harness, each.block.session, each.block.turn) in hit
                else each
                for each in self._kept.journal
            ]
            return len(hit)

    def _blocks(self) -> list[Block]:
        with self._kept.lock:
            return sorted((each.block for each in self._kept.journal), key=lambda block: block.at)


def _is_of(block: Block, turn: Turn) -> bool:
    return (block.harness, block.session, block.turn) == (turn.harness, turn.session, turn.id)
