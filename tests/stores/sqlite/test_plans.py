"""What is done every day finds its rows by an index: its time does not grow with the memory."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import MOMENT, memory

_READ_WHOLE = re.compile(r"SCAN (memories|relations|versions|journal|activity|vectors|operations|topics|tags)\b")


def edge(source: str, target: str) -> Relation:
    return Relation(source=source, kind=RelationKind.SUPERSEDES, target=target, asserted_at=MOMENT)


EVERYDAY: dict[str, Callable[[SqliteStorage, list[str]], object]] = {
    "a memory with a key": lambda storage, _: storage.memories.put([memory("new", idempotency_key="one")]),
    "memories with keys": lambda storage, _: storage.memories.put(
        [memory("new", idempotency_key=key) for key in ("one", "two")]
    ),
    "a change": lambda storage, ids: storage.memories.update(ids[0], {"content": "changed"}),
    "what is known by a key": lambda storage, _: list(storage.memories.scan(Filter(idempotency_keys=("one",)))),
    "what is known elsewhere": lambda storage, _: list(storage.memories.scan(Filter(external_ids=("one",)))),
    "a topic": lambda storage, _: list(storage.memories.scan(Filter(topic_prefix="shop"))),
    "a look": lambda storage, ids: storage.memories.get(ids),
    "former states": lambda storage, ids: storage.memories.versions(ids),
    "what was so then": lambda storage, _: storage.memories.versions(after=MOMENT),
    "an edge": lambda storage, ids: storage.memories.relate([edge(*ids)]),
    "edges of a memory": lambda storage, ids: storage.memories.relations(ids[0]),
    "a walk": lambda storage, ids: storage.memories.traverse(ids[0], RelationKind.SUPERSEDES),
    "turns": lambda storage, _: storage.journal.write([entry(turn())]),
    "a session": lambda storage, _: storage.journal.of_session("s-1"),
    "activity": lambda storage, _: list(storage.ledger.activity("shown", MOMENT)),
    "vectors": lambda storage, _: storage.vectors.fetch("space", ["one", "two"]),
}


@pytest.mark.parametrize("name", EVERYDAY)
def test_nothing_everyday_reads_a_table_from_its_beginning(storage: SqliteStorage, name: str) -> None:
    """However the statements come about: each one that the database is given is explained by it."""
    kept = storage.memories.put([memory("first", topics=["shop.api"]), memory("second")])
    storage.vectors.keep("space", {"one": b"\0" * 8})
    connection = storage._sqlite.held.connection
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    EVERYDAY[name](storage, [each.id for each in kept])
    connection.set_trace_callback(None)
    asked = [each for each in statements if each.split()[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")]
    assert asked
    plans = {
        sql: [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}") if _READ_WHOLE.match(row[3])]
        for sql in asked
    }
    assert {sql: plan for sql, plan in plans.items() if plan} == {}
