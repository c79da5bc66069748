"""Whatever is done in whatever order, every store says what the fake says: each answer, each error, and what is kept.

A few sequences run with the suite; `HARDWON_DIFFERENTIAL=2000` runs so many on each store.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.ports import Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import RelationKind
from hardwon.testing.examples import MOMENT
from hardwon.testing.fakes import FakeStorage, FixedClock

from .conftest import OpenEmpty
from .operations import DAY, NEEDLES, Operation, World, operations

FEW = 6
EXAMPLES = int(os.environ.get("HARDWON_DIFFERENTIAL", FEW))
LONGEST = 25
START = datetime(2026, 6, 1, tzinfo=UTC)
FILTERS = (
    Filter(),
    Filter(statuses=None),
    Filter(kinds=(Kind.RULE, Kind.LESSON)),
    Filter(statuses=(Status.ARCHIVED,)),
    Filter(projects=("shop", None)),
    Filter(namespace="team", statuses=None),
    Filter(topic_prefix="a", statuses=None),
    Filter(topic_prefix="a.b"),
    Filter(idempotency_keys=("k", "l"), statuses=None),
    Filter(tags=("", "a"), statuses=None),
    Filter(as_of=MOMENT, statuses=None),
    Filter(as_of=MOMENT + DAY, known_at=MOMENT, statuses=None),
    Filter(known_at=MOMENT - DAY, statuses=None),
)


def observed(storage: Storage, ids: list[str]) -> dict[str, Any]:
    """Return everything that can be read of a storage, in a form that does not depend on the store."""
    memories = storage.memories
    searched = (Query(text=needle, filter=each, limit=1000) for needle in NEEDLES for each in FILTERS[:3])
    return {
        "get": memories.get(ids),
        "scan": [list(memories.scan(each)) for each in FILTERS],
        "found": [sorted(each.id for each in memories.search(query).candidates if each.lexical) for query in searched],
        "topics": [memories.topics(prefix) for prefix in ("", "a", "a.b", "数据")],
        "edges": list(memories.edges()),
        "since": list(memories.edges(retracted_after=MOMENT + 2 * DAY)),
        "relations": [memories.relations(id) for id in ids],
        "reached": [[sorted(memories.traverse(id, kind)) for kind in RelationKind] for id in ids],
        "versions": [[(each.entry, each.until) for each in memories.versions([id])] for id in ids],
        "after": sorted((each.memory, each.until) for each in memories.versions(after=MOMENT + 5 * DAY)),
        "documents": {name: storage.documents.read(name) for name in storage.documents.names("")},
        "decisions": [storage.ledger.decisions(), storage.ledger.decisions("p1")],
        "activity": sorted(storage.ledger.activity(), key=lambda each: (each.at, each.kind)),
    }


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == FEW,
    database=None,
    phases=[Phase.generate] if EXAMPLES == FEW else [Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(done=st.lists(operations, min_size=5, max_size=LONGEST))
def test_every_store_says_what_the_fake_says(open_empty: OpenEmpty, done: list[Operation]) -> None:
    """Each answer and each error on the way, and everything that can be read in the end."""
    clock = FixedClock(START)
    fake = FakeStorage(clock=clock)
    reference = World(fake, lambda: fake)
    storage, reopen = open_empty(clock)
    world = World(storage, reopen)
    for number, operation in enumerate(done):
        clock.advance(seconds=1)
        wanted, came = reference.do(operation), world.do(operation)
        assert came == wanted, f"step {number}: {operation}"
    ids = reference.put
    seen, expected = observed(world.storage, ids), observed(fake, ids)
    for name, value in expected.items():
        assert seen[name] == value, name
    assert world.storage.problems() == []
