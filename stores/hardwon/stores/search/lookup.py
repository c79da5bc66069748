"""From document numbers to candidates: what the filter lets in, and lessons anywhere that speak for such a rule."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardwon.stores.search.candidates import COLUMNS, Scoring
from hardwon.stores.search.filters import Conditions, condition, is_narrow, of_projects
from hardwon.stores.search.statements import marks

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Candidate
    from hardwon.kernel.query import Filter
    from hardwon.stores.search.lexical import Matches
    from hardwon.stores.search.nearness import Nearness
    from hardwon.stores.search.usual import Usual

ENOUGH = 30
"""Candidates of each kind of search; what ranks lower is never shown."""
DEEPEST = 900
"""Documents that are looked at to find so many within the filter."""
MANY = 5000
WIDE_SHARE = 8
"""From so many documents of the filter's projects on, if they are an eighth of all, the best anywhere are looked at
first: to gather the numbers of 25,000 documents takes 7 ms."""
OF_RULES = 100
"""Documents anywhere among which lessons speak for their rules."""


class Lookup:
    """Collects the candidates of one question."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        filter: Filter | Conditions,
        limit: int,
        matches: Matches,
        nearness: Nearness,
        usual: Usual,
    ) -> None:
        self._connection = connection
        self._condition = condition(filter)
        self._nearness = nearness
        self._enough = max(ENOUGH, limit)
        self._filter = filter
        self._within = None if self._is_wide() else self._numbers_within()
        self._found: dict[str, Candidate] = {}
        self._members: dict[tuple[str, str], Candidate] = {}
        rules = "SELECT EXISTS (SELECT 1 FROM search_documents WHERE kind = 'rule')"
        (self._rules,) = connection.execute(rules).fetchone()
        competing = self._count_competing()
        self._scoring = Scoring(
            matches, nearness, competing, self._count_competing_rules(), usual.among(competing), usual.rule
        )

    def collect(self, best: Callable[[int, set[int] | None], Sequence[int]]) -> None:
        """Take the best documents within the filter, and the lessons among the best anywhere that have a rule.

        `best(most, within)` returns numbers of documents, best first.
        """
        if self._collect_within(best) and self._within is None and self._filter.projects is not None:
            self._within = self._numbers_within()
            self._collect_within(best)
        if self._rules:
            self._credit_rules(best(OF_RULES, None))

    def _collect_within(self, best: Callable[[int, set[int] | None], Sequence[int]]) -> bool:
        """Take the best documents within the filter; return whether there may be more that were not looked at."""
        for most in (2 * self._enough, max(DEEPEST, 2 * self._enough)):
            numbers = best(most, self._within)
            if self._take(numbers, self._enough) >= self._enough or len(numbers) < most:
                return False
        return True

    def candidates(self) -> list[Candidate]:
        """Return what was collected, the evidence of each rule with it."""
        for (rule, _), member in self._members.items():
            self._found[rule].members.append(member)
        self._members.clear()
        return list(self._found.values())

    def _is_wide(self) -> bool:
        """Tell whether the filter lets in so much that the best documents anywhere will do, as a rule."""
        if self._filter.projects is None:
            return True
        if is_narrow(self._filter):
            return False
        clause, named = of_projects(self._filter.projects)
        many = max(MANY, self._documents() // WIDE_SHARE)
        sql = f"SELECT count(*) FROM (SELECT 1 FROM search_documents WHERE {clause} LIMIT ?)"  # noqa: S608
        (within,) = self._connection.execute(sql, (named, many)).fetchone()
        return bool(within == many)

    def _documents(self) -> int:
        (documents,) = self._connection.execute("SELECT documents FROM search_totals").fetchone()
        return int(documents)

    def _numbers_within(self) -> set[int]:
        """Return the documents of the filter; times and status are asked of those alone that are taken."""
        clause, values = self._condition
        if self._filter.projects is not None and not is_narrow(self._filter):
            clause, named = of_projects(self._filter.projects)
            values = [named]
        # As one text: a row a number takes twice as long.
        sql = f"SELECT json_group_array(number) FROM search_documents WHERE {clause}"  # noqa: S608
        (numbers,) = self._connection.execute(sql, values).fetchone()
        return set(json.loads(numbers))

    def _count_competing(self) -> int:
        """Return how many documents within the filter can come up.

        Keywords are content with a cheaper number: of a wide filter, all documents.
        """
        if not self._nearness.count:
            return self._documents() if self._within is None else len(self._within)
        if self._filter.projects is None:
            return self._nearness.count
        clause, values = self._condition
        sql = f"SELECT count(*) FROM search_documents WHERE {clause}"  # noqa: S608
        (within,) = self._connection.execute(sql, values).fetchone()
        return int(within)

    def _count_competing_rules(self) -> int:
        """Return how many documents can bring up a rule: rules, and their lessons wherever those were learned."""
        if not self._nearness.count or not self._rules:
            return 0
        sql = (
            "SELECT (SELECT count(*) FROM search_documents WHERE kind = 'rule'), (SELECT count(DISTINCT target) "
            "FROM relations WHERE kind = 'generalizes' AND retracted_at IS NULL)"
        )
        return sum(self._connection.execute(sql).fetchone())

    def _take(self, numbers: Sequence[int], most: int) -> int:
        """Make candidates of those within the filter, in this order; return how many there were."""
        clause, values = self._condition
        sql = f"SELECT {', '.join(COLUMNS)} FROM search_documents WHERE number IN {marks(numbers)} AND {clause}"  # noqa: S608
        rows = {row[0]: row for row in self._connection.execute(sql, [*numbers, *values]).fetchall()}
        within = [rows[number] for number in numbers if number in rows][:most]
        self._nearness.look_up(row[0] for row in within)
        for row in within:
            if row[3] not in self._found:
                self._found[row[3]] = self._scoring.candidate(row)
        return len(within)

    def _credit_rules(self, numbers: Sequence[int]) -> None:
        """Let the rules within the filter have those of these documents as evidence that they generalize."""
        sql = (
            f"SELECT rule.number, rule.id, {_columns_of('lesson')} FROM search_documents AS lesson "  # noqa: S608
            "JOIN relations ON relations.target = lesson.id AND relations.kind = 'generalizes' "
            "AND relations.retracted_at IS NULL "
            "JOIN search_documents AS rule ON rule.id = relations.source "
            f"WHERE lesson.number IN {marks(numbers)}"
        )
        edges = [tuple(row) for row in self._connection.execute(sql, list(numbers)).fetchall()]
        self._nearness.look_up(edge[2] for edge in edges)
        rules = list(dict.fromkeys(edge[0] for edge in edges))
        for start in range(0, len(rules), OF_RULES):
            self._take(rules[start : start + OF_RULES], len(rules))
        for _, rule, *lesson in edges:
            if rule in self._found and (rule, lesson[3]) not in self._members:
                self._members[rule, lesson[3]] = self._scoring.candidate(lesson, of_rules=True)


def _columns_of(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in COLUMNS)
