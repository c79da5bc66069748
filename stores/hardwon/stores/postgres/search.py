"""PostgresSearching: every candidate worth ranking for a question, from one server."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from hardwon.kernel.candidate import Candidate, Found
from hardwon.kernel.counting import counted
from hardwon.kernel.query import RECALLED, Filter
from hardwon.kernel.text import language_of
from hardwon.stores.postgres import indexing
from hardwon.stores.postgres.asked import AskedVector, Measures
from hardwon.stores.postgres.failures import TooSlow
from hardwon.stores.postgres.hybrid import DEEP, Reach, statement
from hardwon.stores.postgres.standing import COUNTS, Counts, Standing, standing
from hardwon.stores.search.candidates import Scoring
from hardwon.stores.search.lexical import affordable, weighed
from hardwon.stores.search.lookup import ENOUGH
from hardwon.stores.search.measuring import has_changed, measured
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.question import QuestionEmbedder
from hardwon.stores.search.weights import question_weights
from hardwon.stores.sql.conditions import condition

if TYPE_CHECKING:
    from hardwon.kernel.ports import Embedder
    from hardwon.kernel.query import Query
    from hardwon.stores.postgres.database import PostgresDatabase
    from hardwon.stores.postgres.near import ServerNear
    from hardwon.stores.postgres.sample import Samples
    from hardwon.stores.postgres.vectors import PostgresVectors
    from hardwon.stores.search.near import Near
    from hardwon.stores.sql.searching import Posted

_KEEP_USUAL = (
    "INSERT INTO search_usual (language, memory, rule, documents, rules, links) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (language) DO UPDATE SET memory = excluded.memory, rule = excluded.rule, "
    "documents = excluded.documents, rules = excluded.rules, links = excluded.links"
)
FEW = 3000
"""Memories up to which each vector is read in any case: some 7 ms."""
EVEN = 40
"""Times the root of all: so many memories are read as fast, at 2.4 µs each, as enough of them are found among the
nearest anywhere, at 40 µs a text of one language."""
SPARE = 1.5
"""Texts that are looked at for each memory that is wanted: some memories have several."""


class PostgresSearching:
    """Searches one schema; shared by all threads."""

    def __init__(
        self, database: PostgresDatabase, vectors: PostgresVectors, find_embedder: Callable[[], Embedder | None]
    ) -> None:
        self._database = database
        self._vectors = vectors
        self._question = QuestionEmbedder(find_embedder)
        self._measures = Measures(vectors)
        self._counts = Counts(database)

    def add(self, posted: Sequence[Posted]) -> None:
        """Take in rows that were just written."""
        indexing.add(self._database, posted)

    def remove(self, ids: Sequence[str]) -> None:
        """Take out memories while their rows still say what is known of them."""
        indexing.remove(self._database, ids)

    def settle(self) -> None:
        """Measure what everyday tasks find, where there is a fifth more or less to be found."""
        (now,) = self._database.rows(COUNTS)
        then = self._database.rows("SELECT documents, rules, links FROM search_usual LIMIT 1") or [(0, 0, 0)]
        if has_changed(now, then[0]):
            among = Filter(statuses=RECALLED)
            rows = [(*row, *now) for row in measured(lambda weights: self._by_words(weights, among))]
            self._database.run_many(_KEEP_USUAL, rows)

    def _by_words(self, weights: Mapping[str, float], filter: Filter) -> list[Candidate]:
        at = standing(self._database, list(weights), "")
        return self._candidates(weights, filter, ENOUGH, at)

    def search(self, query: Query) -> Found:
        """Return the candidates, unranked, within the query's deadline. Any text is a valid query."""
        begun = time.monotonic()
        asked, notes = self._asked(query)
        left = None if query.deadline is None else max(0.001, query.deadline - (time.monotonic() - begun))
        try:
            with self._database.in_time(left):
                weights = question_weights(query.text, query.turns)
                at = standing(self._database, list(weights), language_of(query.text))
                near, lacking = self._near(asked, at)
                found = self._candidates(
                    weights, query.filter, max(ENOUGH, query.limit), at, asked if near else None, near
                )
        except TooSlow as error:
            return Found([], [*notes, f"Nothing was found within the deadline: {error}"])
        return Found(found, [*notes, *lacking])

    def _asked(self, query: Query) -> tuple[AskedVector | None, list[str]]:
        """Return the question's vector as the server takes it, and sentences on why there is none."""
        if query.by_words or not query.text.strip():
            return None, []
        answer = self._question.embed(query.text, query.deadline)
        if answer is None or isinstance(answer, str):
            return None, [answer] if answer else []
        name, vector = answer
        number = self._vectors.number(name) or 0  # of a space that nothing is kept of
        return self._measures.asked(name, number, vector, language_of(query.text)), []

    def _near(self, asked: AskedVector | None, at: Standing) -> tuple[ServerNear | None, list[str]]:
        """Return what will be known of nearness, and sentences on what is missing for it."""
        if asked is None:
            return None, []
        from hardwon.stores.postgres.near import ServerNear

        sample = self._samples.of(asked.space, at.documents)
        lacking = at.documents - sample.count
        of = counted(at.documents, "memory", "memories")
        notes = [f"Searched by words alone until embedded: {lacking} of {of}."] if lacking > 0 else []
        if sample.count and not asked.is_measured:
            notes.append("What nearness is worth is not known yet: embedding has not come that far.")
        return (ServerNear(asked, sample) if sample.count else None), notes

    @cached_property
    def _samples(self) -> Samples:
        from hardwon.stores.postgres.sample import Samples

        return Samples(self._database)

    def _candidates(
        self,
        weights: Mapping[str, float],
        filter: Filter,
        enough: int,
        at: Standing,
        asked: AskedVector | None = None,
        near: ServerNear | None = None,
    ) -> list[Candidate]:
        matches = weighed(weights, at.frequencies, at.documents, at.length)
        words = {term: matches.idf[term] for term in affordable(at.frequencies)}
        embedded = near.count if near else 0
        competing = self._counts.competing(filter, at, embedded)

        def rows(reach: Reach, depth: int = DEEP) -> list[tuple[Any, ...]]:
            where = condition(self._database, filter)
            asking = statement(words, asked, where, enough, rules=at.rules > 0, reach=reach, depth=depth)
            return self._database.rows(*asking)

        found = rows(*_reach(competing, embedded, enough))
        few = _few(embedded)
        if near is not None and competing > few and _found_near(found) < enough // 2:
            # The filter lets in fewer than the projects that it names have.
            found = rows(Reach.FEW if self._counts.within(filter, few + 1) <= few else Reach.SOME)
        for _, ceiling, _, texts, number, *_ in found:
            if near is not None:
                near.learn(ceiling, number, texts)
        competing_rules = at.rules + at.taught if embedded and at.rules else 0
        nearness = Nearness(cast("Near", near))
        return _built(
            found, Scoring(matches, nearness, competing, competing_rules, at.usual.among(competing), at.usual.rule)
        )


def _few(embedded: int) -> int:
    """Return up to how many memories each is read, where so many have a vector."""
    return max(FEW, round(EVEN * math.sqrt(embedded)))


def _reach(competing: int, embedded: int, enough: int) -> tuple[Reach, int]:
    """Return how the nearest of those that compete are found, and among how many texts of each language anywhere."""
    if competing <= _few(embedded):
        return Reach.FEW, DEEP
    return Reach.MOST, max(DEEP, round(SPARE * enough * embedded / competing))


def _found_near(rows: Sequence[tuple[Any, ...]]) -> int:
    """Return how many memories within the filter were found by the question's vector."""
    return rows[0][2] if rows else 0


def _built(rows: Sequence[tuple[Any, ...]], scoring: Scoring) -> list[Candidate]:
    """Return the candidates of a statement's rows, the lessons of each rule with it."""
    found: dict[int, Candidate] = {}
    for rule, _, _, _, *row in rows:
        if rule is None:
            found[row[0]] = scoring.candidate(row)
    for rule, _, _, _, *row in rows:
        if rule is not None and rule in found:
            found[rule].members.append(scoring.candidate(row, of_rules=True))
    return list(found.values())
