"""How likely a typed sentence teaches something: a logistic sum of its features, with weights from weights.toml.

The weights are fitted by tests/generalizer/extraction/fit_weights.py to sessions that we wrote ourselves
(tests/data/capture/own.txt), so that they hold for no product and no person in particular.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def _weights() -> Mapping[str, float]:
    table = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))
    return {name: float(weight) for name, weight in table["weights"].items()}


def likelihood(features: Mapping[str, float]) -> float:
    """Return how likely it is, 0–1."""
    weights = _weights()
    total = weights["intercept"] + sum(weights.get(name, 0.0) * value for name, value in features.items())
    return 1 / (1 + math.exp(-total))
