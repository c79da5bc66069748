"""The day that a note names for what it tells: at an edge of a heading or item, after `Date:`, in the front matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import chain

from hardwon.cli.reading.blocks import front_matter_length
from hardwon.cli.reading.units import Unit

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY = (
    r"(?<!\d)(?:(?P<year>(?:19|20)\d\d)(?:(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
    r"|\s?年\s?(?P<month_zh>\d{1,2})\s?月\s?(?P<day_zh>\d{1,2})\s?[日号])"
    rf"|(?P<day_en>\d{{1,2}})\s(?P<month_en>{_MONTH}),?\s(?P<year_en>20\d\d)"
    rf"|(?P<month_us>{_MONTH})\s(?P<day_us>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<year_us>20\d\d))(?!\d)"
)
_EDGE = r"[\s#>*_`\"'(（\[【-]*"
_AT_START = re.compile(rf"^{_EDGE}{_DAY}(?=\W|[^\x00-\x7f]|$)", re.IGNORECASE)
_AT_END = re.compile(rf"(?<!\w){_DAY}[\s*_`)）\]】。.]*$", re.IGNORECASE)
_IN_BRACKETS_AT_END = re.compile(rf"[(（\[【]\s*{_DAY}\s*[)）\]】][\s*_。.]*$", re.IGNORECASE)
_LABELLED = re.compile(
    rf"^[\s>*_|-]*(?:date|when|occurred|created|日期|时间|發生時間|发生时间|发生日期)[\s*_]*[:：][\s*_\"']*{_DAY}",
    re.IGNORECASE | re.MULTILINE,
)


def day_of_unit(unit: Unit) -> str | None:
    """Return the day that a unit or the nearest heading above it names, as YYYY-MM-DD."""
    first = unit.content.split("\n", 1)[0]
    own = (_of_heading(unit.title), _at_start_of_entry(first), _found(_IN_BRACKETS_AT_END, first),
           _found(_LABELLED, unit.content))  # fmt: skip
    return next(filter(None, chain(own, map(_of_heading, reversed(unit.path)))), None)


def day_of_file(lines: Sequence[str], name: str) -> str | None:
    """Return the day that a file's front matter names, or its name begins or ends with, as YYYY-MM-DD."""
    front = "\n".join(lines[: front_matter_length(lines)])
    return _found(_LABELLED, front) or _of_heading(name.replace("_", " "))


def _of_heading(text: str) -> str | None:
    return _found(_AT_START, text) or _found(_AT_END, text)


def _at_start_of_entry(text: str) -> str | None:
    """Return the day before an entry; one that its sentence is about, as in `2024-02-30 is parsed`, is none."""
    found = _AT_START.match(text)
    return None if found and re.match(r"\s+[a-z]", text[found.end() :]) else _found(_AT_START, text)


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the day that a pattern finds; one that the calendar does not have is none."""
    found = pattern.search(text)
    if not found:
        return None
    try:
        return _day(found).isoformat()
    except ValueError:
        return None


def _day(found: re.Match[str]) -> date:
    year, month, day = (
        next(value for name, value in found.groupdict().items() if value and name.startswith(part))
        for part in ("year", "month", "day")
    )
    return date(int(year), int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1, int(day))
