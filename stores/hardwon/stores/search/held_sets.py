"""The sets of documents that one connection read, held from question to question as long as no document changes.

A session asks about the same subject again and again; the sets of its words need not be put together for each question.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from hardwon.stores.search.changes import DocumentChanges, State
from hardwon.stores.search.document_sets import DocumentSets

MOST = 16_000_000
"""Bytes of sets that are held; a million documents are 125 kB a set."""


class HeldSets:
    """The sets of the documents as a connection sees them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.changes = DocumentChanges(connection)
        self._sets: DocumentSets | None = None
        self._state: State | None = None

    @contextmanager
    def at_once(self) -> Iterator[DocumentSets]:
        """Let everything that is read inside be of one state, whoever writes meanwhile."""
        if not self.changes.is_settled:  # what is seen may yet be taken back, and is not held
            yield DocumentSets(self.connection)
            return
        with self.changes.at_once():
            state = self.changes.state()
            if self._sets is None or state != self._state or self._sets.size > MOST:
                self._sets, self._state = DocumentSets(self.connection), state
            yield self._sets
