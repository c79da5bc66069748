"""From document numbers to candidates: what the filter lets in, and lessons anywhere that speak for such a rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardwon.stores.search.bits import bits_of, numbers_of
from hardwon.stores.search.candidates import COLUMNS, Scoring
from hardwon.stores.search.filters import Conditions, condition, is_narrow, names_few, seconds
from hardwon.stores.search.statements import marks

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Candidate
    from hardwon.kernel.query import Filter
    from hardwon.stores.search.held_sets import HeldSets
    from hardwon.stores.search.lexical import Matches
    from hardwon.stores.search.nearness import Nearness
    from hardwon.stores.search.starts import Starts
    from hardwon.stores.search.usual import Usual

ENOUGH = 30
"""Candidates of each kind of search; what ranks lower is never shown."""
DEPTHS = (120, 900, 9000)
"""Documents that are looked at to find so many within the filter, before all that it lets in are gathered."""
FEW_WITHIN = 4
"""When less than one in so many of those looked at lies within the filter, its times are looked at more closely."""
_AT_ONCE = 900
MANY = 5000
"""Documents among which a filter's are gathered at once: it takes some 3 ms."""
WIDE_SHARE = 8
"""From an eighth of all documents on, the nearest anywhere are looked at, and not the nearest of those."""
OF_RULES = 100
"""Documents anywhere among which lessons speak for their rules."""
Best = Callable[[int, "int | None"], Sequence[int]]
"""The documents that answer best, of those within (as bits; None for all), so many at most, best first."""


class Lookup:
    """Collects the candidates of one question."""

    def __init__(
        self,
        held: HeldSets,
        filter: Filter | Conditions,
        limit: int,
        matches: Matches,
        nearness: Nearness,
        usual: Usual,
        *,
        may_narrow: bool = False,
    ) -> None:
        """Look among the documents of a connection.

        `may_narrow`: of a question about the past, what came later may be left out by reading when documents began,
        which pays where more questions follow.
        """
        self._held = held
        self._connection = held.connection
        self._condition = condition(filter)
        self._matches = matches
        self._nearness = nearness
        self._enough = max(ENOUGH, limit)
        self._documents = matches.documents
        self._times = seconds(filter.known_at), seconds(filter.as_of)
        self._has_times = self._times != (None, None)
        self._may_narrow = may_narrow and self._has_times
        self._within = self._place_and_time(filter.projects)
        """Documents beside which none is let in by the filter; None for all."""
        self._is_gathered = False
        if names_few(filter) or (is_narrow(filter) and self._count_within() <= MANY):
            self._gather()
        self._found: dict[str, Candidate] = {}
        self._members: dict[tuple[str, str], Candidate] = {}
        rules = "SELECT EXISTS (SELECT 1 FROM search_documents WHERE kind = 'rule')"
        (self._rules,) = self._connection.execute(rules).fetchone()
        competing = self._count_within()
        self._scoring = Scoring(
            matches, nearness, competing, self._count_competing_rules(), usual.among(competing), usual.rule
        )

    def collect(self) -> None:
        """Take the best documents within the filter, and the lessons among the best anywhere that have a rule."""
        before = self._within, self._may_narrow
        self._narrow(lambda starts: starts.is_read)
        self._collect(self._matches.best, lambda starts: starts.pay())
        if self._nearness.count:
            # Which are nearest is not found exactly, and depends on those looked among, which are the same whatever was
            # asked before: only of words, of which the best are found, so much is left out as other questions had read.
            if not self._is_gathered:
                self._within, self._may_narrow = before
            self._collect(self._nearest, lambda _: False)

    def candidates(self) -> list[Candidate]:
        """Return what was collected, the evidence of each rule with it."""
        for (rule, _), member in self._members.items():
            self._found[rule].members.append(member)
        self._members.clear()
        return list(self._found.values())

    def _collect(self, best: Best, may_pay: Callable[[Starts], bool]) -> None:
        """Take what is best; `may_pay` is asked whether to leave out what came later, where only some of it did."""
        if not self._take_best(best, may_pay) and not self._is_gathered:
            self._gather()
            self._take_best(best, may_pay)
        if self._rules:
            self._credit_rules(best(OF_RULES, None))

    def _take_best(self, best: Best, may_pay: Callable[[Starts], bool]) -> bool:
        """Take the best documents within the filter; return whether none is left that would have to be looked at."""
        seen: set[int] = set()
        taken = 0
        for most in (self._enough, *(depth for depth in DEPTHS if depth > self._enough)):
            numbers = best(most, self._within)
            unseen = [number for number in numbers if number not in seen]
            seen.update(unseen)
            for start in range(0, len(unseen), _AT_ONCE):
                taken += self._take(unseen[start : start + _AT_ONCE], self._enough - taken)
                if taken >= self._enough:
                    return True
            if len(numbers) < most:
                return True
            self._narrow((lambda _: True) if taken * FEW_WITHIN < len(seen) else may_pay)
        return False

    def _narrow(self, is_worth: Callable[[Starts], bool]) -> None:
        """Leave out what came later than the filter's times, where it is worth that."""
        if self._may_narrow and not self._is_gathered:
            with self._held.at_once() as sets:
                if is_worth(sets.starts):
                    self._within, self._may_narrow = sets.starts.without_later(self._within, self._times), False

    def _nearest(self, most: int, within: int | None) -> Sequence[int]:
        """Return the documents that mean most nearly what is asked."""
        if within is None or self._is_wide(within):
            return self._nearness.best(most)
        return self._nearness.best(most, set(numbers_of(within)))

    def _is_wide(self, within: int) -> bool:
        return not self._is_gathered and within.bit_count() > max(MANY, self._documents // WIDE_SHARE)

    def _place_and_time(self, projects: Sequence[str | None] | None) -> int | None:
        """Return the documents of the filter's projects that may have been known and valid at its times."""
        if projects is None and not self._has_times:
            return None

        with self._held.at_once() as sets:
            within = sets.not_after(*self._times) if self._has_times else None
            if projects is not None:
                own = sets.of_projects(projects)
                within = own if within is None else own & within
            return within

    def _gather(self) -> None:
        """Gather the documents of the filter, however many there are."""
        clause, values = self._condition
        # As one text: a row a number takes twice as long.
        sql = f"SELECT json_group_array(number) FROM search_documents WHERE {clause}"  # noqa: S608
        (numbers,) = self._connection.execute(sql, values).fetchone()
        self._within = bits_of(json.loads(numbers))
        self._is_gathered = True

    def _count_within(self) -> int:
        """Return how many documents can come up, those of the filter's place and time before they are gathered."""
        if self._within is None:
            return self._nearness.count or self._documents
        return min(self._within.bit_count(), self._nearness.count or self._documents)

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
        if len(numbers) > 2 * most:
            numbers = self._let_in(numbers)[:most]
        sql = f"SELECT {', '.join(COLUMNS)} FROM search_documents WHERE number IN {marks(numbers)} AND {clause}"  # noqa: S608
        rows = {row[0]: row for row in self._connection.execute(sql, [*numbers, *values]).fetchall()}
        within = [rows[number] for number in numbers if number in rows][:most]
        self._nearness.look_up(row[0] for row in within)
        for row in within:
            if row[3] not in self._found:
                self._found[row[3]] = self._scoring.candidate(row)
        return len(within)

    def _let_in(self, numbers: Sequence[int]) -> list[int]:
        """Return those within the filter: of many, it is cheaper to read only those then."""
        clause, values = self._condition
        sql = f"SELECT number FROM search_documents WHERE number IN {marks(numbers)} AND {clause}"  # noqa: S608
        within = {number for (number,) in self._connection.execute(sql, [*numbers, *values])}
        return [number for number in numbers if number in within]

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
