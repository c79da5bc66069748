"""FakeStorage: a home's truth in memory, with the promises of the real one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Decision
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.relation import Relation
from hardwon.testing.fakes.documents import FakeDocuments
from hardwon.testing.fakes.ledger import FakeLedger
from hardwon.testing.fakes.memories import FakeMemoryStore
from hardwon.testing.fakes.vectors import FakeVectors


@dataclass
class Kept:
    """What outlives a closed storage: open a FakeStorage over it again and all is there."""

    entries: dict[str, MemoryEntry] = field(default_factory=dict)
    edges: list[Relation] = field(default_factory=list)
    decisions: dict[str, Decision] = field(default_factory=dict)
    activity: list[Activity] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    vectors: dict[tuple[str, str], bytes] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)
    """The reasons of the operations that were finished, oldest first."""
    lock: RLock = field(default_factory=threading.RLock)


class FakeStorage:
    """The four doors over one Kept."""

    def __init__(self, kept: Kept | None = None) -> None:
        self.kept = kept or Kept()
        self.reported: list[Problem] = []
        """What `problems` returns; a test puts in what it wants to be met."""
        self.closed = False
        self._depth = 0
        self._memories = FakeMemoryStore(self.kept)
        self._ledger = FakeLedger(self.kept)
        self._documents = FakeDocuments(self.kept)
        self._vectors = FakeVectors(self.kept)

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

    @contextmanager
    def operation(self, why: str) -> Iterator[None]:
        """Hold the lock; the outermost of nested operations is the one that history tells of."""
        with self.kept.lock:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
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
