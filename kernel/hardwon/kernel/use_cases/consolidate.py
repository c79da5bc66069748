"""Consolidate: look at the lessons of all projects and keep the review queue as it should stand.

The lessons are read first and nothing is locked while the generalizer thinks; what people did meanwhile wins. Each
change is an operation of its own and is the same when it is made again, so a run that is cut off is simply repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.use_cases.capture import LONGEST_WAIT, Captured, capture
from hardwon.kernel.use_cases.consolidating.material import read_material
from hardwon.kernel.use_cases.consolidating.outcome import Consolidation
from hardwon.kernel.use_cases.consolidating.queue import apply_to_queue, changes_between
from hardwon.kernel.use_cases.consolidating.steps import take_steps

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def consolidate(home: Home, *, dry_run: bool = False) -> Consolidation:
    """Take what is in the spool, run the generalizer over everything and bring the queue up to date.

    A dry run changes nothing.
    """
    captured = Captured() if dry_run else capture(home, settle=True, patience=LONGEST_WAIT)
    material = read_material(home)
    # Before the proposals: what speaks against a rule is what a change of it is proposed for.
    steps = {} if dry_run else take_steps(home, material)
    proposals = home.generalizer.propose(material.lessons, material.rules, material.proposals, material.decisions)
    looked_at = {each.id for each in material.proposals}
    changes = changes_between(proposals, material.proposals, looked_at)
    if changes and not dry_run:
        why = f"Consolidate {len(material.lessons)} lessons: {changes} proposals"
        changes = apply_to_queue(home, proposals, looked_at, why)
    return Consolidation(
        lessons=len(material.lessons),
        projects=material.projects,
        proposals=tuple(proposals),
        added=tuple(each.id for each in changes.added),
        refreshed=tuple(each.id for each in changes.refreshed),
        withdrawn=tuple(each.id for each in changes.withdrawn),
        kept_out=material.kept_out,
        problems=(*captured.problems, *home.queue.problems()),
        captured=captured,
        steps=steps,
    )
