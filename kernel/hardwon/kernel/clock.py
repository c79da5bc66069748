"""Time, as a port: UTC inside, offsets kept where they were given."""

from __future__ import annotations

from datetime import UTC, date, datetime

from hardwon.kernel.errors import InvalidInput


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """Return the present moment with its zone."""
        return datetime.now(UTC)


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 date or date-time; what names no zone is UTC, a bare date is its midnight.

    Raises InvalidInput for anything else.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        moment.astimezone(UTC)  # an offset may lead out of the years that there are
    except (ValueError, OverflowError):
        raise InvalidInput(f"“{text[:40]}” is no date; write it as 2026-11-30 or 2026-11-30T09:15:00+01:00.") from None
    return moment


def aware(value: datetime | date | str) -> datetime:
    """Return `value` as a moment with a zone (the rule of `parse_time`)."""
    if isinstance(value, str):
        return parse_time(value)
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value if value.tzinfo else value.replace(tzinfo=UTC)
