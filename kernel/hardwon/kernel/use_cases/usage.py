"""How often a memory helped, from the ledger: the feedback that was given on it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

FEEDBACK = "feedback"
"""Kind of an Activity that names a memory and, in its details, a `verdict`: useful, wrong or stop."""
LONGEST_AGO = timedelta(days=365)
_FRESH_FOR = 60.0
"""Seconds for which a process does not read the ledger again: one feedback changes little, a recall takes 2 ms."""

_read: WeakKeyDictionary[Home, tuple[float, Mapping[str, int]]] = WeakKeyDictionary()


def uses(home: Home) -> Mapping[str, int]:
    """Return by memory how many more times it was useful than wrong in the last year; below 0: more often wrong."""
    known = _read.get(home)
    if known is None or time.monotonic() - known[0] > _FRESH_FOR:
        known = time.monotonic(), _count(home)
        _read[home] = known
    return known[1]


def forget_uses(home: Home) -> None:
    """Count anew at the next question: feedback was given."""
    _read.pop(home, None)


def _count(home: Home) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for record in home.storage.ledger.activity(FEEDBACK, home.clock.now() - LONGEST_AGO):
        if record.memory:
            verdict = record.details.get("verdict")
            counts[record.memory] += {"useful": 1, "wrong": -1}.get(str(verdict), 0)
    return {id: count for id, count in counts.items() if count}
