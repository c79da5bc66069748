"""Keyword search: FTS5 keeps which memory holds which term; BM25 is computed here over all terms of the question.

The rarest terms choose whom to look at, since a common word tells little; all terms score those. FTS5's own bm25() is
not used: on a handful of memories its idf turns negative, it cannot say what matched, and it needs positions, which
make the index half as large again. The terms come prepared from `hardwon.kernel.text`: letters, digits and underscores
alone, always quoted, so that no question is a syntax error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hardwon.kernel.everyday import everyday_terms, everyday_texts
from hardwon.stores.search.bits import Sums
from hardwon.stores.search.document_sets import DocumentSets
from hardwon.stores.search.held_sets import HeldSets

SATURATION = 1.2
LENGTH_WEIGHT = 0.75
POSTINGS = 3000
"""How many postings a question reads at most beyond its rarest terms: some 0.7 ms."""
MORE_POSTINGS = 50
"""One more for so many documents: what takes 5 ms among a million must not cost a small store anything."""
FEWEST_TERMS = 3
"""Terms that are looked up however common they are."""
HEAVIEST = 31
"""What the weightiest term of a question adds where documents are chosen; the others add their share of it."""


@dataclass(slots=True)
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
    documents: int = 0
    """How many documents there are."""
    average_length: float = 1.0
    highest_idf: float = 1.0
    """The idf of a term that no document holds."""
    holders: Sums = field(default_factory=Sums)
    """What each document weighs by the terms looked up that it holds."""
    total: float = field(init=False)
    _sought: list[tuple[str, str, float]] = field(init=False)
    """Each term, as it stands among others, and its idf: to find some takes less than to part a text in words."""

    def __post_init__(self) -> None:
        self.total = sum(self.idf.values()) or 1.0
        self._sought = [(term, f" {term} ", idf) for term, idf in self.idf.items()]

    def best(self, most: int, within: int | None = None) -> list[int]:
        """Return the documents, of those within (as bits), with the largest sum of idf over the terms looked up.

        The best come first, and of equal ones the newest.
        """
        return self.holders.best(most, within)

    def score(self, terms: str, length: int) -> Score:
        """Return how well a document of `length` terms answers the question; of it are kept `terms`, blanks between."""
        norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / self.average_length)
        whole = held = 0.0
        parts: dict[str, float] = {}
        text = f" {terms} "
        for term, between_blanks, idf in self._sought:
            at = text.find(between_blanks)
            if at >= 0:
                # BM25 (Robertson & Zaragoza 2009), divided by its factor of 2.2.
                is_repeated = text.find(between_blanks, at + 1) >= 0
                count = terms.split().count(term) if is_repeated else 1
                bm25 = idf * count / (count + norm)
                parts[term] = bm25 / self.total
                whole += bm25
                held += idf
        return Score(min(1.0, whole / self.total), whole / self.highest_idf, held / self.total, parts)


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
        documents,
        average_length=max(1.0, length / max(1, documents)),
        highest_idf=_idf(documents + everyday_texts(), 0),
    )


def affordable(
    frequencies: Mapping[str, int], budget: int = POSTINGS, cost: Callable[[int], int] = lambda documents: documents
) -> list[str]:
    """Return the terms that are looked up, the rarest first, within the budget of postings.

    `cost` tells how many postings it costs to look up a term that so many documents hold.
    """
    terms: list[str] = []
    for term in sorted(frequencies, key=lambda term: (frequencies[term], term)):
        needed = cost(frequencies[term])
        if len(terms) >= FEWEST_TERMS and needed > budget:
            break
        budget -= needed
        terms.append(term)
    return terms


def match(held: HeldSets, weights: Mapping[str, float]) -> Matches:
    """Look up the terms of a question (term: weight above 0), rarest first, within the budget of postings."""
    with held.at_once() as sets:
        return _looked_up(sets, weights)


def _looked_up(sets: DocumentSets, weights: Mapping[str, float]) -> Matches:
    frequencies = sets.frequencies(list(weights))
    matches = weighed(weights, frequencies, sets.documents, sets.length)
    terms = affordable(frequencies, POSTINGS + sets.documents // MORE_POSTINGS, sets.cost)
    heaviest = max((matches.idf[term] for term in terms), default=1.0)
    for term in terms:
        holders = sets.holders(term, frequencies[term])
        matches.holders.add(holders, max(1, round(HEAVIEST * matches.idf[term] / heaviest)))
    return matches
