"""Intervals by the bootstrap (Efron 1979): how much a figure hangs on which items happened to be there."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

ROUNDS = 500
Item = TypeVar("Item")


def intervals(
    items: Sequence[Item], measure: Callable[[Sequence[Item]], Mapping[str, float]], rounds: int = ROUNDS
) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval of each measure: items drawn with replacement and kept in their order."""
    if not items:
        return {}
    chance = random.Random(0)  # noqa: S311 - the same items give the same interval
    values: dict[str, list[float]] = {}
    for _ in range(rounds):
        drawn = sorted(chance.randrange(len(items)) for _ in items)
        for name, value in measure([items[index] for index in drawn]).items():
            values.setdefault(name, []).append(value)
    return {name: _middle(sorted(each)) for name, each in values.items()}


def _middle(ordered: Sequence[float]) -> tuple[float, float]:
    last = len(ordered) - 1
    return ordered[round(0.025 * last)], ordered[round(0.975 * last)]
