"""One mounted folder and its index: brought up to date by what changed on disk, and asked."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from hardwon.kernel.memory import MemoryEntry
from hardwon.stores.mounts.reading import read_note
from hardwon.stores.mounts.walking import Stat, Walked, stat_of, walk
from hardwon.stores.search.index import SearchIndex

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Found
    from hardwon.kernel.ports import Redactor
    from hardwon.kernel.query import Query

AT_ONCE = 200
"""Notes that are indexed in one transaction."""
SETTLED = 2 * 10**9
"""Nanoseconds after which a change that leaves size and time as they were is no longer possible: FAT counts in 2 s."""


@contextmanager
def _in_silence(total: int) -> Iterator[Callable[[int], None]]:
    yield lambda number: None


@dataclass(frozen=True, slots=True)
class Reading:
    """How notes are read into an index."""

    redactor: Callable[[], Redactor]
    now: datetime
    looking: float = float("inf")
    """Seconds that are spent on looking for what changed; folders that are not looked at by then are told."""
    until: float = float("inf")
    """On the monotonic clock: what is not read by then is left to the next time."""
    track: Callable[[int], AbstractContextManager[Callable[[int], None]]] = _in_silence
    """Shows progress of so many notes."""


@dataclass(slots=True)
class Standing:
    """How a mounted folder stands."""

    notes: int = 0
    """That are shown."""
    passed: dict[str, str] = field(default_factory=dict)
    """Why others are not, by path."""
    is_away: bool = False
    """The folder is not there, or empty where it was not: a disk that is not mounted looks so."""
    waiting: int = 0
    """Notes that changed and are not indexed yet."""
    left_out: int = 0
    """Folders that were not looked at, for want of time, with all that is below them."""


class MountIndex:
    """The index of one mounted folder over an open connection."""

    def __init__(self, connection: sqlite3.Connection, root: str, own: Collection[str]) -> None:
        self._connection = connection
        self._root = root
        self._own = own
        self._search = SearchIndex(connection)

    def refresh(self, how: Reading) -> Standing:
        """Index what changed, as far as time allows. Raises sqlite3.Error."""
        walked = walk(self._root, self._own, time.monotonic() + how.looking)
        known = self._known()
        if self._is_away(walked, known):
            return Standing(len(known), walked.passed, is_away=True)
        gone = [path for path in known if path not in walked.notes and not walked.is_out_of_reach(path)]
        changed = [path for path, stat in walked.notes.items() if known.get(path) != stat]
        done = self._take(gone, changed, walked, how) if gone or changed else 0
        return self._standing(walked, len(changed) - done)

    def standing(self) -> Standing:
        """Return how the folder stands without bringing its index up to date."""
        walked = walk(self._root, self._own)
        known = self._known()
        if self._is_away(walked, known):
            return Standing(len(known), walked.passed, is_away=True)
        return self._standing(walked, sum(known.get(path) != stat for path, stat in walked.notes.items()))

    @staticmethod
    def _is_away(walked: Walked, known: Collection[str]) -> bool:
        return "" in walked.unreadable or (bool(known) and not walked.notes and not walked.left_out)

    def _standing(self, walked: Walked, waiting: int) -> Standing:
        rows = self._connection.execute("SELECT path, why FROM notes").fetchall()
        why = {path: reason for path, reason in rows if reason is not None}
        return Standing(len(rows) - len(why), walked.passed | why, waiting=waiting, left_out=len(walked.left_out))

    def _known(self) -> dict[str, Stat | None]:
        """Return what is known of each note; None for one that is to be read again."""
        rows = self._connection.execute("SELECT path, size, mtime_ns, inode, settled FROM notes").fetchall()
        return {path: Stat(*stat) if settled else None for path, *stat, settled in rows}

    def _take(self, gone: Sequence[str], changed: Sequence[str], walked: Walked, how: Reading) -> int:
        """Take notes out and in; return how many of those that changed were taken in."""
        with self._change():
            self._remove(gone)
        done = 0
        with how.track(len(changed)) as advance:
            while done < len(changed) and (done == 0 or time.monotonic() < how.until):
                some = changed[done : done + AT_ONCE]
                with self._change():
                    self._remove(some)
                    read = [self._add(path, walked.notes[path], how) for path in some]
                    self._search.add([passage for passages in read for passage in passages])
                done += len(some)
                advance(len(some))
        with self._change():
            self._search.settle()
        return done

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Make what is written inside one change."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _remove(self, paths: Sequence[str]) -> None:
        among = "path IN (SELECT value FROM json_each(?))"
        named = (json.dumps(list(paths)),)
        ids = self._connection.execute(f"SELECT id FROM passages WHERE {among}", named).fetchall()  # noqa: S608
        self._search.remove([id for (id,) in ids])
        self._connection.execute(f"DELETE FROM passages WHERE {among}", named)  # noqa: S608
        self._connection.execute(f"DELETE FROM notes WHERE {among}", named)  # noqa: S608

    def _add(self, path: str, stat: Stat, how: Reading) -> list[MemoryEntry]:
        """Read a note and keep what it says; return its passages, which are not searched yet."""
        note = read_note(self._root, path, stat, how.redactor(), how.now)
        settled = time.time_ns() - stat.mtime_ns > SETTLED and stat_of(f"{self._root}/{path}") == stat
        row = (path, stat.size, stat.mtime_ns, stat.inode, settled, note.why)
        self._connection.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)", row)
        rows = [(entry.id, path, entry.model_dump_json(exclude_defaults=True)) for entry in note.passages]
        self._connection.executemany("INSERT OR REPLACE INTO passages VALUES (?, ?, ?)", rows)
        return note.passages

    def search(self, query: Query) -> Found:
        """Return the passages worth ranking whose notes are as they were read."""
        found = self._search.search(query)
        standing = self.get([candidate.id for candidate in found.candidates])
        found.candidates = [candidate for candidate in found.candidates if candidate.id in standing]
        return found

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those passages whose notes are as they were read, by id."""
        sql = (
            "SELECT passages.id, entry, notes.path, size, mtime_ns, inode FROM passages "
            "JOIN notes ON notes.path = passages.path WHERE passages.id IN (SELECT value FROM json_each(?))"
        )
        rows = self._connection.execute(sql, (json.dumps(list(ids)),)).fetchall()
        now = {path: stat_of(f"{self._root}/{path}") for path in {row[2] for row in rows}}
        return {
            id: MemoryEntry.model_validate_json(entry) for id, entry, path, *stat in rows if now[path] == Stat(*stat)
        }
