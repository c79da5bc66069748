"""A home with stores that are dictionaries, each of which outlives its being closed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.records import Activity
from hardwon.kernel.registry import Registry
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.remembering import forget
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import (
    MOMENT,
    complete_decision,
    complete_memory,
    complete_proposal,
    memory,
    related_lessons,
)
from hardwon.testing.fakes import FakeQueue, FakeRedactor, FakeStorage, FixedClock, RecordingConsole

STORES = ("files", "near", "far")


class Stores:
    """What is kept by store, for as long as a test lasts; `near` shows a file in the home, `far` lies elsewhere."""

    def __init__(self) -> None:
        self.kept = {name: FakeStorage().kept for name in STORES}
        self.queues = {name: FakeQueue() for name in STORES}
        self.console = RecordingConsole()

    def open(self, path: Path) -> Home:
        """Open the home at a path."""
        registry = Registry()
        for name in STORES:
            registry.offer("stores", name, self._opener(name), "test")
        registry.offer("review_queues", "markdown", lambda home: self.queues[home.settings.store], "test")
        registry.offer("store_places", "files", ("memory", "index*"), "test")
        registry.offer("store_places", "near", ("near.db",), "test")
        registry.offer("redactors", "detect-secrets", lambda _settings: FakeRedactor(), "test")
        home = Home(path, registry=registry, clock=FixedClock(), console=self.console)
        home.create()
        return home

    def _opener(self, name: str) -> Callable[[Home], Any]:
        def opened(home: Home) -> FakeStorage:
            if name == "files":
                (home.path / "memory").mkdir(exist_ok=True)
            elif name == "near":
                (home.path / "near.db").touch()
            return FakeStorage(self.kept[name])

        return opened


@pytest.fixture
def stores() -> Stores:
    """Return empty stores."""
    return Stores()


def fill(home: Home) -> None:
    """Put one of everything into a home."""
    storage = home.storage
    lessons, complete = related_lessons(), complete_memory()
    old = memory("an old truth", "shop", status=Status.ARCHIVED)
    gone = memory("a wrong idea", "shop", idempotency_key="import:gone")
    storage.memories.put([complete, *lessons, old, gone])
    edge = Relation(source=lessons[0].id, kind=RelationKind.SUPERSEDES, target=old.id, asserted_at=MOMENT, note="新")
    undone = Relation(source=old.id, kind=RelationKind.CONTRADICTS, target=lessons[2].id, asserted_at=MOMENT)
    near = Relation(source=lessons[1].id, kind=RelationKind.RELATES_TO, target=lessons[2].id, asserted_at=MOMENT)
    storage.memories.relate([edge, undone, near])
    storage.memories.unrelate([undone], MOMENT + timedelta(days=1))
    for words in ("an old truth, corrected", "an old truth"):
        storage.memories.update(old.id, {"content": words})
    storage.memories.update(complete.id, {"importance": 1.0})
    storage.documents.write("notes/of-mine.md", "My own words: 我自己的话。\n")
    home.queue.add([complete_proposal()])
    settled = complete_proposal(state=ProposalState.REJECTED)
    home.queue.add([settled])
    home.queue.annotate(settled, "Not now.")  # type: ignore[attr-defined]
    storage.ledger.decide(complete_decision())
    shown = Activity(kind="shown", at=MOMENT, memory=old.id, details={"score": 0.5})
    storage.ledger.append([shown, shown, Activity(kind="embed", at=MOMENT)])
    save_projects(home, ProjectBook({"acme/shop": "shop"}))
    storage.journal.write([entry(turn("t-1")), entry(turn("t-2", "s-2"), taken_by="import-1")])
    storage.journal.retract(MOMENT, session="s-2")
    storage.vectors.keep("model@1", {"key": to_bytes([0.6, 0.8])})
    forget(home, gone)
