"""Kept: what the doors of a FakeStorage keep, apart from them, so that each door knows it and none the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock

from hardwon.kernel.journal import Known
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Decision
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation
from hardwon.kernel.version import Version


@dataclass
class Kept:
    """What outlives a closed storage: open a FakeStorage over it again and all is there."""

    entries: dict[str, MemoryEntry] = field(default_factory=dict)
    edges: list[Relation] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    decisions: dict[str, Decision] = field(default_factory=dict)
    activity: list[Activity] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    vectors: dict[tuple[str, str], bytes] = field(default_factory=dict)
    journal: list[Known] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    """The reasons of the operations that were finished, oldest first."""
    fresh: dict[str, Version | None] | None = None
    """The memories whose state the operation under way made, each with what it replaced; None while there is none."""
    why: str = ""
    """The reason of the outermost operation under way."""
    lock: RLock = field(default_factory=threading.RLock)

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Take back what the block changed of the truth when it raises; activity and vectors stay."""
        with self.lock:
            before = (
                dict(self.entries), list(self.edges), list(self.versions), dict(self.decisions), dict(self.documents),
                list(self.journal),
            )  # fmt: skip
            fresh = self.fresh
            self.fresh = dict(fresh or {})
            try:
                yield
            except BaseException:
                self.entries, self.edges, self.versions, self.decisions, self.documents, self.journal = before
                self.fresh = fresh
                raise
            if fresh is None:
                self.fresh = None
