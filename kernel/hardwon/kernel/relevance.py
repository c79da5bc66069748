"""Relevance: how well a candidate answers a question, beside others and at all.

Beside others, the fused keywords and meaning order them. Whether one answers at all is another matter, and absolute:
margins between the candidates of one question say nothing of it. A candidate is measured against what a task that
nothing here answers brings up: for nearness the best of as many unrelated texts (`level` is 0 there), for keywords the
best that everyday tasks find in this very store (`usual`), since the more is kept, and the more words it has, the more
any task finds. Pure, as ranking is.

Chosen on 70 memories and 157 questions of our own (tests/data/recall) and on a development set; recall against false
injection for other values: docs/decisions/0013-search-and-when-it-stays-silent.md.
"""

from __future__ import annotations

from collections.abc import Callable

from hardwon.kernel.candidate import Candidate

SEMANTIC_SHARE = 0.3
"""Of meaning beside keywords in relevance: measured as best among several fusions on LoCoMo and on Chinese pairs."""
KEYWORDS_BESIDE_MEANING = 2.0
"""Deviations of nearness that keywords worth one rarest word weigh."""
NEAR = 0.8
"""Deviations above what is usual that a memory needs, keywords counted in."""
KEYWORDS_ALONE = 1.25
"""How many times what is usual a memory needs where it has no vector."""
FEWEST_KEYWORDS, FEWEST_OF_A_RULE = 0.43, 0.3
"""What is usual at least where keywords decide alone, in rarest words: in a small store everyday tasks find nothing."""
MOST_OF_THE_QUESTION = 0.7
"""Share of what a question's words weigh that is enough by itself."""
BEST_MEMBER = 0.75
"""What the best of a rule and its lessons weighs beside the second: one that happens to match is not enough, and a
mean of many would let what they do not share speak against it."""


def relevance_of(candidate: Candidate) -> float:
    """Return how relevant a candidate is beside others of the same question, 0–1."""
    return with_members(_fused, candidate)


def _fused(candidate: Candidate) -> float:
    if candidate.semantic is None:
        return candidate.lexical
    return SEMANTIC_SHARE * candidate.semantic + (1 - SEMANTIC_SHARE) * candidate.lexical


def evidence_of(candidate: Candidate, fit: float = 1.0) -> float:
    """Return how much speaks for showing a candidate at all, 1 being just enough.

    `fit` is how well its scope fits the reader, 0–1; for what holds most words of the question it is enough.
    """
    if not candidate.members:
        above, covered = _above_usual(candidate, candidate.usual, FEWEST_KEYWORDS), candidate.coverage
    else:
        above = with_members(lambda each: _above_usual(each, candidate.usual, FEWEST_OF_A_RULE), candidate)
        covered = with_members(lambda each: each.coverage, candidate)
    return max(above * fit, covered / MOST_OF_THE_QUESTION)


def with_members(measure: Callable[[Candidate], float], candidate: Candidate) -> float:
    """Measure a rule through itself and its lessons, by the best two; anything else by itself."""
    if not candidate.members:
        return measure(candidate)
    best, second, *_ = sorted(map(measure, (candidate, *candidate.members)), reverse=True)
    return BEST_MEMBER * best + (1 - BEST_MEMBER) * second


def weight_of(candidate: Candidate) -> float:
    """Return what its keywords weigh, in rarest words."""
    return candidate.lexical if candidate.weight is None else candidate.weight


def _above_usual(candidate: Candidate, usual: float, fewest: float) -> float:
    """Return by how much it stands above what is usual, what a memory needs being 1."""
    if candidate.level is None:
        return weight_of(candidate) / (KEYWORDS_ALONE * max(usual, fewest))
    return (candidate.level + KEYWORDS_BESIDE_MEANING * (weight_of(candidate) - usual)) / NEAR
