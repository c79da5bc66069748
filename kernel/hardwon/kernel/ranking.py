"""Ranking: which of the things found are shown, in what order, and why the others are not.

Pure: no pydantic, no numpy; the same on the hook path, in the shell and on a server. Three steps:

1. `rank` scores the candidates, turns away what does not hold here or answers too weakly, and orders the rest so that
   the first ones differ from each other.
2. The caller may replace or leave out candidates (superseded ones, lessons below their rule).
3. `cut` keeps what fits the limit and the budget of tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.relevance import evidence_of, relevance_of

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
FOREIGN_FIT = 0.5
"""Fit of what one project noted, where a reader outside of any asks all: nobody said yet that it holds elsewhere."""
DIVERSITY = 0.3
"""How much of a score is lost by a candidate whose terms are all those of a better one (maximal marginal relevance)."""
TOO_WEAK = "it answers too weakly"
WIDE = "\u2e80"
"""The first character of the scripts that are written without spaces and cost a token each."""
SAME = 0.95
"""Share of common terms (Jaccard) from which on two memories say the same."""


class Situation(Protocol):
    """What is known of the reader; a Context is one."""

    @property
    def project(self) -> str | None:
        """Return the project that the reader works in; None outside of any."""
        ...

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
    terms = candidate.terms
    wide = sum(1 for term in terms if len(term) == 1 and term >= WIDE)
    return candidate.length if wide * 4 > len(terms) else candidate.length // 4 + 1


def _fit(candidate: Candidate, context: Situation) -> tuple[float, str | None]:
    """Return how well its scope fits the reader, 0–1, and at 0 the reason."""
    if candidate.agent and context.agent and candidate.agent != context.agent:
        return 0.0, f"it is for the agent {candidate.agent}"
    fit, reason = applies(candidate.applies_when, context)
    return fit if context.project or candidate.project is None else fit * FOREIGN_FIT, reason


def applies(applies_when: Mapping[str, Sequence[str]], context: Situation) -> tuple[float, str | None]:
    """Return how well what narrows a scope fits the reader, 0–1, and at 0 the reason."""
    fit = 1.0
    for kind in ("languages", "frameworks", "roles", "tags") if applies_when else ():
        wanted = {value.casefold() for value in applies_when.get(kind, ())}
        present = {value.casefold() for value in getattr(context, kind)}
        if wanted and not present:
            fit *= UNKNOWN_FIT
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
        "evidence": evidence_of(candidate, fit),
        "lexical": candidate.lexical,
        "coverage": candidate.coverage,
    }
    for name in ("weight", "semantic", "cosine", "level"):
        value = getattr(candidate, name)
        if value is not None:
            parts[name] = value
    return parts


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
    relevances = [relevance_of(candidate) for candidate in candidates]
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


def _diversified(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Order by score less likeness to what stands before (Carbonell & Goldstein 1998); hide what says the same."""
    words = _as_bits([each.candidate.terms for each in ranked])
    sizes = [each.bit_count() for each in words]
    likeness = [0.0] * len(ranked)
    worth = [each.score for each in ranked]
    left = dict.fromkeys(range(len(ranked)))
    chosen: list[Ranked] = []
    same: list[Ranked] = []
    while left:
        place = max(left, key=worth.__getitem__)
        del left[place]
        taken = ranked[place]
        if likeness[place] >= SAME:
            taken.hidden = "another one shown says the same"
            same.append(taken)
            continue
        taken.parts["diversity"] = 1 - DIVERSITY * likeness[place]
        chosen.append(taken)
        for other in left:
            shared = (words[place] & words[other]).bit_count()
            if shared and (like := shared / (sizes[place] + sizes[other] - shared)) > likeness[other]:
                likeness[other] = like
                worth[other] = ranked[other].score * (1 - DIVERSITY * like)
    return chosen + same


def _as_bits(sets: Sequence[frozenset[str]]) -> list[int]:
    """Return sets of terms as whole numbers, a bit a term: what two share is counted in a tenth of the time."""
    bits = {term: 1 << place for place, term in enumerate(dict.fromkeys(chain.from_iterable(sets)))}
    return [sum(map(bits.__getitem__, terms)) for terms in sets]


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
