"""What a run looked at and changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.capture import Captured

if TYPE_CHECKING:
    from hardwon.kernel.proposal import Proposal


@dataclass(frozen=True)
class Consolidation:
    """What a run looked at and what it changed."""

    lessons: int
    projects: int
    proposals: tuple[Proposal, ...]
    """What should stand now, best first."""
    added: tuple[str, ...]
    refreshed: tuple[str, ...]
    withdrawn: tuple[str, ...]
    kept_out: int
    """Lessons of projects that may be read and never generalized from."""
    problems: tuple[Problem, ...]
    """Documents of the queue that cannot be read: what they propose was left alone; and what could not be captured."""
    captured: Captured = field(default_factory=Captured)
    """What was in the spool, and was taken first."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """What the steps beside the queue changed, by a word for what."""
    unchanged: bool = False
    """Everything that proposals hang on was as the last run left it, so nothing was proposed anew."""
