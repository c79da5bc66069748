"""FilesJournal: what was said in sessions, day by day in Markdown. The words are read from the files, never an index.

A search reads all files: a journal of a year is read in seconds, by a person who asks, and an index of all words would
be as large again as what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

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
from hardwon.kernel.journal_search import best_blocks, may_hold
from hardwon.stores.files.indexing.journal_rows import add_blocks, blocks_where, known_in, known_of, put_file
from hardwon.stores.files.indexing.rows import in_list
from hardwon.stores.files.journal_files import DayFiles
from hardwon.stores.files.notes.journal_blocks import anchor_of, read_blocks, safe, write_block

if TYPE_CHECKING:
    from hardwon.kernel.session import Turn
    from hardwon.stores.files.opened import Opened

_STANDING = "path IS NOT NULL AND retracted_at IS NULL"


class FilesJournal:
    """Keeps turns in `daily/`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._workspace = opened.workspace

    def write(self, turns: Sequence[JournalTurn], *, again: bool = False) -> list[Standing]:
        """Keep turns, all or none; return what was known of each before. Raises StoreError, Conflict."""
        if not turns:
            return []
        with self._opened.operation(f"Journal {len(turns)} turns"):
            known = self._known([each.turn for each in turns])
            if again:
                known = self._taken_again(known, [each.turn for each in turns])
            files = DayFiles(self._workspace)
            result = [self._write(entry, known, files) for entry in turns]
            files.finish()
        return result

    def _write(self, entry: JournalTurn, known: Acquaintance, files: DayFiles) -> Standing:
        before = known.standing(entry.turn)
        messages = known.unknown(entry.turn)
        if before in (Standing.NEW, Standing.GREW) and messages:
            at = entry.at if before is Standing.NEW else messages[0].at or entry.at
            block = known_as(entry, messages, "", at=at)
            path = files.append(at, write_block(block))
            add_blocks(self._workspace.index, path, [block])
            known.learn(block)
        return before

    def _taken_again(self, known: Acquaintance, turns: Sequence[Turn]) -> Acquaintance:
        """Take out what is left of turns that were taken back, as if they had never been known."""
        gone = {_key(turn) for turn in turns if known.standing(turn) is Standing.RETRACTED}
        if not gone:
            return known
        self._rewrite({key[1] for key in gone}, lambda each: None if _key_of(each.block) in gone else each)
        self._workspace.index.run_many("DELETE FROM journal WHERE harness = ? AND session = ? AND turn = ?", gone)
        return self._known(turns)

    def standing(self, turns: Sequence[Turn]) -> list[Standing]:
        """Return what is known of each turn."""
        self._opened.fresh()
        known = self._opened.healed(lambda: self._known(turns))
        return [known.standing(turn) for turn in turns]

    def of_session(self, session: str, harness: str | None = None) -> list[Block]:
        """Return what is kept of a session, oldest first."""
        condition = f"{_STANDING} AND session = ?1 AND (?2 IS NULL OR harness = ?2)"
        found = self._blocks(condition, (session, harness))
        return [
            block
            for block in self._read(dict.fromkeys(each.place for each in found))
            if block.session == session and harness in (None, block.harness)
        ]

    def sessions(self) -> list[JournalSession]:
        """Return the sessions that something is kept of, the newest first."""
        return sessions_of(self._blocks("path IS NOT NULL"))

    def blocks(self) -> Iterator[Known]:
        """Walk everything that is kept, what was taken back too, in the order of time."""
        self._opened.fresh()
        sql = "SELECT DISTINCT path, substr(at, 1, 10) AS day FROM journal WHERE path IS NOT NULL"
        rows = self._opened.healed(lambda: self._workspace.index.rows(sql))
        paths: dict[str, list[str]] = {}
        for row in rows:
            paths.setdefault(row["day"], []).append(row["path"])
        for day in sorted(paths):
            read = [each.known for path in paths[day] for each in read_blocks(self._content(path), path)]
            yield from sorted((each for each in read if each.block.at.isoformat()[:10] == day), key=order)

    def keep(self, blocks: Sequence[Known]) -> int:
        """Keep blocks as another journal had them, all or none; return how many were not here."""
        if not blocks:
            return 0
        with self._opened.operation(f"Keep {len(blocks)} blocks of another journal"):
            sessions = in_list({each.block.session for each in blocks})
            here = {identity(each) for each in known_in(self._workspace.index, sessions)}
            fresh = {identity(each): each for each in blocks if identity(each) not in here}
            files = DayFiles(self._workspace)
            for known in sorted(fresh.values(), key=order):
                known = replace(known, block=replace(known.block, said=safe(known.block.said)))
                path = files.append(known.block.at, write_block(known))
                add_blocks(self._workspace.index, path, [known])
            files.finish()
        return len(fresh)

    def search(self, text: str, limit: int = 8, projects: Sequence[str | None] | None = None) -> list[Block]:
        """Return the blocks that hold most words of a question, best first."""
        self._opened.fresh()
        sql = f"SELECT DISTINCT path, project FROM journal WHERE {_STANDING} ORDER BY path"  # noqa: S608
        rows = self._opened.healed(lambda: self._workspace.index.rows(sql))
        wanted = None if projects is None else frozenset(projects)
        paths = dict.fromkeys(row["path"] for row in rows if wanted is None or row["project"] in wanted)
        blocks = self._read(paths, may_hold(text))
        return best_blocks(text, (each for each in blocks if wanted is None or each.project in wanted), limit)

    def retract(
        self, at: datetime, *, session: str | None = None, harness: str | None = None, taken_by: str | None = None
    ) -> int:
        """Take out the words of a session, or of what one import took; return of how many turns."""
        condition = (
            f"{_STANDING} AND (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR harness = ?2)"
            " AND (?3 IS NULL OR taken_by = ?3)"
        )
        with self._opened.operation(f"Take back {session or taken_by or harness or 'the journal'}"):
            hit = {_key_of(each) for each in self._blocks(condition, (session, harness, taken_by))}

            def retracted(known: Known) -> Known:
                if _key_of(known.block) not in hit:
                    return known
                return replace(known, block=replace(known.block, said="", retracted_at=at))

            self._rewrite({key[1] for key in hit}, retracted, durable=True)
        return len(hit)

    def _rewrite(self, sessions: set[str], change: Callable[[Known], Known | None], *, durable: bool = False) -> None:
        """Change the blocks of sessions where they stand; None takes one out. What people wrote around them stays."""
        workspace = self._workspace
        rows = workspace.index.rows(
            "SELECT DISTINCT path FROM journal WHERE path IS NOT NULL AND session IN (SELECT value FROM json_each(?))",
            (in_list(sessions),),
        )
        for path in [row["path"] for row in rows]:
            workspace.before_touching(path)
            data = workspace.content(path) or b""
            for placed in reversed(read_blocks(data, path)):
                changed = placed.known if placed.newer else change(placed.known)
                if changed is not placed.known:
                    text = b"" if changed is None else write_block(changed).removeprefix(b"\n") + b"\n"
                    data = data[: placed.start] + text + data[placed.end :]
            workspace.write(path, data, durable=durable)
            put_file(workspace.index, path, [each.known for each in read_blocks(data, path)], workspace.clock.now())

    def _known(self, turns: Sequence[Turn]) -> Acquaintance:
        return Acquaintance(known_of(self._workspace.index, turns, [copy_key(turn) for turn in turns]))

    def _blocks(self, condition: str, values: Sequence[str | None] = ()) -> list[Block]:
        self._opened.fresh()
        return self._opened.healed(lambda: blocks_where(self._workspace.index, condition, values))

    def _content(self, path: str) -> bytes:
        return self._workspace.content(path) or b""

    def _read(self, paths: Iterable[str], may_hold: Callable[[bytes], bool] = bool) -> Iterator[Block]:
        """Walk the blocks of the files that may hold what is wanted, without those that were taken back."""
        for path in paths:
            data = self._content(path)
            for placed in read_blocks(data, path) if may_hold(data) else ():
                block = placed.known.block
                if not block.retracted_at:
                    yield replace(block, place=f"{path}#^{anchor_of(block)}")


def _key_of(block: Block) -> tuple[str, str, str]:
    return block.harness, block.session, block.turn


def _key(turn: Turn) -> tuple[str, str, str]:
    return turn.harness, turn.session, turn.id
