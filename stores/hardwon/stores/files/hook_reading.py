"""The store's half of the hook program: the index, read only, and no memory whose file is not as the index knows it.

It makes no index, takes no lock and waits for nobody: what is missing, damaged, locked or of another format is silence.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.confidence import is_denied
from hardwon.kernel.hook.reading import AT_START, Found
from hardwon.kernel.hook.uses import read_uses
from hardwon.kernel.injection import TOKENS_BESIDE
from hardwon.kernel.ranking import Ranked, rank
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.recall_answer import Answer
from hardwon.stores.files.hook_shelf import IndexShelf, Reader
from hardwon.stores.files.index_format import FILE_NAME, FORMAT_KEY, FORMAT_VERSION
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


class IndexReader:
    """Reads the index for one reader."""

    def __init__(self, connection: sqlite3.Connection, home: str, reader: Reader, situation: Situation) -> None:
        self._connection = connection
        self._home = home
        self._reader = reader
        self._situation = situation
        self._is_broken = False
        self._shelf = IndexShelf(connection, f"{home}/memory", reader)

    @property
    def is_behind(self) -> bool:
        """Tell whether something on disk is not as the index knows it, or the index is damaged."""
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
        matches = match(self._connection, question_weights(prompt, turns))
        usual = read_usual(self._connection, language_of(prompt))
        lookup = Lookup(self._connection, self._reader.conditions(), limit, matches, Nearness(), usual)
        lookup.collect(matches.best)
        candidates = lookup.candidates()
        uses, evidence = read_uses(self._home)
        for candidate in candidates:
            candidate.used = uses.get(candidate.id, 0)
            candidate.weigh(evidence.get(candidate.id))
        return rank(candidates, self._situation, self._reader.now)

    def at_start(self, budget: int) -> list[Found]:
        """Return what is always to be known here: hard constraints, its rules, intentions that are due."""
        from hardwon.stores.files.hook_start import always_known

        try:
            known = always_known(self._connection, self._shelf, self._reader, self._situation, budget)
        except sqlite3.Error:
            self._is_broken = True
            return []
        _, evidence = read_uses(self._home)
        return [Found(entry.shown(None), AT_START) for entry in known if not is_denied(evidence.get(entry.id))]


def open_reader(home: str, agent: str, place: Place, language: str, deadline: Deadline) -> IndexReader | None:
    """Open the index of a home; None where it cannot be read now."""
    ways = ("mode=ro",) if os.access(home, os.W_OK) else ("mode=ro", "immutable=1")
    for way in ways:
        connection = _opened(f"file:{_quoted(home)}/{FILE_NAME}?{way}", deadline)
        if connection is not None:
            reader = Reader(agent, place.visible, language, time.time())
            return IndexReader(connection, home, reader, _Situation(agent, place))
    return None


def _opened(where: str, deadline: Deadline) -> sqlite3.Connection | None:
    """Return a connection to an index of the format that this program knows; None where there is none.

    In a folder that may not be written to SQLite cannot share what it reads; there the index counts as unchanging.
    """
    try:
        connection = sqlite3.connect(where, uri=True, timeout=0, isolation_level=None)
        connection.set_progress_handler(lambda: deadline.left < RESERVE, STEPS)
        found = connection.execute("SELECT value FROM meta WHERE key = ?", (FORMAT_KEY,)).fetchone()
    except sqlite3.Error:
        return None
    return connection if found and found[0] == str(FORMAT_VERSION) else None


def _quoted(path: str) -> str:
    """Return a path as part of a URI."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
