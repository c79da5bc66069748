"""When a run is due: a planned time has passed since the last run that counted. One truth for whoever may make it.

Nothing else decides: `serve`, cron, a timer of systemd and the end of a session all ask here, and again under the lock,
so that whoever comes first makes the run and the others find that it was made. Planned times that passed while nobody
was there are one run. A run that failed, was stopped or was killed is none: it is tried again, at once for the first
time, then after a rest that doubles, so that neither a broken memory nor a clock makes a loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from hardwon.kernel.crontab import parse_crontab
from hardwon.kernel.home import VERSION_FILE
from hardwon.kernel.local_time import local_zone
from hardwon.kernel.use_cases.pausing import current_pauses
from hardwon.kernel.use_cases.running.holder import failures_before, last_holder
from hardwon.kernel.use_cases.running.records import runs

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

LOCK_FILE = "consolidate.lock"
"""Of the home: whoever consolidates holds it."""
FIRST_REST = timedelta(minutes=5)
"""After the second try in a row that did not come to its end."""
LONGEST_REST = timedelta(hours=6)
FUTURE = timedelta(days=1)
"""How far ahead of the clock a record may lie and still count: a clock that was wrong must not stop runs for ever."""


@dataclass(frozen=True)
class Plan:
    """When runs are to be made."""

    line: str
    """The setting `schedule.consolidate`; empty: by hand alone."""
    planned: datetime | None
    """The last planned time that has passed, in local time."""
    following: datetime | None
    """The next planned time."""
    is_due: bool
    rests_until: datetime | None = None
    """A due run is not tried before: the tries until now did not come to their end."""
    paused: bool = False
    """A pause holds everywhere, and so does not run what nobody asked for."""

    @property
    def may_start(self) -> bool:
        """Tell whether a run is due and nothing stands against making it now."""
        return self.is_due and not self.paused and self.rests_until is None


def plan_of(home: Home) -> Plan:
    """Return when runs are to be made. Raises InvalidInput, StoreError."""
    line = home.settings.schedule.consolidate
    if not line.strip():
        return Plan(line, None, None, is_due=False)
    now, zone = home.clock.now(), local_zone()
    crontab = parse_crontab(line)
    planned = _with_offset(crontab.last_until(now, zone))
    is_due = planned is not None and _is_due(home, planned, now)
    return Plan(
        line,
        planned,
        _with_offset(crontab.next_after(now, zone)),
        is_due,
        _rests_until(home, now) if is_due else None,
        any(each.harness is None and each.project is None for each in current_pauses(home)),
    )


def _with_offset(moment: datetime | None) -> datetime | None:
    """Return a moment with its offset alone: a zone that was read from a file can be neither copied nor stored."""
    return None if moment is None else moment.astimezone(timezone(moment.utcoffset() or timedelta(0)))


def due_since(plan: Plan, last: datetime | None) -> datetime | None:
    """Return the first planned time that passed since the last run that counted; the last one where there was none."""
    if last is None or not plan.is_due:
        return plan.planned
    first = _with_offset(parse_crontab(plan.line).next_after(last, local_zone()))
    return min((each for each in (first, plan.planned) if each), default=None)


def _is_due(home: Home, planned: datetime, now: datetime) -> bool:
    if _made_after(home, planned, now):
        return False
    return not any(run.counted and planned <= run.began <= now + FUTURE for run in runs(home, planned))


def _made_after(home: Home, planned: datetime, now: datetime) -> bool:
    """Tell whether the home is younger than a planned time: it missed nothing yet."""
    made = (home.path / VERSION_FILE).stat().st_mtime
    return planned.timestamp() < made <= now.timestamp()


def _rests_until(home: Home, now: datetime) -> datetime | None:
    """Return until when no further try is made; None where the next may be made now."""
    lock = home.path / LOCK_FILE
    last, failures = last_holder(lock), failures_before(lock)
    if last is None or failures < 2:
        return None
    rest = min(FIRST_REST * 2 ** min(failures - 2, 10), LONGEST_REST)
    # A clock that went back must not make the rest longer than it is.
    return last.since + rest if now < last.since + rest and last.since <= now else None
