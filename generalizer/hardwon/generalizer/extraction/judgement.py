"""What features add up to, with the weights of weights.toml: whether a sentence teaches something, and of which kind.

The weights are fitted by tests/generalizer/extraction/fit_weights.py to sessions that we wrote ourselves
(tests/data/capture/), so that they hold for no product and no person in particular.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from hardwon.kernel.memory import Kind

TAUGHT = (Kind.LESSON, Kind.DECISION, Kind.PREFERENCE, Kind.FACT)
"""The kinds of what a session teaches."""


@cache
def _weights(table: str) -> Mapping[str, float]:
    tables = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))
    return {name: float(weight) for name, weight in tables[table].items()}


def typed_likelihood(features: Mapping[str, float]) -> float:
    """Return how likely it is that a sentence which a person typed teaches something, 0–1."""
    return _logistic(_total("typed", features))


def told_likelihood(features: Mapping[str, float]) -> float:
    """Return how likely it is that a sentence of the agent's is a finding worth keeping, 0–1."""
    return _logistic(_total("told", features))


def kind_total(kind: Kind, features: Mapping[str, float]) -> float:
    """Return how much speaks for a typed sentence's being of a kind; it says something beside other kinds' only."""
    return _total(kind.value, features)


def _total(table: str, features: Mapping[str, float]) -> float:
    weights = _weights(table)
    return weights["intercept"] + sum(weights.get(name, 0.0) * value for name, value in features.items() if value)


def _logistic(total: float) -> float:
    return 1 / (1 + math.exp(-total))
