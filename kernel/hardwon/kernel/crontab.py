"""Crontab lines: when something is to be done, in local time, as cron(8) reads them and as the clocks jump.

Five fields: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday; `jan`, `mon` are names), each
`*` or a list of numbers and ranges with steps. Where both days are limited, one of them suffices, as for cron.

When clocks go forward, a time that does not exist is the moment of the jump: 02:30 is 03:00, once. When they go back, a
time that comes twice counts once, at first. A line for every hour (its hour begins with `*`) follows the hours that
pass instead: the repeated hour counts twice, and nothing is made up for the hour that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from hardwon.kernel.errors import InvalidInput

SHORTHANDS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LONGEST_SEARCH = 366 * 8 + 2
"""Days: 29 February is up to eight years away (1896 to 1904, 2096 to 2104)."""
_DAY, _SECOND = timedelta(days=1), timedelta(seconds=1)


@dataclass(frozen=True)
class Crontab:
    """A line that was read: the values that each field allows."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    """0 is Sunday."""
    any_day: bool
    """The field of the day of the month begins with `*`, as for cron: then both fields of days have to allow a day."""
    any_weekday: bool
    hourly: bool
    """The field of the hour begins with `*`."""

    def next_after(self, moment: datetime, zone: tzinfo) -> datetime | None:
        """Return the first time after a moment, in the zone; None for a line that never comes, such as 30 February."""
        day = moment.astimezone(zone).date() - _DAY  # a jump at midnight may move a time across it
        now = moment.astimezone(UTC)  # moments of one zone are compared by what the clocks show
        for step in range(_LONGEST_SEARCH):
            later = [each for each in self._times(day + step * _DAY, zone) if each > now]
            if later:
                return min(later).astimezone(zone)
        return None

    def last_until(self, moment: datetime, zone: tzinfo) -> datetime | None:
        """Return the last time at or before a moment, in the zone; None for a line that never comes."""
        day = moment.astimezone(zone).date() + _DAY
        now = moment.astimezone(UTC)
        for step in range(_LONGEST_SEARCH):
            earlier = [each for each in self._times(day - step * _DAY, zone) if each <= now]
            if earlier:
                return max(earlier).astimezone(zone)
        return None

    def _times(self, day: date, zone: tzinfo) -> Iterator[datetime]:
        """Walk the moments of a calendar day, in UTC."""
        if self._allows(day):
            for hour in self.hours:
                for minute in self.minutes:
                    yield from self._moments(datetime.combine(day, time(hour, minute)), zone)

    def _allows(self, day: date) -> bool:
        in_month = day.day in self.days
        in_week = day.isoweekday() % 7 in self.weekdays
        both = self.any_day or self.any_weekday
        return day.month in self.months and (in_month and in_week if both else in_month or in_week)

    def _moments(self, wall: datetime, zone: tzinfo) -> Iterator[datetime]:
        """Walk the moments at which the clocks show a time: one, none or two, and what is made of that."""
        first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        if first > second:
            if not self.hourly:
                yield _jump(wall, second, first, zone)
            return
        yield first
        if self.hourly and first != second:
            yield second


def _jump(wall: datetime, before: datetime, after: datetime, zone: tzinfo) -> datetime:
    """Return the moment in between at which the clocks leave out a time, to the second."""
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        if middle.astimezone(zone).replace(tzinfo=None) < wall:
            before = middle
        else:
            after = middle
    return after.replace(microsecond=0)


def parse_crontab(line: str) -> Crontab:
    """Read a line. Raises InvalidInput that says which field is wrong."""
    fields = SHORTHANDS.get(line.strip().lower(), line).lower().split()
    if len(fields) != 5:
        raise InvalidInput(
            f"“{line[:60]}” has {len(fields)} fields and not five; write minute, hour, day, month and day of the week, "
            "as in 30 3 * * *."
        )
    minutes = _values("minute", fields[0], 0, 59)
    hours = _values("hour", fields[1], 0, 23)
    weekdays = _values("day of the week", fields[4], 0, 7, WEEKDAYS)
    return Crontab(
        minutes=tuple(sorted(minutes)),
        hours=tuple(sorted(hours)),
        days=_values("day of the month", fields[2], 1, 31),
        months=_values("month", fields[3], 1, 12, ("", *MONTHS)),
        weekdays=frozenset(each % 7 for each in weekdays),
        any_day=fields[2].startswith("*"),
        any_weekday=fields[4].startswith("*"),
        hourly=fields[1].startswith("*"),
    )


def _values(field: str, text: str, lowest: int, highest: int, names: Sequence[str] = ()) -> frozenset[int]:
    """Return the numbers that a field allows. Raises InvalidInput."""
    found: set[int] = set()
    for part in text.split(","):
        span, has_step, step_text = part.partition("/")
        first_text, is_range, last_text = span.partition("-")
        if span == "*":
            first, last = lowest, highest
        else:
            first = _number(field, text, first_text, names)
            last = _number(field, text, last_text, names) if is_range else first
        step = _number(field, text, step_text) if has_step else 1
        if not lowest <= first <= last <= highest or step < 1 or (has_step and span != "*" and not is_range):
            raise _wrong(field, text, f"it may hold {lowest} to {highest}, ranges such as 1-5, and steps such as */2")
        found.update(range(first, last + 1, step))
    return frozenset(found)


def _number(field: str, text: str, word: str, names: Sequence[str] = ()) -> int:
    if word and word in names:
        return names.index(word)
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return int(word)
    raise _wrong(field, text, f"“{word}” is no number there")


def _wrong(field: str, text: str, why: str) -> InvalidInput:
    return InvalidInput(f"The {field} “{text[:40]}” of a crontab line is wrong: {why}; write it as in 30 3 * * *.")
