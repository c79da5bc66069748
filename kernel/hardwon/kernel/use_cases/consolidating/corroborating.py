"""The step that weighs a run's lessons against the rules that stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.rules.bearings import take_bearings

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.material import Material


def corroborate(home: Home, material: Material) -> Mapping[str, int]:
    """Link the lessons that bear on a rule to it; return how many joined one and how many speak against one."""
    return take_bearings(home, material.lessons, material.rules)
