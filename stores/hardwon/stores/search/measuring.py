"""Measures what everyday tasks find in a store, when it has changed since: some 10 ms, 0.2 s at 10,000 memories.

The tasks are those of the cohort, which nothing that is kept here is meant for, as impostors are put to a speaker's
model (`hardwon.kernel.cohort`). The caller owns the transaction.
"""

from __future__ import annotations

import functools
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.cohort import TASKS
from hardwon.kernel.relevance import weight_of, with_members
from hardwon.kernel.text import language_of
from hardwon.stores.search.filters import Conditions
from hardwon.stores.search.held_sets import HeldSets
from hardwon.stores.search.lexical import match
from hardwon.stores.search.lookup import ENOUGH, Lookup
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.usual import Usual
from hardwon.stores.search.weights import question_weights

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Candidate

CHANGED = 5
"""A small store has changed when it has grown or shrunk by one in so many."""
SMALL = 100
"""Of a store of more, by half or double: what is found grows with the logarithm, and is scaled by it."""
CONDITIONS = Conditions(statuses=("active", "conflict"))
"""Among which memories everyday tasks are put."""
_STATE = (
    "SELECT totals.documents, (SELECT count(*) FROM search_documents WHERE kind = 'rule'), "
    "(SELECT count(*) FROM relations WHERE kind = 'generalizes' AND retracted_at IS NULL), "
    "ifnull(last.documents, 0), ifnull(last.rules, 0), ifnull(last.links, 0) FROM search_totals AS totals "
    "LEFT JOIN (SELECT documents, rules, links FROM search_usual LIMIT 1) AS last"
)
"""How many documents, rules and links of rules there are, and how many there were when it was measured."""


def measure(connection: sqlite3.Connection, *, may_wait: bool = False) -> bool:
    """Measure again where the number of memories, of rules or of their lessons has changed much.

    Return whether it is owed: where it may wait, it is done at once only when one of them has doubled.
    """
    state = connection.execute(_STATE).fetchone()
    now, then = state[:3], state[3:]
    if not has_changed(now, then):
        return False
    if may_wait and not _has_doubled(now, then):
        return True
    held = HeldSets(connection)
    rows = [(*row, *now) for row in measured(lambda weights: _candidates(held, weights))]
    connection.executemany("INSERT OR REPLACE INTO search_usual VALUES (?, ?, ?, ?, ?, ?)", rows)
    return False


def _has_doubled(now: Sequence[int], then: Sequence[int]) -> bool:
    return any(new > 2 * old or 2 * new < old for new, old in zip(now, then, strict=True))


def has_changed(now: Sequence[int], then: Sequence[int]) -> bool:
    """Tell whether one of the numbers has grown or shrunk by so much that everyday tasks may find something else."""
    return any(
        abs(new - old) * CHANGED > old if old < SMALL else new > 2 * old or 2 * new < old
        for new, old in zip(now, then, strict=True)
    )


def measured(find: Callable[[Mapping[str, float]], Sequence[Candidate]]) -> list[tuple[str, float, float]]:
    """Return by language the mean over tasks of the best weight, of memories and of rules.

    `find` returns the candidates for the weights of a question's terms.
    """
    return [(language, *_found(find, tasks)) for language, tasks in _tasks().items()]


def _candidates(held: HeldSets, weights: Mapping[str, float]) -> list[Candidate]:
    matches = match(held, weights)
    lookup = Lookup(held, CONDITIONS, ENOUGH, matches, Nearness(), Usual())
    lookup.collect()
    return lookup.candidates()


def _found(
    find: Callable[[Mapping[str, float]], Sequence[Candidate]], tasks: list[dict[str, float]]
) -> tuple[float, float]:
    memories = rules = 0.0
    for weights in tasks:
        best = {True: 0.0, False: 0.0}
        for candidate in find(weights):
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
