"""How the schedule stands: the last run and try, who is at it now, when the next run is, and who would make it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.query import GENERALIZED
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.running.due import LOCK_FILE, Plan, due_since, plan_of
from hardwon.kernel.use_cases.running.holder import Holder, current_holder, last_holder
from hardwon.kernel.use_cases.running.records import Run, runs

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.harness_status import HarnessStatus

SERVE_LOCK = "serve.lock"
"""Of the home: `hardwon serve` holds it, and then makes the runs."""
SERVE, SESSION, NOBODY = "serve", "after a session", "nobody"
"""Who would make the next run, beside the timers of the system by their names."""
LATE = timedelta(days=2)
"""How long a due run may wait before `doctor` calls it a problem."""
_LOOK_BACK = timedelta(days=40)
"""The last run is looked for so far back first: reading all that was ever done takes longer."""


@dataclass(frozen=True)
class ScheduleStatus:
    """One look at the schedule."""

    line: str
    """The setting `schedule.consolidate`; empty: by hand alone."""
    last: Run | None
    """The last run that came to its end."""
    found_nothing: bool
    """That run left everything as it was."""
    last_try: Run | None
    """The last that failed or was stopped, where nothing came to its end since."""
    killed: datetime | None
    """When a try began that was killed, where nothing came to its end since."""
    running: Holder | None
    """Who is at it now."""
    is_due: bool
    next: datetime | None
    """When the next run is to be made, in local time; for one that is due, the first planned time that passed."""
    rests_until: datetime | None
    paused: bool
    made_by: str
    """serve, a timer's name, `after a session`, or `nobody`."""


def schedule_status(home: Home, harnesses: Iterable[HarnessStatus]) -> ScheduleStatus:
    """Return how the schedule stands. Raises InvalidInput, StoreError."""
    plan = plan_of(home)
    last, last_try = last_runs(home)
    lock = home.path / LOCK_FILE
    running = current_holder(lock)
    noted = None if running else last_holder(lock)
    return ScheduleStatus(
        line=plan.line,
        last=last,
        found_nothing=last is not None and last.found_nothing,
        last_try=last_try,
        killed=noted.since if noted and not noted.ended else None,
        running=running,
        is_due=plan.is_due,
        next=plan.rests_until or (due_since(plan, last.began if last else None) if plan.is_due else plan.following),
        rests_until=plan.rests_until,
        paused=plan.paused,
        made_by=_maker(home, plan, harnesses),
    )


def last_runs(home: Home) -> tuple[Run | None, Run | None]:
    """Return the last run that counted, and the last try after it that did not."""
    found = runs(home, home.clock.now() - _LOOK_BACK)
    if not any(run.counted for run in found):
        found = runs(home)
    last = next((run for run in reversed(found) if run.counted), None)
    tried = found[-1] if found and not found[-1].counted else None
    return last, tried


def _maker(home: Home, plan: Plan, harnesses: Iterable[HarnessStatus]) -> str:
    if not plan.line.strip():
        return NOBODY
    if background.is_held(home.path / SERVE_LOCK):
        return SERVE
    for name, open_timer in home.registry.all("timers").items():
        if open_timer().installed(home.path):
            return str(name)
    heard = any(each.connected and each.capture for each in harnesses)
    return SESSION if home.settings.schedule.after_session and heard else NOBODY


def schedule_problems(home: Home, status: ScheduleStatus) -> list[Problem]:
    """Return what is wrong with the schedule: tries that fail, and runs that nobody makes though there are lessons."""
    problems = []
    if status.last_try and status.last_try.error:
        what = f"The last run failed ({status.last_try.error}); mend that, then run `hardwon consolidate`."
        problems.append(Problem(where="schedule", what=what))
    if _is_late(home, status) and _has_new_lessons(home, status.last):
        how = "`hardwon schedule install` or `hardwon serve` has runs made, `hardwon consolidate` makes one"
        if status.made_by != NOBODY:
            how = f"{status.made_by} should have made it; run `hardwon consolidate` to see what is wrong"
        problems.append(Problem(where="schedule", what=f"A run is due since {status.next:%Y-%m-%d %H:%M}: {how}."))
    return problems


def _is_late(home: Home, status: ScheduleStatus) -> bool:
    """Tell whether a run waits for long that no session is expected to make: there may be no sessions for a while."""
    if not status.is_due or status.next is None or status.paused or status.running or status.made_by == SESSION:
        return False
    return home.clock.now() - status.next > LATE


def _has_new_lessons(home: Home, last: Run | None) -> bool:
    lessons = home.storage.memories.scan(GENERALIZED)
    return any(last is None or lesson.times.asserted_at > last.began for lesson in lessons)
