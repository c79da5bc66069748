"""Cost: what a call of a language model took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call took."""

    dollars: float | None = 0.0
    """US dollars; None where nobody knows the price."""
    tokens_in: int = 0
    tokens_cached: int = 0
    """Of `tokens_in`, those that the provider had in its prompt cache."""
    tokens_out: int = 0
