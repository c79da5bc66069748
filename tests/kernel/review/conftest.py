"""A home of fakes with one proposal that waits, of three lessons of three projects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.proposal import Instance, Proposal
from hardwon.kernel.query import Filter
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes.home import open_fake_home

RULE = "Set a time limit on every network call."


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_fake_home(tmp_path)


@pytest.fixture
def proposal(home: Home) -> Proposal:
    return proposed(home)


def proposed(home: Home) -> Proposal:
    lessons = home.storage.memories.put(
        [memory(f"A call to service {name} never came back.", project=name, tags=("net",)) for name in "abc"]
    )
    proposal = Proposal(
        id="k3m9q2x7aa",
        rule=RULE,
        translations={"zh": "每次网络调用都必须设置超时。"},
        topic="operations.timeouts",
        instances=tuple(_instance(lesson) for lesson in lessons),
        confidence=0.8,
        created_at=MOMENT,
    )
    home.queue.add([proposal])
    return proposal


def _instance(lesson: MemoryEntry) -> Instance:
    return Instance(id=lesson.id, project=lesson.scope.project, revision=lesson.revision, evidence=lesson.content)


@pytest.fixture
def rules(home: Home) -> Callable[[], list[MemoryEntry]]:
    """Return what looks up the rules that are not archived."""
    return lambda: list(home.storage.memories.scan(Filter(kinds=(Kind.RULE,))))
