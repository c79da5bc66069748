"""Mixed writes, drawn by chance, to any storage; and everything that they change, read again in one form for all."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta
from typing import Any

from hardwon.kernel.journal import JournalTurn
from hardwon.kernel.ports import Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.testing.examples import MOMENT, complete_decision, memory
from hardwon.testing.fakes import Kept

MOST = 40
"""Memories at a time; then some are forgotten."""
WORDS = ("giraffe", "elephant", "定时任务")
KINDS = (
    *("put", "put", "update", "update", "relate", "unrelate", "delete"),
    *("write", "move", "decide", "journal", "together", "fail"),
)
Step = tuple[str, Any]


class Writer:
    """Draws steps from what a storage holds, and does them; two writers of one state and seed draw the same."""

    def __init__(self, storage: Storage, chance: random.Random) -> None:
        self.storage = storage
        self.chance = chance

    def draw(self) -> Step:
        """Return the next thing to do, as plain data."""
        name = self.chance.choice(KINDS)
        number = self.chance.getrandbits(64)
        if name in ("together", "fail"):
            return name, [(self.chance.choice(KINDS[:-2]), self.chance.getrandbits(64)) for _ in range(4)]
        return name, number

    def do(self, step: Step) -> None:
        """Do it."""
        name, given = step
        getattr(self, f"_{name}")(given if isinstance(given, list) else random.Random(given))

    def _ids(self) -> list[str]:
        return [entry.id for entry in self.storage.memories.scan(Filter(statuses=None))]

    def _put(self, chance: random.Random) -> None:
        if len(self._ids()) < MOST:
            some = [chance.getrandbits(60) for _ in range(chance.randint(1, 5))]
            self.storage.memories.put(
                [
                    memory(f"{chance.choice(WORDS)} {each}", id=f"{each:018}", topics=(chance.choice(("a", "a.b")),))
                    for each in some
                ]
            )
        else:
            self._delete(chance)

    def _update(self, chance: random.Random) -> None:
        if ids := self._ids():
            changes = {"content": f"{chance.choice(WORDS)} {chance.random()}", "tags": [str(chance.randint(0, 3))]}
            self.storage.memories.update(chance.choice(ids), changes)

    def _edges(self, chance: random.Random) -> list[Relation]:
        ids = self._ids()
        pairs = [(chance.choice(ids), chance.choice(ids)) for _ in range(3)] if ids else []
        kinds = list(RelationKind)
        return [
            Relation(source=one, kind=chance.choice(kinds), target=two, asserted_at=MOMENT)
            for one, two in pairs
            if one != two
        ]

    def _relate(self, chance: random.Random) -> None:
        self.storage.memories.relate(self._edges(chance))

    def _unrelate(self, chance: random.Random) -> None:
        standing = [each for each in self.storage.memories.edges() if each.retracted_at is None]
        if standing:
            self.storage.memories.unrelate([chance.choice(standing)], MOMENT + timedelta(days=1))

    def _delete(self, chance: random.Random) -> None:
        if ids := self._ids():
            self.storage.memories.delete(chance.sample(ids, min(3, len(ids))))

    def _write(self, chance: random.Random) -> None:
        self.storage.documents.write(f"notes/{chance.randint(0, 5)}.md", f"text {chance.random()}\n")

    def _move(self, chance: random.Random) -> None:
        names = self.storage.documents.names("notes/")
        if names:
            self.storage.documents.move(chance.choice(names), f"notes/{chance.randint(0, 5)}.md")

    def _decide(self, chance: random.Random) -> None:
        self.storage.ledger.decide(
            complete_decision(id=f"d{chance.getrandbits(48)}", rule="r", undoes=None, follows=None)
        )

    def _journal(self, chance: random.Random) -> None:
        number = chance.getrandbits(48)
        said = Message(f"m{number}", Speaker.USER, f"{chance.choice(WORDS)} was said {number}", MOMENT)
        turn = Turn("fake", f"s{chance.randint(0, 3)}", f"t{number}", messages=(said,), at=MOMENT)
        self.storage.journal.write([JournalTurn(turn, MOMENT, "shop")])

    def _together(self, steps: list[Step]) -> None:
        with self.storage.operation("Together"):
            for step in steps:
                self.do(step)

    def _fail(self, steps: list[Step]) -> None:
        with suppress(ZeroDivisionError), self.storage.operation("Fails"):
            for step in steps:
                self.do(step)
            raise ZeroDivisionError


def truth(storage: Storage) -> dict[str, Any]:
    """Return everything that is written, in a form that does not depend on the store."""
    memories, journal = storage.memories, storage.journal
    return {
        "memories": list(memories.scan(Filter(statuses=None))),
        "edges": sorted(memories.edges(), key=lambda each: (*each.key, str(each.retracted_at))),
        "versions": sorted((each.memory, each.entry.content, each.entry.tags) for each in memories.versions()),
        "found": [
            sorted(each.id for each in memories.search(Query(text=word, limit=1000)).candidates if each.lexical)
            for word in WORDS
        ],
        "topics": [(each.topic, each.count) for each in memories.topics()],
        "documents": {name: storage.documents.read(name) for name in storage.documents.names("notes/")},
        "decisions": sorted(each.id for each in storage.ledger.decisions()),
        "journal": sorted(block.turn for each in journal.sessions() for block in journal.of_session(each.session)),
        "problems": [f"{each.where}: {each.what}" for each in storage.problems()],
    }


def copied(kept: Kept) -> Kept:
    """Return a copy of what a fake keeps, to do one step more in."""
    return Kept(
        dict(kept.entries), list(kept.edges), list(kept.versions), dict(kept.decisions),
        documents=dict(kept.documents), journal=list(kept.journal),
    )  # fmt: skip
