"""The hook program and `hardwon recall` say the same: of whatever memories, however they are linked, the same ones."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from hardwon.kernel.memory import Kind, MemoryEntry, Status, Times
from hardwon.kernel.query import Query
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.scope import Context
from hardwon.kernel.use_cases.recall import recall

from .conftest import BLOG, LEARNED, SHOP, Place

WORDS = tuple("redis pool deploy kafka lag index cache token clock queue shard leader proxy socket".split())  # noqa: SIM905
BUDGET = 4_000
"""More than is found: the hook program counts what stands beside a memory too."""


def _any_memory(place: Place, chance: random.Random, number: int) -> MemoryEntry:
    one, two, three = chance.sample(WORDS, 3)
    over = LEARNED + timedelta(days=9)
    return place.made(
        f"The {one} of the {two} broke the {three} on host h{number}.",
        chance.choice([SHOP, BLOG, None]),
        kind=chance.choice([Kind.LESSON, Kind.RULE, Kind.FACT]),
        status=chance.choice([*[Status.ACTIVE] * 9, Status.OBSERVED, Status.ARCHIVED, Status.CONFLICT]),
        scope={"agent": chance.choice([None, None, None, "tester", "somebody-else"])},
        times=Times(
            asserted_at=LEARNED + timedelta(hours=number),
            valid_until=chance.choice([None, None, None, over]),
            retracted_at=chance.choice([None, None, None, None, None, over]),
        ),
        importance=chance.random(),
        confidence=chance.random(),
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_show_the_same_memories_for_the_same_reasons(place: Place, seed: int) -> None:
    chance = random.Random(seed)
    entries = [_any_memory(place, chance, number) for number in range(60)]
    place.home.storage.memories.put(entries)
    linked = {(one.id, two.id): (one, two) for one, two in (chance.sample(entries, 2) for _ in range(60))}
    for one, two in linked.values():
        is_rule = one.kind is Kind.RULE and two.kind is not Kind.RULE
        other = chance.choice([RelationKind.SUPERSEDES, RelationKind.CONTRADICTS])
        place.link(one, RelationKind.GENERALIZES if is_rule else other, two)
    place.wired.write_data(settings=place.wired.data["settings"] | {"budget": BUDGET})
    context = Context(project=SHOP, agent="tester")
    ways: set[str] = set()
    for number in range(12):
        question = f"what to know when {chance.choice(entries).content}"
        found = recall(place.home, Query(text=question, context=context, budget=BUDGET)).hits
        place.told(question, session=f"q{number}")
        shown = [row for each in place.wired.records() if each["session"] == f"q{number}" for row in each["shown"]]
        assert [row[:2] for row in shown] == [[hit.entry.id, hit.via] for hit in found]
        ways |= {hit.via for hit in found}
    assert len(ways) >= 3, "these questions do not reach what is linked"
