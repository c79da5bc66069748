"""Keyword search: FTS5 keeps which memory holds which term; BM25 is computed here over all terms of the question.

The rarest terms choose whom to look at, since a common word's postings cost much and tell little; all terms score
those. FTS5's own bm25() is not used: on a handful of memories its idf turns negative, it cannot say what matched, and
it needs positions, which make the index half as large again. The terms come prepared from `hardwon.kernel.text`:
letters, digits and underscores alone, always quoted, so that no question is a syntax error.
"""

from __future__ import annotations

import heapq
import json
import math
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hardwon.kernel.everyday import everyday_terms, everyday_texts
from hardwon.stores.search.statements import marks

SATURATION = 1.2
LENGTH_WEIGHT = 0.75
POSTINGS = 3000
"""How many postings a question reads at most beyond its rarest terms: some 0.7 ms."""
FEWEST_TERMS = 3
"""Terms that are looked up however common they are."""


@dataclass(frozen=True, slots=True)
class Score:
    """What keywords say of one document."""

    lexical: float
    """min(1, BM25 / (2.2 · Σ idf)), 0–1."""
    weight: float
    """BM25 as a multiple of the most that a term which nothing else holds can add."""
    coverage: float
    """Share of the question's idf that the terms it holds make up, 0–1."""
    parts: dict[str, float]
    """By term that the document holds: its part of `lexical`."""


@dataclass(slots=True)
class Matches:
    """Which documents hold terms of a question, and what each term weighs."""

    idf: dict[str, float]
    """Inverse document frequency of every term of the question, times the weight it was given."""
    average_length: float = 1.0
    highest_idf: float = 1.0
    """The idf of a term that no document holds."""
    postings: dict[str, set[int]] = field(default_factory=dict)
    """By term looked up, the rarest first: the numbers of the documents that hold it."""
    total: float = field(init=False)
    _weighed: tuple[set[int] | None, dict[str, set[int]], dict[int, float]] | None = field(init=False)
    """What was weighed last, and within which documents: more of the same is asked for as a rule."""

    def __post_init__(self) -> None:
        self.total = sum(self.idf.values()) or 1.0
        self._weighed = None

    def best(self, most: int, within: set[int] | None = None) -> list[int]:
        """Return the documents with the largest sum of idf over the terms looked up, best first.

        Documents that hold two terms or more are weighed; those that hold one follow while there is room, the rarer
        term first.
        """
        if self._weighed is None or self._weighed[0] is not within:
            self._weighed = (within, *self._weigh(within))
        _, postings, sums = self._weighed
        if len(sums) < most:
            sums = dict(sums)
            for term, numbers in postings.items():
                alone = sorted(numbers - sums.keys())[: most - len(sums)]
                sums.update(dict.fromkeys(alone, self.idf[term]))
        return heapq.nlargest(most, sums, key=sums.__getitem__)

    def _weigh(self, within: set[int] | None) -> tuple[dict[str, set[int]], dict[int, float]]:
        """Return the postings within, and the sum of idf of each document that holds two terms or more.

        Sets do the counting, which is three times as fast as adding up every posting.
        """
        postings = {term: numbers if within is None else numbers & within for term, numbers in self.postings.items()}
        once: set[int] = set()
        twice: set[int] = set()
        for numbers in postings.values():
            twice |= once & numbers
            once |= numbers
        sums = dict.fromkeys(twice, 0.0)
        for term, numbers in postings.items():
            idf = self.idf[term]
            for number in numbers & twice:
                sums[number] += idf
        return postings, sums

    def score(self, terms: Sequence[str], distinct: frozenset[str], length: int) -> Score:
        """Return how well a document of `length` terms answers the question; `terms` are those kept of it."""
        norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / self.average_length)
        # BM25 (Robertson & Zaragoza 2009), divided by its factor of 2.2.
        counts = [(term, terms.count(term)) for term in self.idf if term in distinct]
        bm25 = {term: self.idf[term] * count / (count + norm) for term, count in counts}
        whole = sum(bm25.values())
        parts = {term: value / self.total for term, value in bm25.items()}
        coverage = sum([self.idf[term] for term, _ in counts]) / self.total
        return Score(min(1.0, whole / self.total), whole / self.highest_idf, coverage, parts)


def _idf(documents: int, count: int) -> float:
    """Return the inverse document frequency, above 0 in the smallest store (Robertson's, with 1 added as in Lucene)."""
    return math.log(1 + (max(documents, count) - count + 0.5) / (count + 0.5))


def _rarity(term: str, documents: int, frequencies: Mapping[str, int]) -> float:
    """Return the idf of a term among the memories and the cohort: a few memories do not tell which words are common."""
    everyday = everyday_terms().get(term, 0)
    return _idf(documents + everyday_texts(), frequencies.get(term, 0) + everyday)


def weighed(weights: Mapping[str, float], frequencies: Mapping[str, int], documents: int, length: int) -> Matches:
    """Return what the terms of a question (term: weight above 0) weigh among so many documents of so many terms."""
    return Matches(
        {term: weight * _rarity(term, documents, frequencies) for term, weight in weights.items()},
        average_length=max(1.0, length / max(1, documents)),
        highest_idf=_idf(documents + everyday_texts(), 0),
    )


def affordable(frequencies: Mapping[str, int]) -> list[str]:
    """Return the terms whose postings are read, the rarest first, within the budget of postings."""
    left = POSTINGS
    terms: list[str] = []
    for term in sorted(frequencies, key=lambda term: (frequencies[term], term)):
        if len(terms) >= FEWEST_TERMS and frequencies[term] > left:
            break
        left -= frequencies[term]
        terms.append(term)
    return terms


def match(connection: sqlite3.Connection, weights: Mapping[str, float]) -> Matches:
    """Look up the terms of a question (term: weight above 0), rarest first, within the budget of postings."""
    documents, length = connection.execute("SELECT documents, length FROM search_totals").fetchone()
    frequencies = _frequencies(connection, list(weights))
    matches = weighed(weights, frequencies, documents, length)
    for term in affordable(frequencies):
        matches.postings[term] = _look_up(connection, term)
    return matches


def _frequencies(connection: sqlite3.Connection, terms: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(terms), 500):
        some = terms[start : start + 500]
        sql = f"SELECT term, documents FROM search_terms WHERE term IN {marks(some)}"  # noqa: S608
        found.update(connection.execute(sql, some).fetchall())
    return found


def _look_up(connection: sqlite3.Connection, term: str) -> set[int]:
    # As one text: a row a posting takes twice as long.
    sql = "SELECT json_group_array(rowid) FROM search_postings WHERE search_postings MATCH ?"
    (numbers,) = connection.execute(sql, (f'"{term}"',)).fetchone()
    return set(json.loads(numbers))
