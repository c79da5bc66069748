"""The home as it was known at a moment: memories in the words of then, edges and decisions that stood then."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardwon.kernel.stand_in import StandIn
from hardwon.kernel.use_cases.past.memories import PastMemories

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import Ledger, Storage
    from hardwon.kernel.proposal import Decision
    from hardwon.kernel.records import Activity


def home_at(home: Home, known_at: datetime | None) -> Home:
    """Return the home as it was known at a moment, to be read; the home itself for the present.

    What is recorded through it (that something was shown) is recorded now. It is the home's to close.
    """
    if known_at is None or known_at >= home.clock.now() or isinstance(home.storage, _PastStorage):
        return home
    past = copy.copy(home)
    past.__dict__["storage"] = _PastStorage(home.storage, known_at)
    return past


class _PastStorage(StandIn):
    """The doors of a storage, of which memories and ledger tell what was known then."""

    _inner: Storage

    def __init__(self, inner: Storage, known_at: datetime) -> None:
        super().__init__(inner)
        self._known_at = known_at

    @cached_property
    def memories(self) -> PastMemories:
        """Return the memories of then."""
        return PastMemories(self._inner.memories, self._known_at)

    @cached_property
    def ledger(self) -> Any:
        """Return what had happened by then."""
        return _PastLedger(self._inner.ledger, self._known_at)


class _PastLedger(StandIn):
    """What had happened by a moment."""

    _inner: Ledger

    def __init__(self, inner: Ledger, known_at: datetime) -> None:
        super().__init__(inner)
        self._known_at = known_at

    def decisions(self, proposal: str | None = None) -> list[Decision]:
        """Return the decisions made by then, oldest first."""
        return [each for each in self._inner.decisions(proposal) if each.at <= self._known_at]

    def activity(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Activity]:
        """Walk what had happened by then, oldest first."""
        return (each for each in self._inner.activity(kind, since) if each.at <= self._known_at)
