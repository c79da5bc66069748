"""FilesStorage: the port Storage of one home, kept as Markdown in a git repository."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.records import Measurement, Problem
from hardwon.stores.files.backing_up import back_up, back_up_vectors
from hardwon.stores.files.documents import FilesDocuments
from hardwon.stores.files.indexing.index import Index
from hardwon.stores.files.journal import FilesJournal
from hardwon.stores.files.ledger import FilesLedger
from hardwon.stores.files.memories import FilesMemoryStore
from hardwon.stores.files.opened import Opened
from hardwon.stores.files.problems import find_problems
from hardwon.stores.files.verifying import verify
from hardwon.stores.files.workspace import Workspace
from hardwon.stores.search.dense import open_dense
from hardwon.stores.search.index import SearchIndex
from hardwon.stores.search.vectors import VectorFile

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

VECTORS = "vectors.sqlite"


class FilesStorage:
    """Five doors to one truth."""

    def __init__(self, home: Home) -> None:
        self._vectors_path = home.path / VECTORS
        self._vectors = VectorFile(self._vectors_path, home.console.say)
        dense = open_dense(home, self._vectors)

        def make_search(connection: sqlite3.Connection) -> SearchIndex:
            return SearchIndex(connection, dense)

        index = Index(home.path, make_search)
        self._opened = Opened(Workspace(home.path, home.clock, index, lambda: home.redactor))
        self._memories = FilesMemoryStore(self._opened)
        self._ledger = FilesLedger(self._opened)
        self._documents = FilesDocuments(self._opened)
        self._journal = FilesJournal(self._opened)
        self._opened.finish()

    @property
    def memories(self) -> FilesMemoryStore:
        """Return the memories."""
        return self._memories

    @property
    def ledger(self) -> FilesLedger:
        """Return the ledger."""
        return self._ledger

    @property
    def documents(self) -> FilesDocuments:
        """Return the documents."""
        return self._documents

    @property
    def vectors(self) -> VectorFile:
        """Return the vectors, which are kept outside the index and outlive it."""
        return self._vectors

    @property
    def journal(self) -> FilesJournal:
        """Return the journal."""
        return self._journal

    def operation(self, why: str) -> AbstractContextManager[None]:
        """Hold the writers' lock and make everything inside one commit; nothing of it is true if it fails."""
        return self._opened.operation(why)

    def reindex(self, *, follow_deletions: bool = False) -> None:
        """Build the index anew from the files. Raises StoreBusy, StoreError."""
        self._opened.reindex(follow=follow_deletions)

    def path_of(self, id: str) -> Path | None:
        """Return the file of a memory; None when there is none."""
        self._opened.fresh()
        rows = self._opened.workspace.index.rows("SELECT path FROM memories WHERE id = ? AND path IS NOT NULL", (id,))
        return self._opened.workspace.path(rows[0]["path"]) if rows else None

    def reference(self, id: str) -> str:
        """Return the target of a wikilink to a memory: the name of its file, or its id where it has none."""
        path = self.path_of(id)
        return path.stem if path else id

    def stamp(self) -> str:
        """Return the name of the last commit."""
        return self._opened.workspace.repository.head() or ""

    def backup(self, to: Path) -> None:
        """Write the truth as of one commit into an empty folder, as it lies in a home. Raises StoreError."""
        back_up(self._opened, to)
        back_up_vectors(self._vectors_path, to / VECTORS)

    def problems(self) -> list[Problem]:
        """Return what could not be read or is not as it should be."""
        self._opened.fresh()
        return self._opened.healed(lambda: find_problems(self._opened.workspace))

    def tend(self) -> None:
        """Write the pages of topics that changed. Raises StoreBusy, StoreError."""
        self._opened.tend()

    def verify(self) -> list[Problem]:
        """Return where the index says something else than the files, all of which are read."""
        self._opened.fresh()
        return self._opened.healed(lambda: verify(self._opened.workspace))

    def arrange_vectors(self) -> None:
        """Put in place whatever has a vector; may take minutes. Raises Unavailable, StoreError."""
        self._opened.fresh()
        with self._opened.workspace.index.guard:
            self._opened.healed(self._opened.workspace.index.search.arrange_vectors)

    def measure_vectors(self) -> Measurement:
        """Return how well vectors are found that lie near a question. Raises Unavailable, StoreError."""
        self._opened.fresh()
        with self._opened.workspace.index.guard:
            return self._opened.healed(self._opened.workspace.index.search.measure_vectors)

    def close(self) -> None:
        """Close everything; closing twice is harmless."""
        self._opened.close()
        self._vectors.close()


def open_files(home: Home) -> FilesStorage:
    """Open the files store of a home."""
    return FilesStorage(home)
