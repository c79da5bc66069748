"""What the hook program showed, from the spool into the ledger: `why`, use and capture ask for it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel import background
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.session_places import SessionPlaces
from hardwon.kernel.use_cases.shown import KIND
from hardwon.kernel.use_cases.spooled import LOCK_FILE, SHOWN, Record, load, records, remove, set_aside

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

PATIENCE = 1.0
"""Seconds that a reader waits for a process at the spool."""
_AT_ONCE = 500


def take_shown(home: Home) -> int:
    """Take what was shown out of the spool, for a reader who asks now; a process that is at it begins with it.

    Where nothing can be written it stays there.
    """
    try:
        with background.alone(home.path / LOCK_FILE, PATIENCE) as free:
            if not free:
                return 0
            return record_shown(home, [record for record in records(home.path) if record.moment == SHOWN])
    except OSError:
        return 0


def record_shown(home: Home, shown: Sequence[Record]) -> int:
    """Put what was shown into the ledger, each record once; return how many memories were shown. Raises StoreError."""
    if not shown:
        return 0
    known = _known(home, shown)
    places = SessionPlaces(home)
    number = 0
    for start in range(0, len(shown), _AT_ONCE):
        some = shown[start : start + _AT_ONCE]
        activities = [each for record in some if record.name not in known for each in _activities(home, record, places)]
        home.storage.ledger.append(activities)
        remove(home.path, some)
        number += len(activities)
    return number


def _known(home: Home, shown: Sequence[Record]) -> set[str]:
    """Return the records that are in the ledger already, from a process that was killed before it removed them."""
    since = datetime.fromtimestamp(min(record.at for record in shown), UTC)
    return {str(each.details.get("record")) for each in home.storage.ledger.activity(KIND, since)}


def _activities(home: Home, record: Record, places: SessionPlaces) -> Iterator[Activity]:
    """Walk what one record shows; one that is broken is set aside."""
    try:
        content = load(home.path, record)
        shown = [_one(each) for each in content.get("shown") or ()]
    except (InvalidInput, TypeError, ValueError) as error:
        set_aside(home.path, [(record.folder, record.name)], f"What was shown cannot be read ({error}); remove it.")
        return
    at = datetime.fromtimestamp(record.at, UTC)
    project = places.place(record.harness, record.working_folder).project
    where = {"project": project} if project else {}
    for id, via, score in shown:
        details = {"harness": record.harness, **where, "via": via, "score": score, **_asked(content)}
        details["record"] = record.name
        yield Activity(kind=KIND, at=at, memory=id, session=record.session, details=details)


def _one(shown: Any) -> tuple[str, str, float]:
    id, via, score = shown
    return str(id), str(via), float(score)


def _asked(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content[name] for name in ("prompt_turn", "lexical") if content.get(name) is not None}
