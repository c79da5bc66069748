"""What a question is judged against: how common its terms are, and among how many memories it is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardwon.stores.search.filters import is_narrow
from hardwon.stores.search.lookup import MANY
from hardwon.stores.search.usual import Usual
from hardwon.stores.sql.conditions import condition, of_projects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardwon.kernel.query import Filter
    from hardwon.stores.postgres.database import PostgresDatabase

FRESH = 10.0
"""Seconds that a count of many memories is believed: what is judged by it grows with its logarithm."""
COUNTS = (
    "SELECT (SELECT documents FROM search_totals), (SELECT count(*) FROM memories WHERE kind = 'rule'), "
    "(SELECT count(*) FROM relations WHERE kind = 'generalizes' AND retracted_at IS NULL)"
)
"""How many memories there are, how many rules, and how many links of rules."""
_STANDING = (
    "SELECT documents, length, (SELECT json_object_agg(term, documents) FROM search_terms WHERE term = ANY(?)), "
    "(SELECT json_build_array(memory, rule, documents) FROM search_usual WHERE language = ?), "
    "(SELECT count(*) FROM memories WHERE kind = 'rule'), (SELECT count(DISTINCT target) FROM relations "
    "WHERE kind = 'generalizes' AND retracted_at IS NULL) FROM search_totals"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand for one question."""

    documents: int
    length: int
    """Terms of all of them."""
    frequencies: Mapping[str, int]
    """By term, how many memories hold it."""
    usual: Usual
    rules: int
    taught: int
    """How many memories a rule generalizes."""


def standing(database: PostgresDatabase, terms: Sequence[str], language: str) -> Standing:
    """Return how things stand for these terms. Raises StoreError."""
    ((documents, length, frequencies, usual, rules, taught),) = database.rows(_STANDING, [list(terms), language])
    return Standing(documents, length, frequencies or {}, Usual(*usual) if usual else Usual(), rules, taught)


class Counts:
    """How many memories can come up; where they are many, as it was some seconds ago."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._known: dict[str, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def competing(self, filter: Filter, at: Standing, embedded: int) -> int:
        """Return how many memories within the filter can come up; `embedded`: that have a vector, 0 by words alone."""
        if filter.projects is None:
            return embedded or at.documents
        clause, values = condition(self._database, filter)
        if not embedded and not is_narrow(filter):
            clause, values = of_projects(self._database, filter.projects)
        few = self._some(clause, values, MANY, keep=at.documents > MANY)
        if few < MANY:
            return few
        if not embedded:
            return at.documents
        timeless = filter.model_copy(update={"as_of": None, "known_at": None})
        clause, values = condition(self._database, timeless)
        return self._counted(f"SELECT count(*) FROM memories WHERE {clause}", values, keep=True)  # noqa: S608

    def within(self, filter: Filter, most: int) -> int:
        """Return how many memories a filter lets in, counted up to so many."""
        return self._some(*condition(self._database, filter), most, keep=True)

    def _some(self, clause: str, values: Sequence[Any], most: int, *, keep: bool) -> int:
        sql = f"SELECT count(*) FROM (SELECT 1 FROM memories WHERE {clause} LIMIT ?) AS few"  # noqa: S608
        return self._counted(sql, [*values, most], keep=keep)

    def _counted(self, sql: str, values: Sequence[Any], *, keep: bool) -> int:
        key = f"{sql} {values}"
        with self._lock:
            known = self._known.get(key)
        if keep and known and time.monotonic() - known[0] < FRESH:
            return known[1]
        ((count,),) = self._database.rows(sql, values)
        with self._lock:
            self._known = {} if len(self._known) > 100 else self._known
            self._known[key] = (time.monotonic(), int(count))
        return int(count)
