"""What the hook program asks of a store: its half is registered by `register_hook_modules`.

The last of those modules offers `open_reader(home, agent, place, language, deadline) -> Reader | None`: None where
the memory cannot be read now. It never writes and never waits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.injection import Shown


AT_START = "start"


@dataclass(frozen=True, slots=True)
class Found:
    """A memory to be shown, and why."""

    shown: Shown
    via: str
    """As of a hit of recall, or AT_START."""
    score: float = 0.0


class Reader(Protocol):
    """Reads the memory as a reader sees it to whom some projects' memories are visible."""

    @property
    def is_behind(self) -> bool:
        """Tell whether something on disk is not as the index knows it; what that holds is not shown yet."""
        ...

    def recall(self, prompt: str, turns: Sequence[str], shown: Collection[str], limit: int, budget: int) -> list[Found]:
        """Return what answers a prompt, the best first; nothing of what was `shown` already.

        `budget` is in tokens, of which each memory takes TOKENS_BESIDE (`hardwon.kernel.injection`) beside its content.
        """
        ...

    def at_start(self, budget: int) -> list[Found]:
        """Return what is always to be known here: hard constraints, its rules, intentions that are due.

        The budget is counted as in `recall`.
        """
        ...
