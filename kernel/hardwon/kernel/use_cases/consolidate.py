"""Consolidate: look at the lessons of all projects and keep the review queue as it should stand.

The lessons are read first and nothing is locked while the generalizer thinks; what people did meanwhile wins. Each
change is an operation of its own and is the same when it is made again, so a run that is cut off is simply repeated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.use_cases.capture import LONGEST_WAIT, Captured, capture
from hardwon.kernel.use_cases.consolidating.derived import clear_derived, tidy
from hardwon.kernel.use_cases.consolidating.last_look import is_as_before, keep_look, look
from hardwon.kernel.use_cases.consolidating.material import read_material
from hardwon.kernel.use_cases.consolidating.outcome import Consolidation
from hardwon.kernel.use_cases.consolidating.queue import apply_to_queue, changes_between
from hardwon.kernel.use_cases.consolidating.steps import GOING_ON, take_steps
from hardwon.kernel.use_cases.consolidating.wording import word_with_model
from hardwon.kernel.use_cases.tending import tend

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.material import Material


def consolidate(home: Home, *, dry_run: bool = False, full: bool = False) -> Consolidation:
    """Take what is in the spool, run the generalizer over everything and bring the queue up to date.

    Where everything is as the last run left it, nothing is proposed anew. A dry run changes nothing; a full one uses
    nothing that earlier runs kept.
    """
    done = _consolidated(home, dry_run=dry_run, full=full)
    if not dry_run:
        tend(home)
    return done


def _consolidated(home: Home, *, dry_run: bool, full: bool) -> Consolidation:
    tidy(home)
    if full:
        clear_derived(home)
    captured = Captured() if dry_run else capture(home, settle=True, patience=LONGEST_WAIT)
    material = read_material(home)
    if not dry_run and is_as_before(home, look(home, material), material.proposals):
        return replace(_unchanged(home, material, captured), steps=take_steps(home, material, GOING_ON))
    # Before the proposals: what speaks against a rule is what a change of it is proposed for.
    steps = {} if dry_run else take_steps(home, material)
    seen = look(home, material)
    proposals = home.generalizer.propose(material.lessons, material.rules, material.proposals, material.decisions)
    if dry_run:
        looked_at = {each.id for each in material.proposals}
        changes = changes_between(proposals, material.proposals, looked_at)
    else:
        applied = apply_to_queue(home, proposals, material)
        keep_look(home, seen, applied.standing)
        changes = applied.changes
        steps |= word_with_model(home)
    return replace(
        _unchanged(home, material, captured),
        proposals=tuple(proposals),
        added=tuple(each.id for each in changes.added),
        refreshed=tuple(each.id for each in changes.refreshed),
        withdrawn=tuple(each.id for each in changes.withdrawn),
        steps=steps,
        unchanged=False,
    )


def _unchanged(home: Home, material: Material, captured: Captured) -> Consolidation:
    """Return what is to be said where nothing is proposed anew."""
    waiting = (each for each in material.proposals if each.state is ProposalState.PENDING)
    return Consolidation(
        lessons=len(material.lessons),
        projects=material.projects,
        proposals=tuple(sorted(waiting, key=lambda each: (-each.confidence, each.id))),
        added=(),
        refreshed=(),
        withdrawn=(),
        kept_out=material.kept_out,
        problems=(*captured.problems, *home.queue.problems()),
        captured=captured,
        unchanged=True,
    )
