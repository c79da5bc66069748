"""A store's half of the hook program: memories in a SQLite file, an index or the truth itself, that is only read.

It makes nothing, takes no lock and waits a moment at most: what is missing, damaged, locked or of another format is
silence.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.confidence import is_denied
from hardwon.kernel.hook.reading import AT_START, Found
from hardwon.kernel.hook.uses import read_uses
from hardwon.kernel.injection import TOKENS_BESIDE
from hardwon.kernel.ranking import Ranked, rank
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.recall_answer import Answer
from hardwon.stores.hook.shelf import Reader, Shelf
from hardwon.stores.search.held_sets import HeldSets
from hardwon.stores.search.lexical import match
from hardwon.stores.search.lookup import Lookup
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.usual import read_usual
from hardwon.stores.search.weights import question_weights

if TYPE_CHECKING:
    from hardwon.kernel.hook.deadline import Deadline
    from hardwon.kernel.hook.place import Place
    from hardwon.kernel.ranking import Situation

STEPS = 50_000
"""Of SQLite's machine, some 2 ms, after which it asks whether there is time left."""
PATIENCE = 0.1
"""Seconds to wait for a program that has the file to itself: the last one that closes it, as the worker after each turn
does, copies its log into it and nobody may read meanwhile."""
RESERVE = 0.05
"""Seconds before the deadline at which a search is given up."""


class _Situation:
    """The reader's, each thing of it looked up when something that was found holds only for some."""

    def __init__(self, agent: str, place: Place) -> None:
        self.agent = agent
        self.project = place.project
        self._surroundings = place.surroundings

    @property
    def languages(self) -> list[str]:
        return self._surroundings.languages

    @property
    def frameworks(self) -> list[str]:
        return self._surroundings.frameworks

    @property
    def roles(self) -> list[str]:
        return self._surroundings.roles

    @property
    def tags(self) -> list[str]:
        return self._surroundings.tags


class ShelfReader:
    """Reads a file of memories for one reader."""

    def __init__(
        self, connection: sqlite3.Connection, home: str, shelf: Shelf, reader: Reader, situation: Situation
    ) -> None:
        self._connection = connection
        self._home = home
        self._reader = reader
        self._situation = situation
        self._is_broken = False
        self._shelf = shelf

    @property
    def is_behind(self) -> bool:
        """Tell whether what is read is not the truth as it stands, or is damaged."""
        return self._shelf.is_behind or self._is_broken

    def recall(self, prompt: str, turns: Sequence[str], shown: Collection[str], limit: int, budget: int) -> list[Found]:
        """Return what answers a prompt, the best first; nothing of what was shown already."""
        try:
            ranked = self._ranked(prompt, turns, limit)
            answer = Answer(
                self._shelf,
                ranked,
                limit,
                budget,
                situation=self._situation,
                known=shown,
                beside=TOKENS_BESIDE,
                strict=True,
            )
        except sqlite3.Error:
            self._is_broken = True
            return []
        return [Found(hit.entry.shown(hit.of, hit.against), hit.via, hit.score) for hit in answer.hits]

    def _ranked(self, prompt: str, turns: Sequence[str], limit: int) -> list[Ranked]:
        held = HeldSets(self._connection)
        matches = match(held, question_weights(prompt, turns))
        usual = read_usual(self._connection, language_of(prompt))
        lookup = Lookup(held, self._reader.conditions(), limit, matches, Nearness(), usual)
        lookup.collect()
        candidates = lookup.candidates()
        uses, evidence = read_uses(self._home)
        for candidate in candidates:
            candidate.used = uses.get(candidate.id, 0)
            candidate.weigh(evidence.get(candidate.id))
        return rank(candidates, self._situation, self._reader.now)

    def at_start(self, budget: int) -> list[Found]:
        """Return what is always to be known here: hard constraints, its rules, intentions that are due."""
        from hardwon.stores.hook.start import always_known

        try:
            known = always_known(self._connection, self._shelf, self._reader, self._situation, budget)
        except sqlite3.Error:
            self._is_broken = True
            return []
        _, evidence = read_uses(self._home)
        return [Found(entry.shown(None), AT_START) for entry in known if not is_denied(evidence.get(entry.id))]


def read(
    home: str,
    connection: sqlite3.Connection,
    make_shelf: Callable[[sqlite3.Connection, Reader], Shelf],
    agent: str,
    place: Place,
    language: str,
) -> ShelfReader:
    """Return what reads an open file for an agent in a place."""
    reader = Reader(agent, place.visible, language, time.time())
    return ShelfReader(connection, home, make_shelf(connection, reader), reader, _Situation(agent, place))


def opened(folder: str, name: str, format: tuple[str, str], deadline: Deadline) -> sqlite3.Connection | None:
    """Open a file whose table `meta` says of a key what it should; None where it cannot be read now.

    In a folder that may not be written to SQLite cannot share what it reads; there a file counts as unchanging, unless
    beside it stands a log of what it lacks.
    """
    path = f"{folder}/{name}"
    is_whole = not os.access(folder, os.W_OK) and not os.path.exists(f"{path}-wal")  # noqa: PTH110 - pathlib costs time
    for way in ("mode=ro", "immutable=1") if is_whole else ("mode=ro",):
        try:
            connection = connected(path, way, deadline)
            found = connection.execute("SELECT value FROM meta WHERE key = ?", (format[0],)).fetchone()
        except sqlite3.Error:
            continue
        if found and found[0] == format[1]:
            return connection
    return None


def connected(path: str, way: str, deadline: Deadline) -> sqlite3.Connection:
    """Open a file in a way that SQLite's URIs name, to be read until the deadline. Raises sqlite3.Error."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    # While SQLite waits, no signal ends this process.
    patience = min(PATIENCE, max(0.0, deadline.left - RESERVE))
    connection = sqlite3.connect(f"file:{quoted}?{way}", uri=True, timeout=patience, isolation_level=None)
    connection.set_progress_handler(lambda: deadline.left < RESERVE, STEPS)
    return connection
