"""Ranking: which of the things found are shown, in what order, and why the others are not.

Pure: no pydantic, no numpy; the same on the hook path, in the shell and on a server. Three steps:

1. `rank` scores the candidates, turns away what does not hold here or answers too weakly, and orders the rest so that
   the first ones differ from each other.
2. The caller may replace or leave out candidates (superseded ones, lessons below their rule).
3. `cut` keeps what fits the limit and the budget of tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hardwon.kernel.confidence import Evidence, effective, is_denied

SEMANTIC_SHARE = 0.3
"""Of meaning beside keywords in relevance: measured as best among several fusions on LoCoMo and on Chinese pairs."""

RELEVANCE, CONFIDENCE, FRESHNESS, USE = 0.6, 0.2, 0.1, 0.1
"""What the parts of a score weigh; each part lies between 0 and 1, relevance relative to the most relevant."""
IMPORTANCE_LIFT = 0.2
"""Importance 1 lifts a score by half of this, importance 0 lowers it as much."""
HARD_LIFT = 0.1
FRESH_DAYS = 180.0
"""Days in which freshness halves."""
USES = 3.0
"""With so many helpful uses, the part for use is one half; so often wrong, confidence is halved."""
UNKNOWN_FIT = 0.9
"""Fit of a memory that holds only for some language, framework, role or tag, where the reader's is not known."""
DIVERSITY = 0.3
"""How much of a score is lost by a candidate whose terms are all those of a better one (maximal marginal relevance)."""
TOO_WEAK = "it answers too weakly"
WIDE = "\u2e80"
"""The first character of the scripts that are written without spaces and cost a token each."""
SAME = 0.95
"""Share of common terms (Jaccard) from which on two memories say the same."""

NEAR = 1.0
KEYWORDS_BESIDE_MEANING = 1.0
KEYWORDS_ALONE = 0.55
MOST_OF_THE_QUESTION = 0.7
CONFIRMED_BY_LESSONS = 0.75
"""What speaks for showing a candidate: level + weight ≥ 1; without a vector, weight ≥ 0.55; either way
coverage ≥ 0.7.

`level` is 0 where the best of as many unrelated texts would lie, `weight` is 1 for one rarest word at its most. Both
are absolute: margins between the candidates of one question say nothing of whether any answers. Chosen on 70 memories
and 157 questions of our own (tests/data/recall); recall against false injection for other values:
docs/decisions/0013-search-and-when-it-stays-silent.md.

A rule that lessons answer beside it needs three quarters of that: two that agree are measured by their mean, which lies
below the better one.
"""


class Situation(Protocol):
    """What is known of the reader; a Context is one."""

    @property
    def agent(self) -> str | None:
        """Return the agent that reads."""
        ...

    @property
    def languages(self) -> Sequence[str]:
        """Return the programming languages at hand; empty where that is not known, as with those below."""
        ...

    @property
    def frameworks(self) -> Sequence[str]:
        """Return the frameworks at hand."""
        ...

    @property
    def roles(self) -> Sequence[str]:
        """Return what the agent is for."""
        ...

    @property
    def tags(self) -> Sequence[str]:
        """Return what else is known."""
        ...


@dataclass(slots=True)
class Candidate:
    """Something that a store found: what ranking needs to know of it, and no more."""

    id: str
    kind: str
    project: str | None
    status: str
    strength: str
    confidence: float
    importance: float
    asserted_at: float
    """Seconds since 1970."""
    lexical: float = 0.0
    """min(1, bm25 / (2.2 · Σ idf of the query's terms)), 0–1."""
    weight: float | None = None
    """bm25 as a multiple of the most that one word which occurs nowhere else can add, 0 and up.

    None where the store does not tell: `lexical` stands in for it.
    """
    coverage: float = 0.0
    """Share of the question's idf that the terms it holds make up, 0–1."""
    matched: dict[str, float] = field(default_factory=dict)
    """By term of the question that it holds: its part of `lexical`."""
    cosine: float | None = None
    """Cosine to the query; None without a vector."""
    semantic: float | None = None
    """Nearness rescaled over the store: its 5th percentile is 0, its maximum 1; None without a vector."""
    level: float | None = None
    """Standard deviations by which it stands nearer than the best of as many unrelated texts would."""
    members: list[Candidate] = field(default_factory=list)
    """Of a rule: its lessons that answer the question, whatever project they belong to."""
    agent: str | None = None
    used: int = 0
    """How many more times it was useful than wrong to those it was shown to; below 0: more often wrong."""
    length: int = 0
    """Characters of its content."""
    terms: frozenset[str] = frozenset()
    """Its index terms, for diversity."""
    applies_when: dict[str, list[str]] = field(default_factory=dict)
    via: str = "direct"
    denied: bool = False
    """Its confidence fell so low that it is not shown unasked."""

    def weigh(self, evidence: Evidence | None, *, observed_too: bool = False) -> None:
        """Take in what became of it since it was kept; who asks for observed memories sees denied ones too."""
        self.denied = not observed_too and is_denied(evidence)
        self.confidence = effective(self.confidence, evidence)

    def standing_in(self, id: str, kind: str, length: int) -> Candidate:
        """Return the memory that supersedes this one, found by what this one says."""
        same = {name: getattr(self, name) for name in self.__slots__}  # dataclasses.replace costs the hook 17 ms
        return Candidate(**(same | {"id": id, "kind": str(kind), "length": length, "via": "supersedes"}))


@dataclass(slots=True)
class Found:
    """What a store found, and what it could not look at (sentences: no vectors yet, deadline passed, …)."""

    candidates: list[Candidate]
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Ranked:
    """A candidate with its score, the parts of it, and, unless it is shown, the reason."""

    candidate: Candidate
    score: float
    parts: dict[str, float]
    hidden: str | None = None
    """Why it is not shown; None while it is."""


def tokens_of(text: str) -> int:
    """Estimate the tokens of a text: four characters each, one where the script has no spaces."""
    wide = sum(1 for character in text if character >= WIDE) if not text.isascii() else 0
    return wide + (len(text) - wide) // 4 + 1


def _tokens(candidate: Candidate) -> int:
    """Estimate the tokens of a candidate's content from its length and the script of its terms."""
    wide = sum(1 for term in candidate.terms if len(term) == 1 and term >= WIDE)
    return candidate.length if wide * 4 > len(candidate.terms) else candidate.length // 4 + 1


def _relevance(candidate: Candidate) -> float:
    if candidate.semantic is None:
        return candidate.lexical
    return SEMANTIC_SHARE * candidate.semantic + (1 - SEMANTIC_SHARE) * candidate.lexical


def _evidence(candidate: Candidate) -> float:
    """Return how much speaks for showing it at all, scaled so that 1 is just enough."""
    weight = candidate.lexical if candidate.weight is None else candidate.weight
    by_words = candidate.coverage / MOST_OF_THE_QUESTION
    if candidate.level is None:
        return max(by_words, weight / KEYWORDS_ALONE)
    return max(by_words, (candidate.level + KEYWORDS_BESIDE_MEANING * weight) / NEAR)


def _with_members(measure: Callable[[Candidate], float], candidate: Candidate) -> float:
    """Measure a rule through itself and its lessons, by the mean of the best two; anything else by itself."""
    if not candidate.members:
        return measure(candidate)
    best, second, *_ = sorted(map(measure, (candidate, *candidate.members)), reverse=True)
    return (best + second) / 2


def _fit(candidate: Candidate, context: Situation) -> tuple[float, str | None]:
    """Return how well its scope fits the reader, 0–1, and at 0 the reason."""
    if candidate.agent and context.agent and candidate.agent != context.agent:
        return 0.0, f"it is for the agent {candidate.agent}"
    if not candidate.applies_when:
        return 1.0, None
    fit = 1.0
    for kind in ("languages", "frameworks", "roles", "tags"):
        wanted = {value.casefold() for value in candidate.applies_when.get(kind, ())}
        present = {value.casefold() for value in getattr(context, kind)}
        if wanted and not present:
            fit = UNKNOWN_FIT
        elif wanted and wanted.isdisjoint(present):
            return 0.0, f"it holds only for {kind} {', '.join(sorted(wanted))}"
    return fit, None


def _parts(candidate: Candidate, relevance: float, fit: float, now: float) -> dict[str, float]:
    age = max(0.0, now - candidate.asserted_at) / 86_400
    parts = {
        "relevance": relevance * fit,
        "confidence": candidate.confidence * USES / (USES - min(0, candidate.used)),
        "freshness": 0.5 ** (age / FRESH_DAYS),
        "use": max(0, candidate.used) / (max(0, candidate.used) + USES),
        "importance": candidate.importance,
        "fit": fit,
        "evidence": _with_members(_evidence, candidate) / (CONFIRMED_BY_LESSONS if candidate.members else 1.0),
        "lexical": candidate.lexical,
        "coverage": candidate.coverage,
    }
    optional = ("weight", "semantic", "cosine", "level")
    return parts | {name: getattr(candidate, name) for name in optional if getattr(candidate, name) is not None}


def _score(candidate: Candidate, parts: dict[str, float]) -> float:
    score = (
        RELEVANCE * parts["relevance"]
        + CONFIDENCE * parts["confidence"]
        + FRESHNESS * parts["freshness"]
        + USE * parts["use"]
    )
    lift = 1 + IMPORTANCE_LIFT * (parts["importance"] - 0.5) + (HARD_LIFT if candidate.strength == "hard" else 0.0)
    return score * lift


def rank(candidates: Sequence[Candidate], context: Situation, now: float) -> list[Ranked]:
    """Return all candidates with scores: those that may be shown, in order, then the hidden ones with the reason.

    `now` is in seconds since 1970.
    """
    relevances = [_with_members(_relevance, candidate) for candidate in candidates]
    best = max(relevances, default=0.0) or 1.0
    shown: list[Ranked] = []
    hidden: list[Ranked] = []
    for candidate, relevance in zip(candidates, relevances, strict=True):
        fit, reason = _fit(candidate, context)
        parts = _parts(candidate, relevance / best, fit, now)
        if reason is None and candidate.denied:
            reason = f"its confidence fell to {candidate.confidence:.2f}"
        if reason is None and parts["evidence"] < 1:
            reason = TOO_WEAK
        ranked = Ranked(candidate, _score(candidate, parts), parts, reason)
        (hidden if reason else shown).append(ranked)
    hidden.sort(key=_by_score)
    return _diversified(sorted(shown, key=_by_score)) + hidden


def _by_score(ranked: Ranked) -> tuple[float, str]:
    return -ranked.score, ranked.candidate.id


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _diversified(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Order by score less likeness to what stands before (Carbonell & Goldstein 1998); hide what says the same."""
    left = dict.fromkeys(range(len(ranked)), 0.0)
    chosen: list[Ranked] = []
    same: list[Ranked] = []
    while left:
        place = max(left, key=lambda place: (ranked[place].score * (1 - DIVERSITY * left[place]), -place))
        likeness = left.pop(place)
        taken = ranked[place]
        if likeness >= SAME:
            taken.hidden = "another one shown says the same"
            same.append(taken)
            continue
        taken.parts["diversity"] = 1 - DIVERSITY * likeness
        chosen.append(taken)
        for other in left:
            left[other] = max(left[other], _likeness(taken.candidate.terms, ranked[other].candidate.terms))
    return chosen + same


def cut(ranked: Iterable[Ranked], limit: int, budget: int, *, beside: int = 0, strict: bool = False) -> int:
    """Hide what is beyond the limit or does not fit the budget of tokens; return the tokens taken.

    Each one takes the tokens of its content and so many `beside`. The first one is shown even if it alone is longer
    than the budget, unless that is `strict`: then it makes room for shorter ones.
    """
    taken = shown = 0
    for each in ranked:
        if each.hidden:
            continue
        cost = _tokens(each.candidate) + beside
        if shown >= limit:
            each.hidden = f"it is beyond the limit of {limit}"
        elif (shown or strict) and taken + cost > budget:
            each.hidden = f"it does not fit the budget of {budget} tokens"
        else:
            shown, taken = shown + 1, taken + cost
    return taken
