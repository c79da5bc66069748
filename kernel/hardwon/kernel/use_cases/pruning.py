"""Pruning: what the machine noted of itself does not grow for ever; what a person did or wrote is never pruned."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def prune(home: Home) -> dict[str, int]:
    """Remove what is no longer needed; return how much of what."""
    return {}
