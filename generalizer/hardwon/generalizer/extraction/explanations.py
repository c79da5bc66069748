"""How much a sentence of the agent's explains: what was wrong and why, and what was done about it."""

from __future__ import annotations

from functools import lru_cache

from hardwon.generalizer.extraction.cues import claimed_as, typed_as
from hardwon.generalizer.extraction.passages import length


@lru_cache(maxsize=4_000)
def explains(sentence: str) -> float:
    """Return how much a sentence has of an explanation; 1 and more where it says outright that this was the cause."""
    outright, limit, omission, cause = (
        claimed_as("outright", sentence),
        claimed_as("limit", sentence),
        claimed_as("never_done", sentence),
        typed_as("cause", sentence),
    )
    if not (outright or limit or omission or cause):
        return 0.0
    return (
        1.0 * outright
        + 0.6 * limit
        + 0.4 * omission
        + 0.4 * cause
        + 0.3 * claimed_as("because", sentence)
        + 0.2 * (length(sentence) >= 8)
        - 0.3 * (length(sentence) > 45)
        - 0.8 * typed_as("hedge", sentence)
        - 0.8 * claimed_as("trivial", sentence)
        - 1.0 * claimed_as("of_tests", sentence)
        - 0.5 * sentence.endswith(("?", "？"))
    )
