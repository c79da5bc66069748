"""The two times that a command may be asked about: when something was true, and when it was known."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from hardwon.kernel.home import Home

AsOf = Annotated[str | None, "what was true at this time, as 2026-11-30T09:15Z; a day is its beginning, in UTC"]
KnownAt = Annotated[str | None, "what was believed at this time, in the words of then"]


def asked_moments(home: Home, as_of: str | None, known_at: str | None) -> tuple[Home, datetime | None]:
    """Return the home as it was known at the one moment, and the moment whose truth is asked for; None for now.

    Who asks what was known asks of the truth of that moment too, unless they say otherwise. Raises InvalidInput.
    """
    from hardwon.kernel.use_cases.past.home import home_at

    true, known = asked_moment(as_of), asked_moment(known_at)
    return home_at(home, known), true or known


def asked_moment(text: str | None) -> datetime | None:
    """Return a moment that is asked about; None where none was given. Raises InvalidInput, for an empty one too."""
    from hardwon.kernel.clock import parse_time

    return None if text is None else parse_time(text)


def moments_note(as_of: str | None, known_at: str | None) -> str:
    """Return at which moments an answer is, where nothing was found there: a day is but its first moment."""
    asked = (("as of", asked_moment(as_of)), ("as known at", asked_moment(known_at)))
    times = [f"{how} {moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" for how, moment in asked if moment]
    return f"Asked {' and '.join(times)}." if times else ""
