"""What everyday tasks find in this very store: how good an answer by keywords looks where there is none.

The more is kept, and the more words it has, the more any question finds: a fixed threshold that suits seventy memories
lets one question in four through among four hundred. The writer puts everyday tasks to the store
(`hardwon.stores.search.measuring`) and keeps here the mean weight of the best that each finds; whoever searches reads
it, the hook program too.
"""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass

TABLE = (
    "CREATE TABLE IF NOT EXISTS search_usual(language TEXT PRIMARY KEY, memory REAL NOT NULL, rule REAL NOT NULL, "
    "documents INTEGER NOT NULL, rules INTEGER NOT NULL, links INTEGER NOT NULL) WITHOUT ROWID"
)
"""A row a language of the tasks; with how many documents, rules and links of rules there were when it was measured."""


@dataclass(frozen=True, slots=True)
class Usual:
    """The weight that everyday tasks in one language find at best, in rarest words."""

    memory: float = 0.0
    rule: float = 0.0
    documents: int = 0
    """Among so many."""

    def among(self, competing: int) -> float:
        """Return what they find at best among so many memories: measured, it grows with the logarithm."""
        if self.documents < 2:
            return self.memory
        return self.memory * math.log(max(1, min(competing, 2 * self.documents))) / math.log(self.documents)


def read_usual(connection: sqlite3.Connection, language: str) -> Usual:
    """Return what was measured last; nothing where nothing was yet."""
    sql = "SELECT memory, rule, documents FROM search_usual WHERE language = ?"
    row = connection.execute(sql, (language,)).fetchone()
    return Usual(*row) if row else Usual()
