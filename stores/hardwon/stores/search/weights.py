"""What each term of a question weighs in keyword search."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.kernel.text import is_unspaced, query_terms

LONGEST = 16_000
"""Characters of a question that are searched for; of a longer one, its beginning and its end."""
TURNS = 3
"""How many of the recent turns count."""
TURN_WEIGHT = 0.25
"""What a term of a turn weighs beside one of the question."""
CHARACTER_WEIGHT = 0.5
"""What a character or a pair of them weighs beside a word: each character of a text stands in a pair as well."""


def question_weights(text: str, turns: Sequence[str]) -> dict[str, float]:
    """Return the terms of a question and of its recent turns, with the weight of each."""
    if len(text) > LONGEST:
        text = text[: LONGEST // 2] + " " + text[-LONGEST // 2 :]
    weights = dict.fromkeys(query_terms(text), 1.0)
    for turn in turns[-TURNS:]:
        for term in query_terms(turn[-LONGEST:]):
            weights.setdefault(term, TURN_WEIGHT)
    return {term: weight * CHARACTER_WEIGHT if is_unspaced(term) else weight for term, weight in weights.items()}
