"""A candidate: one memory that a store found for a question, and what ranking needs to know of it.

No pydantic: the hook program finds and ranks by the same modules.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardwon.kernel.confidence import Evidence, effective, is_denied


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
    usual: float = 0.0
    """The weight that everyday tasks which nothing here answers find at best, among candidates of this sort."""
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
    words: str = ""
    """Its index terms with blanks between, for diversity; of most candidates they are never looked at one by one."""
    applies_when: dict[str, list[str]] = field(default_factory=dict)
    via: str = "direct"
    denied: bool = False
    """Its confidence fell so low that it is not shown unasked."""

    @property
    def terms(self) -> frozenset[str]:
        """Return its distinct index terms."""
        return frozenset(self.words.split())

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
