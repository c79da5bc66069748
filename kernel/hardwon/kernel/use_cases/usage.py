"""How often a memory helped, and what its confidence is by now: from the ledger, which tells what became of it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from hardwon.kernel.confidence import SAID_BY_USER, SAME, Evidence, effective, weighed

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.records import Activity

FEEDBACK = "feedback"
"""Kind of an Activity that names a memory and, in its details, a `verdict`: useful, wrong or stop."""
EVIDENCE = "evidence"
"""Kind of an Activity: another source says the same as a memory; its details name that source, `said_by` first."""
REVERT = "revert"
"""Kind of an Activity: an import or a session was taken back; what it said is evidence of nothing any more."""
LONGEST_AGO = timedelta(days=365)
_FRESH_FOR = 60.0
"""Seconds for which a process does not read the ledger again: one feedback changes little, a recall takes 2 ms."""


@dataclass(frozen=True)
class _Counted:
    uses: Mapping[str, int] = field(default_factory=dict)
    evidence: Mapping[str, Evidence] = field(default_factory=dict)


_read: WeakKeyDictionary[Home, tuple[float, _Counted]] = WeakKeyDictionary()


def uses(home: Home) -> Mapping[str, int]:
    """Return by memory how many more times it was useful than wrong in the last year; below 0: more often wrong."""
    return _counted(home).uses


def evidence(home: Home) -> Mapping[str, Evidence]:
    """Return by memory what became of it in the last year, for those that anything became of."""
    return _counted(home).evidence


def confidence_of(home: Home, entry: MemoryEntry) -> float:
    """Return a memory's confidence by now (`kernel/confidence.py`)."""
    return effective(entry.confidence, evidence(home).get(entry.id))


def forget_uses(home: Home) -> None:
    """Count anew at the next question: feedback was given, or another source said the same."""
    _read.pop(home, None)


def _counted(home: Home) -> _Counted:
    known = _read.get(home)
    if known is None or time.monotonic() - known[0] > _FRESH_FOR:
        known = time.monotonic(), _count(home)
        _read[home] = known
    return known[1]


def _count(home: Home) -> _Counted:
    counts: Counter[str] = Counter()
    events: dict[str, list[tuple[datetime, str, str | None]]] = defaultdict(list)
    since = home.clock.now() - LONGEST_AGO
    for record in home.storage.ledger.activity(FEEDBACK, since):
        if record.memory:
            verdict = str(record.details.get("verdict"))
            counts[record.memory] += {"useful": 1, "wrong": -1}.get(verdict, 0)
            events[record.memory].append((record.at, verdict, record.session))
    taken_back = [(record.at, _taken_back(record)) for record in home.storage.ledger.activity(REVERT, since)]
    for record in home.storage.ledger.activity(EVIDENCE, since):
        sources = {record.session, record.details.get("memory")}
        if record.memory and not any(record.at <= at and not sources.isdisjoint(names) for at, names in taken_back):
            says = SAID_BY_USER if record.details.get("written") else SAME
            events[record.memory].append((record.at, says, record.session))
    return _Counted(
        {id: count for id, count in counts.items() if count},
        {id: weighed((says, session) for _, says, session in sorted(some, key=_moment)) for id, some in events.items()},
    )


def _taken_back(record: Activity) -> set[object]:
    """Return the session and the memories that were taken back."""
    return {str(record.details.get("of", "")).removeprefix("session "), *record.details.get("memories", ())}


def _moment(event: tuple[datetime, str, str | None]) -> datetime:
    return event[0]
