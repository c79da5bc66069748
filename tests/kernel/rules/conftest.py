"""A home of fakes in which a rule of three lessons stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.proposal import Proposal, instance_of
from hardwon.kernel.use_cases.review import accept
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes.home import open_fake_home

RULE = "Set a time limit on every network call."


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_fake_home(tmp_path)


@pytest.fixture
def rule(home: Home) -> MemoryEntry:
    lessons = home.storage.memories.put([memory(f"A call to {name} never came back.", name) for name in "abc"])
    proposal = Proposal(id="k3m9q2x7aa", rule=RULE, instances=tuple(map(instance_of, lessons)), created_at=MOMENT)
    home.queue.add([proposal])
    return accept(home, proposal, by="ada").rule


@pytest.fixture
def agreeing(home: Home) -> MemoryEntry:
    """Return a later lesson of a fourth project that says what the rule says."""
    lesson = memory("A call to d hung for an hour.", "d", lesson=Lesson(principle=RULE))
    return home.storage.memories.put([lesson])[0]
