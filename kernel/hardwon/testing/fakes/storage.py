"""FakeStorage: a home's truth in memory, with the promises of the real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardwon.kernel.ports import Clock
from hardwon.kernel.records import Problem
from hardwon.testing.fakes.clock import FixedClock
from hardwon.testing.fakes.documents import FakeDocuments
from hardwon.testing.fakes.journal import FakeJournal
from hardwon.testing.fakes.kept import Kept
from hardwon.testing.fakes.ledger import FakeLedger
from hardwon.testing.fakes.memories import FakeMemoryStore
from hardwon.testing.fakes.vectors import FakeVectors


class FakeStorage:
    """The five doors over one Kept."""

    def __init__(self, kept: Kept | None = None, clock: Clock | None = None) -> None:
        self.kept = kept or Kept()
        self.reported: list[Problem] = []
        """What `problems` returns; a test puts in what it wants to be met."""
        self.closed = False
        self._depth = 0
        self._memories = FakeMemoryStore(self.kept, clock or FixedClock())
        self._ledger = FakeLedger(self.kept)
        self._documents = FakeDocuments(self.kept)
        self._vectors = FakeVectors(self.kept)
        self._journal = FakeJournal(self.kept)

    @property
    def memories(self) -> FakeMemoryStore:
        """Return the memories."""
        return self._memories

    @property
    def ledger(self) -> FakeLedger:
        """Return the ledger."""
        return self._ledger

    @property
    def documents(self) -> FakeDocuments:
        """Return the documents."""
        return self._documents

    @property
    def vectors(self) -> FakeVectors:
        """Return the vectors."""
        return self._vectors

    @property
    def journal(self) -> FakeJournal:
        """Return the journal."""
        return self._journal

    @contextmanager
    def operation(self, why: str) -> Iterator[None]:
        """Hold the lock; what fails leaves nothing, and history tells of the outermost of nested operations."""
        with self.kept.all_or_nothing():
            self._depth += 1
            if self._depth == 1:
                self.kept.why = why
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self.kept.why = ""
            if self._depth == 0:
                self.kept.history.append(why)

    def reference(self, id: str) -> str:
        """Return the id: there are no files to point at."""
        return id

    def problems(self) -> list[Problem]:
        """Return what a test reported."""
        return list(self.reported)

    def close(self) -> None:
        """Remember that it was closed."""
        self._memories.close()
        self.closed = True
