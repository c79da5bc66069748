"""Calls of one model: each is let in by caps, pace and rest, made within a deadline, and told in the activity."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hardwon.kernel.asking.deadline import within
from hardwon.kernel.asking.resting import note_failure, note_success, resting_until
from hardwon.kernel.asking.spending import KIND, MINUTE, NOT_ASKED, overdue, refusal, spent, start_of_day, wait_for_pace
from hardwon.kernel.asking.state import ModelState, Reservation, shared_state
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import HardwonError, ModelFailure, Unavailable
from hardwon.kernel.local_time import local_zone
from hardwon.kernel.ports import LONGEST_ANSWER, Cost
from hardwon.kernel.ranking import tokens_of
from hardwon.kernel.records import Activity

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock, Ledger, Prompt
    from hardwon.kernel.settings import LanguageModelSettings

Value = TypeVar("Value")
Price = Callable[[int, int], float | None]
GRACE = 2.0
"""Seconds beyond the time-out after which a call is left behind: an adapter that keeps its time-out says why."""
LONGEST_QUEUE = 2 * MINUTE.total_seconds()
"""Seconds for which a call waits for its minute."""
MARGIN = 1.3
"""By how much the tokens of a prompt may exceed what is estimated from its length."""

LONGEST_REASON = 300
"""Characters of what an adapter's own fault says."""


@dataclass(frozen=True)
class Call:
    """A call that may be made, and what is reserved for it."""

    id: str
    reserved: Reservation


class Calls:
    """What one process asks of one model."""

    def __init__(
        self,
        model: str,
        caps: LanguageModelSettings,
        home: Path,
        clock: Clock,
        ledger: Callable[[], Ledger],
        wait: Callable[[float], None],
        without_secrets: Callable[[str], str],
    ) -> None:
        self._model = model
        self._without_secrets = without_secrets
        self._served = f"{model} {caps.api_base}".strip()
        self._caps = caps
        self._path = home
        self._clock = clock
        self._ledger = ledger
        self._wait = wait
        self._begun = 0
        self._lock = threading.Lock()
        self._closed: tuple[datetime, str] | None = None
        """Until when nothing is tried, and why: a backlog does not read the ledger for each of its questions."""
        self.taken: tuple[Cost, ...] = ()
        """What each call took so far."""

    def taken_since(self, before: tuple[Cost, ...]) -> Cost:
        """Return what the calls since a moment took together; the price is unknown where one's is."""
        calls = self.taken[len(before) :]
        dollars = [each.dollars for each in calls]
        known = [each for each in dollars if each is not None]
        return Cost(
            dollars=sum(known) if len(known) == len(dollars) else None,
            tokens_in=sum(each.tokens_in for each in calls),
            tokens_cached=sum(each.tokens_cached for each in calls),
            tokens_out=sum(each.tokens_out for each in calls),
        )

    def closed_because(self) -> str:
        """Return why no call can be made for now, if that was met already."""
        return self._closed[1] if self._closed and self._clock.now() < self._closed[0] else ""

    def begin(self, prompt: Prompt, price: Price | None) -> Call:
        """Reserve a call, waiting for its minute. Raises Unavailable with why it may not be made."""
        if why := self.closed_because():
            raise Unavailable(why)
        tokens = int(MARGIN * (tokens_of(prompt.prefix) + tokens_of(prompt.tail)))
        self._take_a_turn(tokens)
        dollars = price(tokens, LONGEST_ANSWER) if price else None
        waited = 0.0
        while True:
            now = self._clock.now()
            until = now.timestamp() + self._caps.timeout + GRACE + MINUTE.total_seconds()
            wanted = Reservation(prompt.task, self._model, now.timestamp(), until, tokens, LONGEST_ANSWER, dollars)
            id, pause = self._reserve(wanted)
            if id:
                return Call(id, wanted)
            if waited + pause > LONGEST_QUEUE:
                raise Unavailable(f"{self._model} is asked by too many at once; it is asked again another time.")
            self._wait(pause)
            waited += pause

    def _take_a_turn(self, tokens: int) -> None:
        """Count a call of this run. Raises Unavailable where it had enough, or where none can be made anyway."""
        if self._caps.calls_per_run <= self._begun:
            raise self._close(
                datetime.max.replace(tzinfo=UTC),
                f"This run asked {self._model} {self._begun} times (language_model.calls_per_run); the rest waits for "
                "the next run.",
            )
        with shared_state(self._path) as state:
            self._require(state, Reservation("", self._model, 0, 0, tokens, LONGEST_ANSWER, 0.0))
        with self._lock:
            self._begun += 1

    def _reserve(self, wanted: Reservation) -> tuple[str, float]:
        """Return the id of a reservation, or for how long to wait first. Raises Unavailable."""
        with shared_state(self._path) as state:
            calls = self._require(state, wanted)
            pause = wait_for_pace(self._caps, calls, state, self._clock.now())
            if pause > 0:
                return "", pause
            id = secrets.token_hex(8)
            state.reserved[id] = wanted
            return id, 0.0

    def _require(self, state: ModelState, wanted: Reservation) -> list[Activity]:
        """Return today's calls. Raises Unavailable while the model rests, or where a cap would be exceeded."""
        now = self._clock.now()
        self._ledger().append(overdue(state, now))
        if resting := resting_until(state, self._served, now):
            moment = datetime.fromtimestamp(resting.until, local_zone())
            raise self._close(
                moment,
                f"{self._model} rests until {moment:%Y-%m-%d %H:%M} after {counted(resting.failures, 'failure')} "
                f"in a row ({resting.why}); it is asked again then.",
            )
        calls = list(self._ledger().activity(KIND, min(start_of_day(now), now - MINUTE)))
        today = [each for each in calls if each.at >= start_of_day(now)]
        if why := refusal(self._caps, spent(today, state), wanted):
            said = f"{self._model} is not asked: {why}; it is asked again tomorrow, or with a higher cap."
            raise self._close(now + MINUTE, said)
        return calls

    def _close(self, until: datetime, reason: str) -> Unavailable:
        self._closed = until, reason
        return Unavailable(reason)

    def make(self, call: Call, ask: Callable[[], tuple[Value, Cost]], timeout: float) -> Value:
        """Make the call, and account for it however it ends. Raises ModelFailure, Unavailable."""
        started = time.monotonic()
        try:
            value, cost = within(timeout + GRACE, ask)
        except ModelFailure as failure:
            raise self._failed(call, failure, time.monotonic() - started) from None
        except TimeoutError:
            said = f"did not answer within {timeout:g} s; raise language_model.timeout or ask a faster model."
            failed = ModelFailure(f"{self._model} {said}", "timeout")
            raise self._failed(call, failed, time.monotonic() - started) from None
        except HardwonError as error:
            self._let_go(call)  # nothing was asked: a package is missing, or a setting wrong
            self.record_refusal(call.reserved.task, str(error))
            raise
        except Exception as error:  # an adapter may be anybody's
            why = self._without_secrets(str(error))[:LONGEST_REASON]  # of half a secret nobody can tell what it is
            said = f"The adapter of {self._model} failed ({type(error).__name__}: {why}); tell its author."
            raise self._failed(call, ModelFailure(said, "broken"), time.monotonic() - started) from None
        left_out = tuple(getattr(value, "left_out", ()))
        self._account(call, cost, time.monotonic() - started, "answered", " ".join(left_out))
        return value

    def record_refusal(self, task: str, reason: str) -> None:
        """Say in the activity why a call was not made."""
        details = {"task": task, "model": self._model, "outcome": NOT_ASKED, "reason": reason}
        self._ledger().append([Activity(kind=KIND, at=self._clock.now(), details=details)])

    def _failed(self, call: Call, failure: ModelFailure, seconds: float) -> ModelFailure:
        """Account for a call that failed; return the failure, as far as it may be told.

        A provider's error may quote the key, or what it was sent.
        """
        told = self._without_secrets(str(failure))
        failure = ModelFailure(
            told, failure.outcome, cost=failure.cost, answer=failure.answer, retry_after=failure.retry_after
        )
        # Who does not answer in time was asked all the same, and may send a bill for that.
        unknown = Cost(call.reserved.dollars, call.reserved.tokens_in) if failure.outcome == "timeout" else Cost()
        cost = failure.cost if isinstance(failure.cost, Cost) else unknown
        self._account(call, cost, seconds, failure.outcome, str(failure), failure)
        return failure

    def _account(
        self, call: Call, cost: Cost, seconds: float, outcome: str, reason: str, failure: ModelFailure | None = None
    ) -> None:
        """Put a line of the call in the place of its reservation."""
        now = self._clock.now()
        details = {
            "task": call.reserved.task,
            "model": self._model,
            "tokens_in": cost.tokens_in,
            "tokens_cached": cost.tokens_cached,
            "tokens_out": cost.tokens_out,
            "dollars": cost.dollars,
            "seconds": round(seconds, 2),
            "outcome": outcome,
            "reason": reason,
        }
        with self._lock:
            self.taken += (cost,)
        with shared_state(self._path) as state:
            self._ledger().append([Activity(kind=KIND, at=now, details=details)])
            state.reserved.pop(call.id, None)
            if failure is None:
                note_success(state, self._served)
            else:
                note_failure(state, self._served, failure, now)

    def _let_go(self, call: Call) -> None:
        with shared_state(self._path) as state:
            state.reserved.pop(call.id, None)
