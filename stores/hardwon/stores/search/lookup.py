"""From document numbers to candidates: what the filter lets in, and lessons anywhere that speak for such a rule."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.ranking import Candidate
from hardwon.stores.files.filters import condition
from hardwon.stores.search.statements import marks

if TYPE_CHECKING:
    from hardwon.kernel.query import Query
    from hardwon.stores.search.dense import Nearness
    from hardwon.stores.search.lexical import Matches

ENOUGH = 60
"""Candidates of each kind of search; what ranks lower is never shown."""
_AT_ONCE = 100
_COLUMNS = "id, kind, project, status, strength, confidence, importance, asserted_at, agent, length, applies_when"


class Lookup:
    """Collects the candidates of one question."""

    def __init__(self, connection: sqlite3.Connection, query: Query, matches: Matches, nearness: Nearness) -> None:
        self._connection = connection
        self._condition = condition(query.filter)
        self._matches = matches
        self._nearness = nearness
        self._found: dict[str, Candidate] = {}
        self._members: dict[tuple[str, str], Candidate] = {}
        (self._rules,) = connection.execute("SELECT EXISTS (SELECT 1 FROM memories WHERE kind = 'rule')").fetchone()

    def candidates(self) -> list[Candidate]:
        """Return what was collected, the evidence of each rule with it."""
        for (rule, _), member in self._members.items():
            self._found[rule].members.append(member)
        return list(self._found.values())

    def collect(self, numbers: Sequence[int]) -> None:
        """Take documents, the best first, until enough of them are within the filter."""
        taken = 0
        for start in range(0, len(numbers), _AT_ONCE):
            ids = self._ids(numbers[start : start + _AT_ONCE])
            visible = self._take(list(ids), ENOUGH - taken)
            taken += visible
            if self._rules:
                self._credit_rules(list(ids))
            if taken >= ENOUGH:
                return

    def _ids(self, numbers: Sequence[int]) -> list[str]:
        sql = f"SELECT number, id FROM search_documents WHERE number IN {marks(numbers)}"  # noqa: S608
        by_number = dict(tuple(row) for row in self._connection.execute(sql, numbers))
        return [by_number[number] for number in numbers if number in by_number]

    def _take(self, ids: Sequence[str], most: int) -> int:
        """Make candidates of those within the filter, in this order; return how many there were."""
        rows = self._rows(ids, *self._condition)
        within = [id for id in ids if id in rows][:most]
        fresh = [rows[id] for id in within if id not in self._found]
        self._found.update((candidate.id, candidate) for candidate in self._scored(fresh))
        return len(within)

    def _credit_rules(self, lessons: Sequence[str]) -> None:
        sql = (
            "SELECT source, target FROM relations "  # noqa: S608
            f"WHERE kind = 'generalizes' AND retracted_at IS NULL AND target IN {marks(lessons)}"
        )
        edges = [(rule, lesson) for rule, lesson in self._connection.execute(sql, lessons)]
        if not edges:
            return
        self._take(list(dict.fromkeys(rule for rule, _ in edges)), len(edges))
        wanted = [edge for edge in edges if edge[0] in self._found and edge not in self._members]
        rows = self._rows([lesson for _, lesson in wanted], "1", [])
        scored = {candidate.id: candidate for candidate in self._scored(rows.values())}
        self._members.update((edge, scored[edge[1]]) for edge in wanted if edge[1] in scored)

    def _rows(self, ids: Sequence[str], clause: str, values: Sequence[Any]) -> dict[str, Any]:
        sql = f"SELECT {_COLUMNS} FROM memories WHERE id IN {marks(ids)} AND {clause}"  # noqa: S608
        return {row[0]: row for row in self._connection.execute(sql, [*ids, *values])}

    def _scored(self, rows: Iterable[Any]) -> list[Candidate]:
        candidates = [_candidate(row) for row in rows]
        ids = [candidate.id for candidate in candidates]
        sql = f"SELECT id, number, terms FROM search_documents WHERE id IN {marks(ids)}"  # noqa: S608
        documents = {id: (number, terms) for id, number, terms in self._connection.execute(sql, ids)}
        for candidate in candidates:
            if candidate.id in documents:
                self._score(candidate, *documents[candidate.id])
        return candidates

    def _score(self, candidate: Candidate, number: int, text: str) -> None:
        terms = text.split()
        candidate.terms = frozenset(terms)
        score = self._matches.score(terms)
        candidate.lexical, candidate.weight, candidate.matched = score.lexical, score.weight, score.parts
        cosine = self._nearness.cosines.get(number)
        if cosine is not None:
            candidate.cosine = cosine
            candidate.semantic = self._nearness.semantic(cosine)
            candidate.level = self._nearness.level(cosine)


def _candidate(row: Any) -> Candidate:
    id, kind, project, status, strength, confidence, importance, asserted_at, agent, length, applies_when = row
    narrowing = json.loads(applies_when) if len(applies_when) > 2 else {}
    return Candidate(
        id, kind, project, status, strength, confidence, importance, asserted_at,
        agent=agent, length=length, applies_when={key: value for key, value in narrowing.items() if value},
    )  # fmt: skip
