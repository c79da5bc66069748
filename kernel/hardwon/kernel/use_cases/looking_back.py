"""Looking back: what was shown in a session, when, with which score, and what stands behind each memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.explaining import links_of
from hardwon.kernel.use_cases.showing import record_shown
from hardwon.kernel.use_cases.shown import KIND
from hardwon.kernel.use_cases.spooled import SHOWN, records

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

RECENT = timedelta(days=7)
NAMED = 5
"""Sessions that an error names."""


@dataclass(frozen=True)
class Showing:
    """One time that a memory was shown."""

    at: datetime
    via: str
    """direct, rule, instance, supersedes or mount: as recall says it."""
    score: float
    parts: dict[str, float]
    """Of the score; empty where the hook program showed it, which keeps no more than the score."""
    by_keywords_alone: bool


@dataclass(frozen=True)
class SeenMemory:
    """A memory that was shown in a session."""

    id: str
    memory: MemoryEntry | None
    """None: it was forgotten since."""
    links: list[tuple[str, MemoryEntry]]
    """The edges by their names as read from it, with what is at their other ends: of a rule its lessons."""
    showings: tuple[Showing, ...]
    """Oldest first."""


@dataclass(frozen=True)
class SessionSeen:
    """What was shown in one session."""

    session: str
    harness: str | None
    memories: tuple[SeenMemory, ...]
    """In the order in which they were first shown."""


def look_back(home: Home, session: str | None = None) -> SessionSeen:
    """Return what was shown in a session, by its id or a unique beginning of it; None: in the latest one.

    What the hook program showed and nobody took from the spool yet is taken first. Raises NotFound, Ambiguous.
    """
    record_shown(home, [record for record in records(home.path) if record.moment == SHOWN])
    shown = _latest(home) if session is None else _of(home, session)
    by_memory: dict[str, list[Activity]] = {}
    for each in shown:
        by_memory.setdefault(each.memory or "", []).append(each)
    entries = home.storage.memories.get(list(by_memory))
    memories = [
        SeenMemory(id, entries.get(id), links_of(home, id) if id in entries else [], tuple(map(_showing, times)))
        for id, times in by_memory.items()
    ]
    harness = next((str(each.details["harness"]) for each in shown if each.details.get("harness")), None)
    return SessionSeen(str(shown[0].session), harness, tuple(memories))


def _latest(home: Home) -> list[Activity]:
    """Return what was shown in the session that was shown something last. Raises NotFound."""
    for since in (home.clock.now() - RECENT, None):
        shown = _shown(home.storage.ledger.activity(KIND, since))
        if shown:
            last = max(shown, key=lambda each: each.at).session
            return _sorted(each for each in _shown(home.storage.ledger.activity(KIND)) if each.session == last)
    raise NotFound("Nothing was shown in any session yet; `hardwon status` says which harnesses are connected.")


def _of(home: Home, session: str) -> list[Activity]:
    """Return what was shown in the session of this id. Raises NotFound, Ambiguous."""
    shown = _shown(home.storage.ledger.activity(KIND))
    known = dict.fromkeys(str(each.session) for each in reversed(shown))
    fitting = [session] if session in known else [each for each in known if each.startswith(session)]
    if len(fitting) > 1:
        raise Ambiguous(f"“{session}” fits {len(fitting)} sessions: {', '.join(fitting[:NAMED])}; give more of the id.")
    if not fitting:
        latest = f"; the latest are {', '.join(list(known)[:NAMED])}" if known else ""
        raise NotFound(f"Nothing was shown in a session “{session}”{latest}; `hardwon why` looks at the last one.")
    return _sorted(each for each in shown if each.session == fitting[0])


def _shown(activity: Iterable[Activity]) -> list[Activity]:
    return [each for each in activity if each.session and each.memory]


def _sorted(shown: Iterable[Activity]) -> list[Activity]:
    """Return them oldest first, each once: two processes may have taken one record from the spool."""
    unique: dict[tuple[Any, ...], Activity] = {}
    for each in shown:
        unique.setdefault((each.details.get("record"), each.memory, each.at), each)
    return sorted(unique.values(), key=lambda each: each.at)


def _showing(shown: Activity) -> Showing:
    details = shown.details
    return Showing(
        at=shown.at,
        via=str(details.get("via", "direct")),
        score=float(details.get("score", 0.0)),
        parts=dict(details.get("parts") or {}),
        by_keywords_alone=bool(details.get("lexical")),
    )
