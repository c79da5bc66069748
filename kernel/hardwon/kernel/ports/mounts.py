"""What answers from notes outside of the memory: folders that the user mounted, read in place and never written to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Found
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.query import Query
    from hardwon.kernel.records import Problem


class MountedNotes(Protocol):
    """The passages of all mounted folders of a home, as they stand on disk when they are asked for."""

    def search(self, query: Query) -> Found:
        """Return the passages worth ranking that the query's filter lets in, unranked, and what could not be looked at.

        Looked at first is what changed on disk. What is gone or cannot be reached is not returned.
        """
        ...

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those passages whose note still stands as it was read, by id."""
        ...

    def refresh_all(self) -> None:
        """Take in what changed in all of them, however long it takes; the hook program shows nothing new before."""
        ...

    def problems(self) -> list[Problem]:
        """Return which folders cannot be reached or searched, and which of their files cannot be read."""
        ...
