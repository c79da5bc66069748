"""A home that knows three causes by their cues, without an embedder, in which rules stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.generalizer.catalogue import read_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Proposal, instance_of
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.review import accept
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock, open_fake_home

Stand = Callable[..., MemoryEntry]
Propose = Callable[[], list[Proposal]]
WAIT = "Wait in tests for the condition itself with a deadline, never for a fixed time."
SLEEPING = (
    "The checkout test slept two seconds and failed on a slow runner.",
    "Our cache test slept until the entry expired and was flaky.",
    "A test of the scheduler slept too short under load.",
    "The delivery test slept and failed now and then.",
)
CERTIFICATES = (
    "The certificate of the stream had expired on a Sunday.",
    "Nobody knew that the certificate of the broker would expire.",
    "An expired certificate on the gateway stopped all payments.",
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_fake_home(tmp_path, embedder=None, clock=FixedClock(MOMENT + timedelta(days=30)))
    generalizer = OfflineGeneralizer(home)
    generalizer.concepts = tuple(read_catalogue(Path(__file__).parents[1] / "small_catalogue.toml"))
    home.generalizer = generalizer
    return home


@pytest.fixture
def stand(home: Home) -> Stand:
    """Return a function that lets a rule stand, with lessons of a project each; fields are the lessons'."""
    numbers = iter(range(100))

    def one(words: str, texts: Sequence[str], *, own: str | None = None, **fields: object) -> MemoryEntry:
        number = next(numbers)
        lessons = home.storage.memories.put(
            [memory(text, f"p{number}-{place}", **fields) for place, text in enumerate(texts)]
        )
        proposal = Proposal(
            id=f"new{number}", rule=words, instances=tuple(map(instance_of, lessons)), created_at=MOMENT
        )
        home.queue.add([proposal])
        return accept(home, proposal, by="ada", text=own).rule

    return one


@pytest.fixture
def propose(home: Home) -> Propose:
    """Return a function that proposes as a night does, and puts into the queue what it gives."""

    def night() -> list[Proposal]:
        memories = home.storage.memories
        lessons = list(memories.scan(Filter(kinds=("lesson",))))
        rules = list(memories.scan(Filter(kinds=("rule",))))
        found = home.generalizer.propose(lessons, rules, home.queue.all(), home.storage.ledger.decisions())
        home.queue.add(found)
        return found

    return night


def support(home: Home, rule: MemoryEntry, *texts: str, **fields: object) -> list[MemoryEntry]:
    """Let later lessons stand behind a rule."""
    lessons = home.storage.memories.put([memory(text, f"later-{text[:9]}", **fields) for text in texts])
    home.storage.memories.relate([_edge(RelationKind.GENERALIZES, rule.id, each.id) for each in lessons])
    return lessons


def object_to(home: Home, rule: MemoryEntry, *texts: str, **fields: object) -> list[MemoryEntry]:
    """Let lessons speak against a rule."""
    lessons = home.storage.memories.put([memory(text, f"against-{text[:9]}", **fields) for text in texts])
    home.storage.memories.relate([_edge(RelationKind.CONTRADICTS, each.id, rule.id) for each in lessons])
    return lessons


def _edge(kind: RelationKind, source: str, target: str) -> Relation:
    return Relation(source=source, kind=kind, target=target, asserted_at=MOMENT)
