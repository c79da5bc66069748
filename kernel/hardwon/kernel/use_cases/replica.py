"""The home's copy of a store that lies elsewhere, brought up to date by whoever works in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.ports import Replicated

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def refresh_replica(home: Home) -> None:
    """Take over what others wrote, for the hook program to show. Raises StoreError."""
    if isinstance(home.storage, Replicated):
        home.storage.refresh_replica()
