"""What a session is told at its start: what always holds here, before anything is asked."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from hardwon.kernel.injection import TOKENS_BESIDE
from hardwon.kernel.ranking import tokens_of
from hardwon.stores.search.filters import condition

if TYPE_CHECKING:
    from hardwon.stores.files.hook_shelf import IndexShelf, Kept, Reader

MOST = 60
"""Memories of each sort that are looked at: more than any budget holds."""
_IS_SUPERSEDED = (
    "EXISTS (SELECT 1 FROM relations WHERE relations.target = memories.id AND relations.kind = 'supersedes' "
    "AND relations.retracted_at IS NULL)"
)
_HAS_LESSON_HERE = (
    "EXISTS (SELECT 1 FROM relations JOIN memories AS lesson ON lesson.id = relations.target "
    "WHERE relations.source = memories.id AND relations.kind = 'generalizes' AND relations.retracted_at IS NULL "
    "AND lesson.project IN (SELECT value FROM json_each(?)))"
)
_SORTS = ("strength = 'hard'", "kind = 'rule'", "channel = 'proactive'")
"""Hard constraints, rules, and intentions that are due."""


def always_known(connection: sqlite3.Connection, shelf: IndexShelf, reader: Reader, budget: int) -> list[Kept]:
    """Return hard constraints, then rules (those with a lesson of this project first), then intentions that are due.

    As many whole ones as fit the budget of tokens; the order is the same for an unchanged memory.
    """
    clause, values = condition(reader.conditions())
    here = json.dumps([name for name in reader.visible if name is not None])
    ids: list[str] = []
    for sort in _SORTS:
        sql = (
            f"SELECT id FROM memories WHERE {sort} AND {clause} AND NOT {_IS_SUPERSEDED} "  # noqa: S608
            f"ORDER BY {_HAS_LESSON_HERE} DESC, importance DESC, confidence DESC, id LIMIT {MOST}"
        )
        ids += [id for (id,) in connection.execute(sql, [*values, here]).fetchall()]
    kept: list[Kept] = []
    for memory in shelf.get(list(dict.fromkeys(ids))).values():
        cost = tokens_of(memory.content) + TOKENS_BESIDE
        if cost <= budget:
            budget -= cost
            kept.append(memory)
    return kept
