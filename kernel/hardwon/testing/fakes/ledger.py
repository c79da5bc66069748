"""FakeLedger: decisions and activity in lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from hardwon.kernel.decision_order import in_order
from hardwon.kernel.proposal import Decision
from hardwon.kernel.records import Activity
from hardwon.testing.fakes.kept import Kept


class FakeLedger:
    """Keeps what happened."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def decide(self, decision: Decision) -> None:
        """Record a decision; one with the same id is recorded once."""
        with self._kept.lock:
            self._kept.decisions.setdefault(decision.id, decision)

    def decisions(self, proposal: str | None = None) -> list[Decision]:
        """Return decisions, oldest first, each after the one that it follows."""
        with self._kept.lock:
            found = [each for each in self._kept.decisions.values() if proposal in (None, each.proposal)]
        return in_order(found)

    def append(self, records: Iterable[Activity]) -> None:
        """Record activity."""
        with self._kept.lock:
            self._kept.activity.extend(records)

    def activity(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Activity]:
        """Walk activity, oldest first."""
        with self._kept.lock:
            found = [
                each
                for each in self._kept.activity
                if kind in (None, each.kind) and (since is None or each.at >= since)
            ]
        return iter(sorted(found, key=lambda each: each.at))

    def prune(self, before: datetime, keeps: Callable[[Activity], bool]) -> int:
        """Remove the activity of months that had ended by then, but what is to be kept."""
        month = f"{before.astimezone(UTC):%Y-%m}"
        with self._kept.lock:
            known = list(self._kept.activity)
            kept = [each for each in known if f"{each.at.astimezone(UTC):%Y-%m}" >= month or keeps(each)]
            self._kept.activity[:] = kept
            return len(known) - len(kept)
