"""What a run does beside the review queue: each step looks at the run's material and changes the memory by itself.

A step thinks without a lock and then writes in one operation of its own, in which it looks again at whatever it is
about to change: people's edits since the material was read win. It may be cut off anywhere, and the next run does the
rest, so what it writes must be the same thing again when it is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.consolidating.corroborating import corroborate
from hardwon.kernel.use_cases.write_gate.examining import examine

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.material import Material

    Step = Callable[[Home, Material], Mapping[str, int]]


def examine_new(home: Home, _material: Material) -> Mapping[str, int]:
    """Compare what was kept since the last run with what stood before it, of every kind of memory."""
    return examine(home)


STEPS: tuple[Step, ...] = (corroborate, examine_new)
"""In the order in which they are done. Each returns how much it changed, by a word for what, for the record."""
GOING_ON: tuple[Step, ...] = (examine_new,)
"""Those that may have left something for this run, though nothing is different from what the last one looked at."""


def take_steps(home: Home, material: Material, steps: Sequence[Step] = STEPS) -> dict[str, int]:
    """Do some steps, every one by default; return all their counts."""
    counts: dict[str, int] = {}
    for step in steps:
        counts |= step(home, material)
    return counts
