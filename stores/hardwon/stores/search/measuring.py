"""Measures what everyday tasks find in a store, when it has changed since: some 10 ms, 0.2 s at 10,000 memories.

The tasks are those of the cohort, which nothing that is kept here is meant for, as impostors are put to a speaker's
model (`hardwon.kernel.cohort`). The caller owns the transaction.
"""

from __future__ import annotations

import functools
import sqlite3
from collections import defaultdict
from collections.abc import Mapping

from hardwon.kernel.cohort import TASKS
from hardwon.kernel.relevance import weight_of, with_members
from hardwon.kernel.text import language_of
from hardwon.stores.search.filters import Conditions
from hardwon.stores.search.lexical import match
from hardwon.stores.search.lookup import ENOUGH, Lookup
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.usual import Usual
from hardwon.stores.search.weights import question_weights

CHANGED = 5
"""A store has changed when it has grown or shrunk by one in so many."""
_COUNTS = (
    "SELECT (SELECT documents FROM search_totals), "
    "(SELECT count(*) FROM search_documents WHERE kind = 'rule'), "
    "(SELECT count(*) FROM relations WHERE kind = 'generalizes' AND retracted_at IS NULL)"
)


def measure(connection: sqlite3.Connection) -> None:
    """Measure again where the number of memories, of rules or of their lessons has changed by a fifth."""
    now = tuple(connection.execute(_COUNTS).fetchone())
    then = connection.execute("SELECT documents, rules, links FROM search_usual LIMIT 1").fetchone() or (0, 0, 0)
    if not any(abs(new - old) * CHANGED > old for new, old in zip(now, then, strict=True)):
        return
    rows = [(language, *_found(connection, tasks), *now) for language, tasks in _tasks().items()]
    connection.executemany("INSERT OR REPLACE INTO search_usual VALUES (?, ?, ?, ?, ?, ?)", rows)


def _found(connection: sqlite3.Connection, tasks: list[dict[str, float]]) -> tuple[float, float]:
    """Return the mean over tasks of the best weight, of memories and of rules."""
    memories = rules = 0.0
    for weights in tasks:
        matches = match(connection, weights)
        conditions = Conditions(statuses=("active", "conflict"))
        lookup = Lookup(connection, conditions, ENOUGH, matches, Nearness(), Usual())
        lookup.collect(matches.best)
        best = {True: 0.0, False: 0.0}
        for candidate in lookup.candidates():
            is_rule = candidate.kind == "rule"
            best[is_rule] = max(best[is_rule], with_members(weight_of, candidate))
        memories, rules = memories + best[False], rules + best[True]
    return memories / len(tasks), rules / len(tasks)


@functools.cache
def _tasks() -> Mapping[str, list[dict[str, float]]]:
    """Return the terms of each everyday task, with the weight of each, by language."""
    tasks: dict[str, list[dict[str, float]]] = defaultdict(list)
    for task in TASKS:
        tasks[language_of(task)].append(question_weights(task, ()))
    return tasks
