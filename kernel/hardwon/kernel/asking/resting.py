"""Rest: a model that fails again and again is left alone, for longer each time, by every process.

A provider that says how long it wants to be left alone is believed at once. After the pause one call is tried; the
first that succeeds ends it.
"""

from __future__ import annotations

from datetime import datetime

from hardwon.kernel.asking.state import ModelState, Resting
from hardwon.kernel.errors import ModelFailure

FAILURES = 3
"""In a row, after which a model rests."""
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6 * 3600.0
"""Seconds; each failure after the third doubles the pause."""
LONGEST_WISH = 86_400.0
"""Seconds up to which a provider's wish is believed."""
HARMLESS = ("declined",)
"""Outcomes that say nothing of the model's health."""


def resting_until(state: ModelState, model: str, now: datetime) -> Resting | None:
    """Return how a model rests now, or None."""
    resting = state.resting.get(model)
    if resting is None or resting.until <= now.timestamp():
        return None
    # A clock that was set back must not make a pause of hours one of years.
    return resting if resting.until - now.timestamp() <= LONGEST_WISH else None


def note_success(state: ModelState, model: str) -> None:
    """End the rest."""
    state.resting.pop(model, None)


def note_failure(state: ModelState, model: str, failure: ModelFailure, now: datetime) -> None:
    """Count a failure, and let the model rest where it is one too many."""
    if failure.outcome in HARMLESS:
        return
    resting = state.resting.setdefault(model, Resting())
    resting.failures += 1
    resting.why = f"{failure.outcome}: {failure}"
    over = resting.failures - (1 if failure.outcome == "rate-limited" else FAILURES)
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(over, 20)) if over >= 0 else 0.0
    if failure.retry_after is not None:
        pause = max(pause if resting.failures >= FAILURES else 0.0, min(failure.retry_after, LONGEST_WISH))
    resting.until = now.timestamp() + pause
