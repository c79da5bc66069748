"""The mounted folders' half of the hook program: their indexes, read only, and no note that is not as it was read.

As with the store's half, what is missing, damaged, locked or of another format is silence; the worker looks after it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.hook.reading import Found
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.injection import TOKENS_BESIDE, Shown
from hardwon.kernel.mounts import FOLDER, VIA, Mount, load_mounts
from hardwon.kernel.ranking import cut, rank
from hardwon.kernel.text import language_of
from hardwon.stores.hook.reader import connected
from hardwon.stores.search.filters import Conditions
from hardwon.stores.search.held_sets import HeldSets
from hardwon.stores.search.lexical import match
from hardwon.stores.search.lookup import Lookup
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.statements import stat_values
from hardwon.stores.search.usual import read_usual
from hardwon.stores.search.weights import question_weights

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Candidate
    from hardwon.kernel.hook.deadline import Deadline
    from hardwon.kernel.hook.place import Place

FORMAT_VERSION = "1"
"""Of an index; `tables` writes it."""
_PASSAGE = (
    "SELECT entry, notes.path, size, mtime_ns, inode FROM passages JOIN notes ON notes.path = passages.path "
    "WHERE passages.id = ?"
)


def index_file(home: str, root: str) -> str:
    """Return where the index of a mounted folder is kept."""
    return f"{home}/{FOLDER}/{fingerprint(root, length=12)}.sqlite"


class _Situation:
    """Of the reader only the project counts: nothing narrows the scope of a mounted folder further."""

    agent = ""
    languages: Sequence[str] = ()
    frameworks: Sequence[str] = ()
    roles: Sequence[str] = ()
    tags: Sequence[str] = ()

    def __init__(self, project: str | None) -> None:
        self.project = project


class MountReader:
    """Reads the mounted folders that a reader in a place may see."""

    def __init__(self, home: str, mounts: Sequence[tuple[Mount, str | None]], place: Place, deadline: Deadline) -> None:
        """Take the mounted folders, each with the project that it is shown as part of."""
        self._home = home
        self._mounts = mounts
        self._situation = _Situation(place.project)
        self._deadline = deadline
        self.is_behind = False
        """Something on disk was found to differ from what an index knows, or an index cannot be read."""

    def at_start(self, budget: int) -> list[Found]:
        """Return nothing: a note is found by a prompt."""
        return []

    def recall(self, prompt: str, turns: Sequence[str], shown: Collection[str], limit: int, budget: int) -> list[Found]:
        """Return what answers a prompt, the best first; nothing of what was shown already."""
        now = time.time()
        passages: dict[str, Shown] = {}
        candidates: list[Candidate] = []
        for mount, project in self._mounts:
            try:
                found = self._search(mount, project, (prompt, turns, limit, now), passages)
                candidates += [each for each in found if each.id not in shown]
            except (sqlite3.Error, ValueError, KeyError):
                self.is_behind = True
        ranked = [each for each in rank(candidates, self._situation, now) if each.hidden is None]
        cut(ranked, limit, budget, beside=TOKENS_BESIDE, strict=True)
        return [Found(passages[each.candidate.id], VIA, each.score) for each in ranked if each.hidden is None]

    def _search(
        self,
        mount: Mount,
        project: str | None,
        question: tuple[str, Sequence[str], int, float],
        passages: dict[str, Shown],
    ) -> list[Candidate]:
        """Return the candidates of one folder whose notes are as they were read; what they say goes into `passages`."""
        prompt, turns, limit, now = question
        connection = self._opened(mount)
        held = HeldSets(connection)
        matches = match(held, question_weights(prompt, turns))
        conditions = Conditions(as_of=now, known_at=now)
        usual = read_usual(connection, language_of(prompt))
        lookup = Lookup(held, conditions, limit, matches, Nearness(), usual)
        lookup.collect()
        found: list[Candidate] = []
        for candidate in lookup.candidates():
            passage = self._passage(connection, mount, candidate.id, project)
            if passage is not None:
                candidate.project, candidate.via = project, VIA
                passages[candidate.id] = passage
                found.append(candidate)
        return found

    def _opened(self, mount: Mount) -> sqlite3.Connection:
        """Return a connection to the index of a folder. Raises sqlite3.Error where there is none that can be read."""
        path = index_file(self._home, mount.path)
        way = "mode=ro" if os.access(self._home, os.W_OK) else "mode=ro&immutable=1"
        connection = connected(path, way, self._deadline)
        found = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        if found is None or found[0] != FORMAT_VERSION:
            raise sqlite3.DatabaseError("it has another format")
        return connection

    def _passage(self, connection: sqlite3.Connection, mount: Mount, id: str, project: str | None) -> Shown | None:
        """Return a passage as it is shown; None where its note is not as it was read."""
        row = connection.execute(_PASSAGE, (id,)).fetchone()
        if row is None or not _is_as_read(f"{mount.path}/{row[1]}", row[2:]):  # None: it was read anew just now
            self.is_behind = True
            return None
        entry, _, *known = row
        plain = json.loads(entry)
        day = time.strftime("%Y-%m-%d", time.gmtime(known[1] // 10**9))
        return Shown(id, "context", plain["content"], project, day, "import")


def _is_as_read(path: str, known: Sequence[int]) -> bool:
    """Tell whether a note's stat is what it was when it was read."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    values = stat_values(found.st_size, found.st_mtime_ns, found.st_ino)
    return stat.S_ISREG(found.st_mode) and values == tuple(known)


def open_reader(home: str, agent: str, place: Place, language: str, deadline: Deadline) -> MountReader | None:
    """Open the mounted folders of a home that are shown in a place; None where the list of them is broken."""
    try:
        mounts = load_mounts(home)
    except HardwonError:
        return None
    seen = [(mount, *mount.project_for(place.visible)) for mount in mounts]
    return MountReader(home, [(mount, project) for mount, may_see, project in seen if may_see], place, deadline)
