"""What may still be spent today: counted from the activity of this device, and reserved before a call is made.

A day is one of local time. What was reserved and never accounted for, because its process was killed, is accounted for
as if all of it had been used: a provider that was asked sends its bill.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from hardwon.kernel.asking.state import ModelState, Reservation
from hardwon.kernel.local_time import local_zone
from hardwon.kernel.records import Activity

if TYPE_CHECKING:
    from hardwon.kernel.settings import LanguageModelSettings

KIND = "model"
"""Of the activity that tells of a call."""
NOT_ASKED = "not asked"
"""The outcome of what was no call, because a cap or a rest was in the way."""
MINUTE = timedelta(seconds=60)


@dataclass
class Spent:
    """Calls, tokens (asked and answered) and US dollars."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    """Of the calls, those whose price nobody knows."""

    def add(self, tokens: int, dollars: float | None) -> None:
        """Add a call."""
        self.calls += 1
        self.tokens += tokens
        self.dollars += dollars or 0.0
        self.unpriced += dollars is None


def start_of_day(now: datetime) -> datetime:
    """Return when this day of local time began."""
    return now.astimezone(local_zone()).replace(hour=0, minute=0, second=0, microsecond=0)


def spent(calls: Iterable[Activity], state: ModelState) -> Spent:
    """Return what calls took, with what is reserved for those that are under way."""
    result = Spent()
    for call in calls:
        if call.details.get("outcome") != NOT_ASKED:
            result.add(_number(call.details, "tokens_in") + _number(call.details, "tokens_out"), _dollars(call.details))
    for each in state.reserved.values():
        result.add(each.tokens_in + each.tokens_out, each.dollars)
    return result


def refusal(caps: LanguageModelSettings, so_far: Spent, wanted: Reservation) -> str | None:
    """Return why a call may not be made today, or None."""
    if so_far.calls + 1 > caps.calls_per_day:
        return f"language_model.calls_per_day ({caps.calls_per_day}) is reached for today"
    tokens = wanted.tokens_in + wanted.tokens_out
    if so_far.tokens + tokens > caps.tokens_per_day:
        left = max(0, caps.tokens_per_day - so_far.tokens)
        return f"{left} tokens of language_model.tokens_per_day are left for today, and it may take {tokens}"
    if wanted.dollars is None and not caps.dollars_per_day:
        return "nobody knows what it costs, and language_model.dollars_per_day is 0"
    if wanted.dollars and so_far.dollars + wanted.dollars > caps.dollars_per_day:
        left_over = max(0.0, caps.dollars_per_day - so_far.dollars)
        cap = "language_model.dollars_per_day"
        return f"${left_over:.4f} of {cap} is left for today, and it may cost ${wanted.dollars:.4f}"
    return None


def wait_for_pace(caps: LanguageModelSettings, calls: Iterable[Activity], state: ModelState, now: datetime) -> float:
    """Return for how many seconds the next call has to wait, so that no minute has too many."""
    begun = [each.at.timestamp() for each in calls if each.details.get("outcome") != NOT_ASKED]
    begun += [each.at for each in state.reserved.values()]
    lately = sorted(moment for moment in begun if 0 <= now.timestamp() - moment < MINUTE.total_seconds())
    over = len(lately) - caps.calls_per_minute
    return 0.0 if over < 0 else MINUTE.total_seconds() - (now.timestamp() - lately[over])


def overdue(state: ModelState, now: datetime) -> list[Activity]:
    """Take out reservations whose process never came back; return them as calls that took all they might."""
    moment = now.timestamp()
    # One that begins later than now was made before the clock was set back: it must not stand for so long.
    early = moment + MINUTE.total_seconds()
    lost = [id for id, each in state.reserved.items() if each.until < moment or each.at > early]
    return [
        Activity(
            kind=KIND,
            at=now,
            details={
                "task": each.task,
                "model": each.model,
                "tokens_in": each.tokens_in,
                "tokens_cached": 0,
                "tokens_out": each.tokens_out,
                "dollars": each.dollars,
                "seconds": round(each.until - each.at, 1),
                "outcome": "lost",
                "reason": "its process ended before it did; what it may have taken is counted",
            },
        )
        for each in (state.reserved.pop(id) for id in lost)
    ]


def _number(details: dict[str, Any], name: str) -> int:
    return int(_amount(details.get(name)) or 0)


def _dollars(details: dict[str, Any]) -> float | None:
    return _amount(details.get("dollars"))


def _amount(value: Any) -> float | None:
    """Return a number that something can have taken; a line that says another must not give back what was spent."""
    return value if isinstance(value, (int, float)) and 0 <= value < math.inf else None
