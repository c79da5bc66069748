"""From document numbers to candidates: what the filter lets in, and lessons anywhere that speak for such a rule."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.ranking import Candidate
from hardwon.stores.search.filters import Conditions, condition
from hardwon.stores.search.statements import marks, words

if TYPE_CHECKING:
    from hardwon.kernel.query import Filter
    from hardwon.stores.search.lexical import Matches
    from hardwon.stores.search.nearness import Nearness

ENOUGH = 30
"""Candidates of each kind of search; what ranks lower is never shown."""
DEEPEST = 900
"""Documents that are looked at to find so many within the filter."""
OF_RULES = 100
"""Documents anywhere among which lessons speak for their rules."""
_COLUMNS = (
    "number, length, terms, id, kind, project, status, strength, confidence, importance, asserted_at, agent, "
    "characters, applies_when"
)


class Lookup:
    """Collects the candidates of one question."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        filter: Filter | Conditions,
        limit: int,
        matches: Matches,
        nearness: Nearness,
    ) -> None:
        self._connection = connection
        self._condition = condition(filter)
        self._matches = matches
        self._nearness = nearness
        self._enough = max(ENOUGH, limit)
        self._within = self._numbers_within() if filter.projects is not None else None
        self._found: dict[str, Candidate] = {}
        self._members: dict[tuple[str, str], Candidate] = {}
        rules = "SELECT EXISTS (SELECT 1 FROM search_documents WHERE kind = 'rule')"
        (self._rules,) = connection.execute(rules).fetchone()
        self._competing = self._count_competing()

    def collect(self, best: Callable[[int, set[int] | None], Sequence[int]]) -> None:
        """Take the best documents within the filter, and the lessons among the best anywhere that have a rule.

        `best(most, within)` returns numbers of documents, best first.
        """
        for most in (2 * self._enough, DEEPEST):
            numbers = best(most, self._within)
            if not numbers or self._take(numbers, self._enough) >= self._enough or len(numbers) < most:
                break
        if self._rules:
            self._credit_rules(best(OF_RULES, None))

    def candidates(self) -> list[Candidate]:
        """Return what was collected, the evidence of each rule with it."""
        for (rule, _), member in self._members.items():
            self._found[rule].members.append(member)
        self._members.clear()
        return list(self._found.values())

    def _numbers_within(self) -> set[int]:
        """Return all documents of the filter: few, where it names projects."""
        clause, values = self._condition
        rows = self._connection.execute(f"SELECT number FROM search_documents WHERE {clause}", values)  # noqa: S608
        return {number for (number,) in rows.fetchall()}

    def _count_competing(self) -> int:
        """Return how many documents can come up: those within the filter, and the lessons of rules."""
        if self._within is None or not self._nearness.numbers:
            return len(self._nearness.numbers)
        sql = "SELECT count(DISTINCT target) FROM relations WHERE kind = 'generalizes' AND retracted_at IS NULL"
        (lessons,) = self._connection.execute(sql).fetchone() if self._rules else (0,)
        return len(self._within) + int(lessons)

    def _take(self, numbers: Sequence[int], most: int) -> int:
        """Make candidates of those within the filter, in this order; return how many there were."""
        clause, values = self._condition
        sql = f"SELECT {_COLUMNS} FROM search_documents WHERE number IN {marks(numbers)} AND {clause}"  # noqa: S608
        rows = {row[0]: row for row in self._connection.execute(sql, [*numbers, *values]).fetchall()}
        within = [rows[number] for number in numbers if number in rows][:most]
        for row in within:
            if row[3] not in self._found:
                self._found[row[3]] = self._candidate(row)
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
        rules = list(dict.fromkeys(edge[0] for edge in edges))
        for start in range(0, len(rules), OF_RULES):
            self._take(rules[start : start + OF_RULES], len(rules))
        for _, rule, *lesson in edges:
            if rule in self._found and (rule, lesson[3]) not in self._members:
                self._members[rule, lesson[3]] = self._candidate(lesson)

    def _candidate(self, row: Iterable[Any]) -> Candidate:
        number, length, text, id, kind, project, status, strength, confidence, importance, asserted_at, *rest = row
        agent, characters, applies_when = rest
        terms = words(text)
        distinct = frozenset(terms)
        score = self._matches.score(terms, distinct, length)
        return Candidate(
            id, kind, project, status, strength, confidence, importance, asserted_at,
            lexical=score.lexical,
            weight=score.weight,
            coverage=score.coverage,
            matched=score.parts,
            cosine=self._nearness.cosine(number),
            semantic=self._nearness.semantic(number),
            level=self._nearness.level(number, self._competing),
            agent=agent,
            length=characters,
            terms=distinct,
            applies_when=json.loads(applies_when) if applies_when else {},
        )  # fmt: skip


def _columns_of(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in _COLUMNS.split(", "))
