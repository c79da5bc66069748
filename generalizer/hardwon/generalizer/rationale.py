"""Why a proposal is made, and how sure of it the generalizer is, in parts that a reviewer can check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.signs import Signs
from hardwon.generalizer.wording import Leading, Wording

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry

AGAINST = 0.15
"""What each lesson that speaks against the rule takes off the confidence, as a share of it."""


def confidence_of(signs: Signs, members: Sequence[MemoryEntry], leading: Leading, against: int) -> dict[str, float]:
    """Return the confidence and its parts.

    The confidence is how likely it is that the members are about one cause, 0–1, less a share for each lesson that
    speaks against the rule. Its parts: meaning, cause and profile tell how much nearer the members are to each other
    than the nearest other lessons are to them, by each view, -1 to 1 · named: the share of members that name the cause
    in plain words · agreement: the members' mean belief in one cause · cohesion: their mean similarity · breadth:
    1 - 2^(1 - projects) · against: the share of the lessons that speak against the rule. Only the first four and the
    last move the confidence.
    """
    projects = len({member.scope.project for member in members} - {None})
    parts = {
        "confidence": signs.likelihood * (1 - AGAINST) ** against,
        **signs.separation,
        "named": signs.named,
        "agreement": leading.share,
        "cohesion": max(0.0, signs.cohesion),
        "breadth": 1 - 2.0 ** (1 - projects),
        "against": against / len(members),
    }
    return {name: round(value, 3) for name, value in parts.items()}


def explain(supporting: Sequence[MemoryEntry], leading: Leading, wording: Wording, returns: str | None) -> str:
    """Return the rationale: what the lessons share, where the sentence comes from, and what the reviewer should do.

    `supporting` are the lessons that the proposal covers, without those that speak against it.
    """
    projects = {lesson.scope.project for lesson in supporting} - {None}
    title = next(iter(leading.concept.title.values()))
    told = f"{len(supporting)} lessons of {len(projects)} projects tell of one cause"
    sources = {
        "catalogue": f"{told}: “{title}” ({leading.share:.0%} of belief). The sentence is the catalogue's principle.",
        "principle": f"{told}, by what they say. The sentence is the principle that one of them gives.",
        "none": f"{told}, by what they say, and no principle fits; please write the rule yourself.",
    }
    dates = sorted(lesson.times.valid_at for lesson in supporting if lesson.times.valid_at)
    span = f" They happened from {dates[0]:%Y-%m-%d} to {dates[-1]:%Y-%m-%d}." if len(dates) > 1 else ""
    again = f" Its evidence has grown since proposal {returns} was rejected." if returns else ""
    return sources[wording.source] + span + again
