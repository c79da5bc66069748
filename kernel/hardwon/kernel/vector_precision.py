"""How exactly a vector is known: rounded once, when it is made, so that every store keeps it bit by bit, and small.

Each number is a multiple of one step, of which the largest number has STEPS: ten bits a number instead of 32. Measured
with the bundled model on 1,300 sentences of documentation, a cosine moves by 0.00007 (root mean square; 0.0004 at most)
and 99.0 % of the ten nearest are the same; eight bits would keep 97.9 %, twelve 99.9 %. The model itself is one of four
bits. The step is a number of 14 binary digits, so that step times multiple is exact as a 32-bit number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

STEPS = 511
DIGITS = 14
SMALLEST = 1e-30
"""A vector of smaller numbers is none of an embedder; its steps would be none of 32-bit numbers."""


def rounded(vector: Sequence[float]) -> list[float]:
    """Return a vector as it is kept; one that is rounded already comes back the same. Takes finite numbers."""
    largest = max((abs(number) for number in vector), default=0.0)
    if largest < SMALLEST:
        return list(vector)
    step = step_of(largest)
    return [round(number / step) * step for number in vector]


def step_of(largest: float) -> float:
    """Return the step of a vector whose largest number is this."""
    mantissa, exponent = math.frexp(largest / STEPS)
    return math.ldexp(math.ceil(math.ldexp(mantissa, DIGITS)), exponent - DIGITS)
