"""The planned times as APScheduler's scheduler asks for them.

Not its own CronTrigger: there Monday is 0 and both days have to match, a time that the clocks leave out is passed over,
and one that comes twice may be made twice; `status` and the system's cron would name other times than `serve`.
"""

from __future__ import annotations

from datetime import UTC, datetime

from apscheduler.triggers.base import BaseTrigger

from hardwon.kernel.crontab import parse_crontab
from hardwon.kernel.local_time import local_zone


class CrontabTrigger(BaseTrigger):  # type: ignore[misc] # APScheduler has no types
    """A crontab line in local time, whatever that is when it is asked for."""

    def __init__(self, line: str) -> None:
        self.line = line

    def get_next_fire_time(  # pyright: ignore[reportIncompatibleMethodOverride] # the base promises None alone
        self, previous_fire_time: datetime | None, now: datetime
    ) -> datetime | None:
        """Return the next time; of several that passed since the previous one, the last: they are one run."""
        crontab, zone = parse_crontab(self.line), local_zone()
        if previous_fire_time is not None:
            last = crontab.last_until(now, zone)
            if last is not None and last.timestamp() > previous_fire_time.timestamp():
                return last.astimezone(UTC)  # a zone that was read from a file cannot be stored
        following = crontab.next_after(max(now, previous_fire_time or now), zone)
        return following.astimezone(UTC) if following else None

    def __getstate__(self) -> dict[str, str]:
        return {"line": self.line}

    def __setstate__(self, state: dict[str, str]) -> None:
        self.line = state["line"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CrontabTrigger) and other.line == self.line

    def __hash__(self) -> int:
        return hash(self.line)
