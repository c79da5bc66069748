"""What comes out of comparing two texts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Sameness(StrEnum):
    """What a later text is to an earlier one."""

    DUPLICATE = "duplicate"
    """It says the same."""
    REFINEMENT = "refinement"
    """It says the same and more, or the same and less."""
    CONTRADICTION = "contradiction"
    """Both cannot hold: a conflict, or a change of mind."""
    DISTINCT = "distinct"
    """It speaks of something else, or nobody can tell."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two texts are to each other, and why in a few words."""

    sameness: Sameness
    reason: str
    changes_mind: bool = False
    """The later text says in so many words that it takes the place of something (“from now on”, 改为)."""
    is_open: bool = False
    """They share a subject and differ in words that nobody here can judge: a language model may be asked."""
