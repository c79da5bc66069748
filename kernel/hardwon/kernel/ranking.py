"""Ranking: which of the things found are shown.

Pure: no pydantic, no numpy; the same on the hook path, in the shell and on a server.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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
    matched: dict[str, float] = field(default_factory=dict)
    """By term of the question that it holds: its part of `lexical`."""
    coverage: float = 0.0
    """Share of the question's idf that the terms it holds make up, 0–1."""
    cosine: float | None = None
    """Cosine to the question, of the nearest of its texts; None where there is no vector."""
    semantic: float | None = None
    """Cosine rescaled over the store from its 5th percentile (0) to its maximum (1); None where there is no vector."""
    level: float | None = None
    """Standard deviations by which the cosine stands above those of texts on anything; None without a vector."""
    members: list[Candidate] = field(default_factory=list)
    """Of a rule: its lessons that answer the question, whatever project they belong to."""
    agent: str | None = None
    used: int = 0
    """How often recall showed it and it helped."""
    length: int = 0
    """Characters of its content."""
    terms: frozenset[str] = frozenset()
    """Index terms of its content, for diversity."""
    applies_when: dict[str, list[str]] = field(default_factory=dict)
    via: str = "direct"


@dataclass(slots=True)
class Found:
    """What a store found, and what it could not look at (sentences: no vectors yet, deadline passed, …)."""

    candidates: list[Candidate]
    notes: list[str] = field(default_factory=list)
