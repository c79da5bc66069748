"""What mounted folders have to say to a question, beside the memory: ranked with it, and never part of it.

A passage has no links, so that neither a rule nor what supersedes it is looked for. It is in no store, so that nothing
is generalized from it, exported or synced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.candidate import Found
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.mounts import PREFIX, VIA
from hardwon.kernel.use_cases.recall_shelf import StoreShelf

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.query import Query


def mounted(home: Home, asked: Query) -> Found:
    """Return what mounted folders hold; that they cannot be looked at is a note: the memory answers without them."""
    try:
        if home.mounts is None:
            return Found([])
        found = home.mounts.search(asked)
    except HardwonError as error:
        return Found([], [f"Mounted folders were not looked at: {error}"])
    for candidate in found.candidates:
        candidate.via = VIA
    return found


class MountShelf:
    """The memories of a store with the passages of mounted folders beside them."""

    def __init__(self, home: Home, asked: Query) -> None:
        self._home = home
        self._memories = StoreShelf(home.storage.memories, asked.filter)

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that exist, by id."""
        passages = [id for id in ids if is_passage(id)]
        found = dict(self._memories.get([id for id in ids if not is_passage(id)]))
        if passages and self._home.mounts is not None:
            found |= self._home.mounts.get(passages)
        return {id: found[id] for id in ids if id in found}

    def visible(self, ids: Sequence[str]) -> list[MemoryEntry]:
        """Return the memories that the filter lets in, oldest id first."""
        return self._memories.visible(ids)

    def standing(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return the memories that stand and hold when the filter asks, by id."""
        return self._memories.standing(ids)

    def has_begun(self, ids: Sequence[str]) -> bool:
        """Tell whether one of these would be visible if nothing ever ended."""
        return self._memories.has_begun(ids)

    def edges(self, id: str) -> list[tuple[str, str, str]]:
        """Return the edges that touch a memory and are believed; a passage has none."""
        return [] if is_passage(id) else self._memories.edges(id)


def is_passage(id: str) -> bool:
    """Tell whether an id is that of a passage of a mounted note."""
    return id.startswith(PREFIX)
