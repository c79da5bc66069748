"""What a session is told at its start: what always holds here, before anything is asked.

Hard is always shown, soft when it is relevant: of the soft memories only rules that this project itself taught are
told before anybody asks; others are found by a prompt.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from hardwon.kernel.injection import TOKENS_BESIDE
from hardwon.kernel.ranking import Situation, applies, tokens_of
from hardwon.kernel.use_cases.recall_links import Links
from hardwon.stores.search.filters import condition

if TYPE_CHECKING:
    from hardwon.stores.hook.shelf import Kept, Reader, Shelf

MOST = 60
"""Memories of each sort that are looked at: more than any budget holds."""
_SORTS = (
    "strength = 'hard'",
    "kind = 'rule' AND (project IN (SELECT value FROM json_each(?)) OR EXISTS ("
    "SELECT 1 FROM relations JOIN memories AS lesson ON lesson.id = relations.target "
    "WHERE relations.source = memories.id AND relations.kind = 'generalizes' AND relations.retracted_at IS NULL "
    "AND lesson.project IN (SELECT value FROM json_each(?))))",
    "channel = 'proactive'",
)
"""Hard constraints, rules of this project or with a lesson of it, and intentions that are due."""


def always_known(
    connection: sqlite3.Connection, shelf: Shelf, reader: Reader, situation: Situation, budget: int
) -> list[Kept]:
    """Return hard constraints, then rules that this project has lessons of, then intentions that are due.

    What holds only for some language, framework, role or tag that is not at hand is left out.
    As many whole ones as fit the budget of tokens; the order is the same for an unchanged memory.
    """
    links = Links(shelf)
    kept: list[Kept] = []
    for memory in shelf.get(_candidates(connection, reader)).values():
        cost = tokens_of(memory.content) + TOKENS_BESIDE
        holds = applies(memory.applies_when, situation)[1] is None
        if holds and cost <= budget and links.head_of(memory.id) is None:
            budget -= cost
            kept.append(memory)
    return kept


def _candidates(connection: sqlite3.Connection, reader: Reader) -> list[str]:
    """Return the ids of what may be told, each sort by importance."""
    clause, values = condition(reader.conditions())
    here = json.dumps([name for name in reader.visible if name is not None])
    ids: list[str] = []
    for sort in _SORTS:
        sql = (
            f"SELECT id FROM memories WHERE {sort} AND {clause} "  # noqa: S608
            f"ORDER BY importance DESC, confidence DESC, id LIMIT {MOST}"
        )
        given = [here] * sort.count("?")
        ids += [id for (id,) in connection.execute(sql, [*given, *values]).fetchall()]
    return list(dict.fromkeys(ids))
