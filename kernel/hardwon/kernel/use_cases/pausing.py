"""Pauses: for a while, or until they are ended, hardwon neither listens nor speaks in a harness or a project."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.hook_program import pauses, write_hook

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

_DURATION = re.compile(r"(\d{1,6})\s*([smhdw])", re.IGNORECASE)
BEGUN, ENDED = "pause", "resume"
"""Of the activities that tell of pauses: what was said in one is not taken from a transcript later."""
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True)
class Pause:
    """What is off, and how long."""

    until: float | None
    """Seconds since 1970; None: until it is ended."""
    harness: str | None = None
    """None: in every harness."""
    project: str | None = None
    """A project's key; None: in every project."""


@dataclass(frozen=True)
class PauseSpan:
    """A time that was, or is, a pause, in seconds since 1970."""

    since: float
    until: float
    pause: Pause

    def holds(self, at: float, harness: str, names: Collection[str]) -> bool:
        """Tell whether a harness was silent at a moment in a project; `names` are its and those of what it lies in."""
        named = self.pause.harness in (None, harness) and (self.pause.project is None or self.pause.project in names)
        return named and self.since <= at < self.until


def parse_duration(text: str) -> timedelta:
    """Return a time such as 30m, 2h or 1d. Raises InvalidInput."""
    found = _DURATION.fullmatch(text.strip())
    if not found:
        raise InvalidInput(f"“{text}” is no time; write a number and s, m, h, d or w, as in 2h.")
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])})


def current_pauses(home: Home) -> list[Pause]:
    """Return the pauses that hold now."""
    now = home.clock.now().timestamp()
    every = [Pause(each.get("until"), each.get("harness"), each.get("project")) for each in pauses(home)]
    return [each for each in every if each.until is None or each.until > now]


def pause(home: Home, time: timedelta | None, harness: str | None, project: str | None) -> Pause:
    """Begin a pause, in the place of one for the same harness and project; return it."""
    until = None if time is None else (home.clock.now() + time).timestamp()
    begun = Pause(until, harness, project)
    others = [each for each in current_pauses(home) if (each.harness, each.project) != (harness, project)]
    _keep(home, [*others, begun])
    _note(home, BEGUN, [begun])
    return begun


def resume(home: Home, harness: str | None, project: str | None) -> list[Pause]:
    """End the pauses for a harness and a project, or all where neither is named; return those that were ended."""
    ended = [
        each for each in current_pauses(home) if harness in (None, each.harness) and project in (None, each.project)
    ]
    _keep(home, [each for each in current_pauses(home) if each not in ended])
    _note(home, ENDED, ended)
    return ended


def pause_spans(home: Home) -> list[PauseSpan]:
    """Return the times that were pauses, as far back as the activity reaches."""
    told = [each for kind in (BEGUN, ENDED) for each in home.storage.ledger.activity(kind)]
    spans: list[PauseSpan] = []
    open_spans: dict[tuple[str | None, str | None], PauseSpan] = {}
    for activity in sorted(told, key=lambda each: each.at):
        pause = Pause(**{name: activity.details.get(name) for name in ("until", "harness", "project")})
        at = activity.at.timestamp()
        key = (pause.harness, pause.project)
        if before := open_spans.pop(key, None):
            spans.append(replace(before, until=min(before.until, at)))
        if activity.kind == BEGUN:
            open_spans[key] = PauseSpan(at, math.inf if pause.until is None else pause.until, pause)
    return [*spans, *open_spans.values()]


def _note(home: Home, kind: str, changed: Iterable[Pause]) -> None:
    now = home.clock.now()
    home.storage.ledger.append([Activity(kind=kind, at=now, details=asdict(each)) for each in changed])


def _keep(home: Home, kept: list[Pause]) -> None:
    write_hook(home, [asdict(each) for each in kept])
