"""Doctor: looks at everything that can be wrong, and says of each what to do. It changes nothing."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from hardwon.kernel.counting import counted
from hardwon.kernel.errors import HardwonError, Unavailable
from hardwon.kernel.records import Measurement, Problem

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

SCHEDULE = "runs are made when they are due"
VECTORS = "search by meaning finds what lies nearest"
LEEWAY = timedelta(minutes=10)
"""By how much clocks differ that nobody set wrong."""


@dataclass(frozen=True)
class Check:
    """One thing looked at, and what was wrong with it."""

    name: str
    problems: list[Problem]
    skipped: bool = False
    """True: it could not be looked at, because of another check's problem."""
    told: tuple[str, ...] = ()
    """What was found, beside what is wrong."""


def examine(home: Home) -> list[Check]:
    """Run every check; one that cannot run is itself a problem. Raises NotFound when there is no home.

    Settings that cannot be read are told once: what depends on them is skipped.
    """
    home.require()
    checks: tuple[tuple[str, Callable[[Home], list[Problem]]], ...] = (
        ("the folder is its owner's alone", _permissions),
        ("every plugin loads", _plugins),
        ("no migration was cut off", _migration),
    )
    by_settings: tuple[tuple[str, Callable[[Home], list[Problem]]], ...] = (
        ("everything in the memory can be read", lambda home: home.storage.problems()),
        ("the index says what the memory says", _index),
        ("no memories supersede each other in a circle", _circles),
        ("every memory was learned by now", _to_come),
        ("every mounted folder can be read", lambda home: home.mounts.problems() if home.mounts else []),
        ("every proposal can be read", lambda home: home.queue.problems()),
        ("everything captured can be taken", _spool),
        ("the hook program serves", _hook),
        ("the list of projects can be read", _projects),
        ("the embedder runs", _embedder),
    )
    done = [Check(name, _guarded(home, name, check)) for name, check in checks]
    settings = Check("the settings can be read", _guarded(home, "settings", _settings))
    if settings.problems:
        skipped = [*(name for name, _ in by_settings), VECTORS, SCHEDULE]
        return [*done, settings, *(Check(name, [], skipped=True) for name in skipped)]
    further = [Check(name, _guarded(home, name, check)) for name, check in by_settings]
    return _each_cause_once([*done, settings, *further, _vectors(home), _schedule(home)])


def _each_cause_once(checks: list[Check]) -> list[Check]:
    """Skip what the very error stopped that an earlier check tells: a server that is away stops most of them."""
    told: set[str] = set()
    kept = []
    for check in checks:
        stopped = {problem.what for problem in check.problems if problem.where == check.name}
        kept.append(replace(check, problems=[], skipped=True) if stopped and stopped <= told else check)
        told |= stopped
    return kept


def _guarded(home: Home, name: str, check: Callable[[Home], list[Problem]]) -> list[Problem]:
    try:
        return check(home)
    except HardwonError as error:
        return [Problem(where=name, what=str(error))]


def _permissions(home: Home) -> list[Problem]:
    if sys.platform == "win32":
        return []
    others = stat.S_IMODE(home.path.stat().st_mode) & 0o077
    what = f"Others on this machine can reach it; run `chmod 700 '{home.path}'`."
    return [Problem(where=str(home.path), what=what)] if others else []


def _migration(home: Home) -> list[Problem]:
    from hardwon.kernel.migration_state import FILE, unfinished

    what = unfinished(home.path)
    return [Problem(where=str(home.path / FILE), what=what)] if what else []


def _settings(home: Home) -> list[Problem]:
    home.settings  # noqa: B018 - reading is the check
    return []


def _plugins(home: Home) -> list[Problem]:
    return [
        Problem(
            where=f"plugin {broken.name} of {broken.distribution}",
            what=f"It does not load ({broken.reason}); upgrade or uninstall it.",
        )
        for broken in home.registry.broken
    ]


def _index(home: Home) -> list[Problem]:
    from hardwon.kernel.ports import Verified

    return home.storage.verify() if isinstance(home.storage, Verified) else []


def _circles(home: Home) -> list[Problem]:
    from hardwon.kernel.use_cases.superseding import circles

    return [
        Problem(
            where=f"memory {older}",
            what=f"It supersedes {younger}, which supersedes it in turn, so that this link does not count; take it"
            f" out of {older}, or forget one of the two.",
        )
        for older, younger in circles(home)
    ]


def _to_come(home: Home) -> list[Problem]:
    """Find what a clock that ran ahead asserted: nobody misses it, since it is not recalled, until somebody looks."""
    from hardwon.kernel.query import RECALLED, Filter
    from hardwon.kernel.use_cases.running.wording import shown
    from hardwon.kernel.use_cases.superseding import is_superseded

    latest = home.clock.now() + LEEWAY
    hidden = [
        (entry.times.asserted_at, entry.id)
        for entry in home.storage.memories.scan(Filter(statuses=RECALLED))
        if entry.times.asserted_at > latest and not is_superseded(home, entry.id)  # said anew
    ]
    if not hidden:
        return []
    until, last = max(hidden)
    others = f" (and {counted(len(hidden) - 1, 'other')})" if len(hidden) > 1 else ""
    what = (
        f"It was learned on {shown(until)}, says the clock of then, and is not recalled before; set the clock of this"
        f" machine if that is behind, else say it anew: `hardwon remember --replaces {last} …`."
    )
    return [Problem(where=f"memory {last}{others}", what=what)]


def _spool(home: Home) -> list[Problem]:
    from hardwon.kernel.use_cases.spooled import spool_problems

    return spool_problems(home.path, home.clock.now().timestamp())


def _hook(home: Home) -> list[Problem]:
    from hardwon.kernel.use_cases.hook_program import hook_problems

    return hook_problems(home)


def _vectors(home: Home) -> Check:
    """Measure the search by meaning; its figures are told in any case."""
    from hardwon.kernel.ports import Arranged

    try:
        found = home.storage.measure_vectors() if isinstance(home.storage, Arranged) else Measurement()
    except Unavailable:  # which the embedder's own check tells
        return Check(VECTORS, [], skipped=True)
    except HardwonError as error:
        return Check(VECTORS, [Problem(where=VECTORS, what=str(error))])
    return Check(VECTORS, list(found.problems), told=found.told)


def _schedule(home: Home) -> Check:
    """Look at the schedule; the last and the next run are told in any case."""
    from hardwon.kernel.use_cases.harness_status import harness_statuses
    from hardwon.kernel.use_cases.running.standing import schedule_problems, schedule_status
    from hardwon.kernel.use_cases.running.wording import schedule_lines

    try:
        status = schedule_status(home, harness_statuses(home))
    except HardwonError as error:
        return Check(SCHEDULE, [Problem(where=SCHEDULE, what=str(error))])
    return Check(SCHEDULE, schedule_problems(home, status), told=tuple(schedule_lines(status)))


def _projects(home: Home) -> list[Problem]:
    from hardwon.kernel.use_cases.projects import load_projects

    load_projects(home)
    return []


def _embedder(home: Home) -> list[Problem]:
    home.embedder  # noqa: B018 - opening is the check
    return []
