"""Why a proposal is made, and how sure of it the generalizer is, in parts that a reviewer can check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.evidence import Evidence
from hardwon.generalizer.wording import Leading, Wording

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry

WEIGHTS = {"agreement": 0.6, "cohesion": 0.2, "breadth": 0.1, "wording": 0.1}
"""What each part of the confidence counts; they add up to 1."""
WORDED = {"catalogue": 1.0, "principle": 0.8, "none": 0.0}
AGAINST = 0.15
"""What each lesson that speaks against the rule takes off the confidence, as a share of it."""


def confidence_of(
    evidence: Evidence,
    group: Sequence[int],
    members: Sequence[MemoryEntry],
    leading: Leading,
    wording: Wording,
    against: int,
) -> dict[str, float]:
    """Return the confidence and its parts, each 0–1.

    agreement: the members' mean belief in one cause · cohesion: their mean similarity · breadth: 1 - 2^(1 - projects)
    · wording: whether the catalogue, a lesson or nobody has a sentence for it · against: the share of the lessons that
    speak against the rule; each of them takes a share off the confidence.
    """
    inside = evidence.similar(group, group)
    pairs = len(group) * (len(group) - 1)
    projects = len({member.scope.project for member in members} - {None})
    parts = {
        "agreement": leading.share,
        "cohesion": float(inside.sum() / pairs) if pairs else 0.0,
        "breadth": 1 - 2.0 ** (1 - projects),
        "wording": WORDED[wording.source],
    }
    total = sum(WEIGHTS[name] * value for name, value in parts.items()) * (1 - AGAINST) ** against
    parts["against"] = against / len(members)
    rounded = {name: round(min(1.0, max(0.0, value)), 3) for name, value in parts.items()}
    return {"confidence": round(min(1.0, max(0.0, total)), 3), **rounded}


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
