"""The step that weighs a run's lessons against the rules that stand: those that are new or changed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.consolidating.weighed import keep_weighed, read_weighed
from hardwon.kernel.use_cases.rules.bearings import take_bearings

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.material import Material


def corroborate(home: Home, material: Material) -> Mapping[str, int]:
    """Link the lessons that bear on a rule to it; return how many joined one and how many speak against one."""
    if not material.rules:
        return {}
    known = read_weighed(home)
    fresh = known.fresh(material.lessons, material.rules)
    counts = take_bearings(home, fresh, material.rules)
    if fresh:
        # Last: a run that is cut off before weighs them again, which links nothing twice.
        keep_weighed(home, known.basis, material.lessons, material.rules)
    return counts
