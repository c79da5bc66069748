"""From a row of `search_documents` to a candidate: what was found is scored here alone, whichever database found it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from hardwon.kernel.candidate import Candidate

if TYPE_CHECKING:
    from hardwon.stores.search.lexical import Matches

COLUMNS = (
    "number", "length", "terms", "id", "kind", "project", "status", "strength", "confidence", "importance",
    "asserted_at", "agent", "characters", "applies_when",
)  # fmt: skip
"""What of a row scoring needs, in this order."""


class HowNear(Protocol):
    """What is known of how near a question lies to each document; see `Nearness`."""

    def judged(self, number: int, competing: int) -> tuple[float, float, float | None] | None:
        """Return cosine, semantic and level of a document among so many; None where it has no vector."""
        ...


@dataclass(frozen=True, slots=True)
class Scoring:
    """What every candidate of one question is scored by."""

    matches: Matches
    nearness: HowNear
    competing: int
    """How many documents can come up."""
    competing_rules: int
    """How many documents can bring up a rule."""
    usual: float
    """The weight that everyday tasks find at best, among so many memories."""
    usual_of_rules: float

    def candidate(self, row: Iterable[Any], *, of_rules: bool = False) -> Candidate:
        """Return the candidate of a row of COLUMNS; `of_rules`: it speaks for a rule. Raises sqlite3.DatabaseError."""
        number, length, text, id, kind, project, status, strength, confidence, importance, asserted_at, *rest = row
        agent, characters, applies_when = rest
        if not isinstance(text, str):
            raise sqlite3.DatabaseError("a row of the search tables is damaged: a text is missing")
        score = self.matches.score(text, length)
        of_rules = of_rules or kind == "rule"
        judged = self.nearness.judged(number, self.competing_rules if of_rules else self.competing)
        cosine, semantic, level = judged or (None, None, None)
        return Candidate(
            id, kind, project, status, strength, confidence, importance, asserted_at,
            lexical=score.lexical,
            weight=score.weight,
            coverage=score.coverage,
            matched=score.parts,
            cosine=cosine,
            semantic=semantic,
            level=level,
            usual=self.usual_of_rules if of_rules else self.usual,
            agent=agent,
            length=characters,
            words=text,
            applies_when=json.loads(applies_when) if applies_when else {},
        )  # fmt: skip
