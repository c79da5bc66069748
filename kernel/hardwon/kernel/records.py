"""What a ledger keeps of this device's life: shown, used, spent, run. Prunable; decisions are not here."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from hardwon.kernel.memory import Moment
from hardwon.kernel.scope import Value


class Activity(Value):
    """One thing that happened."""

    kind: str
    """shown, feedback, import, consolidate, embed, accept, …"""
    at: Moment
    memory: str | None = None
    session: str | None = None
    details: dict[str, Any] = Field(default_factory=dict)


class TopicSummary(Value):
    """What lies under one topic."""

    topic: str
    count: int
    first: Moment | None = None
    last: Moment | None = None


class Problem(Value):
    """Something that could not be taken or is not as it should be; it stopped nothing else."""

    where: str
    """A path (with its line), a plugin or a part."""
    what: str
    """One sentence that says what to do."""


class Measurement(Value):
    """What something that was measured came to."""

    told: tuple[str, ...] = ()
    """Sentences with the figures."""
    problems: tuple[Problem, ...] = ()
    """What is not as good as it should be."""


class Skipped(Problem):
    """Something that was passed over on purpose, such as an instruction among lessons; that is no failure."""
