"""Looking back: what was shown in a session, when, with which score, and what stands behind each memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.explaining import links_of
from hardwon.kernel.use_cases.showing import take_shown
from hardwon.kernel.use_cases.shown import KIND

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

NAMED = 5
"""Sessions that are named beside the one that is told."""


@dataclass(frozen=True)
class Showing:
    """One time that a memory was shown."""

    at: datetime
    via: str
    """direct, rule, instance, supersedes or mount, as recall says it; start: at the session's start, unasked."""
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
    others: tuple[str, ...]
    """The latest other sessions by their ids: an agent's own searches are a session beside that of the hooks."""


def look_back(home: Home, session: str | None = None) -> SessionSeen:
    """Return what was shown in a session, by its id or a unique beginning of it; None: in the latest one.

    What the hook program showed and nobody took from the spool yet is taken first. Raises NotFound, Ambiguous.
    """
    take_shown(home)
    shown = sorted(_shown(home.storage.ledger.activity(KIND)), key=_moment)
    known = list(dict.fromkeys(str(each.session) for each in reversed(shown)))
    wanted = _wanted(known, session)
    own = [each for each in shown if each.session == wanted]
    by_memory: dict[str, list[Activity]] = {}
    for each in own:
        by_memory.setdefault(each.memory or "", []).append(each)
    entries = home.storage.memories.get(list(by_memory))
    memories = [
        SeenMemory(id, entries.get(id), links_of(home, id) if id in entries else [], tuple(map(_showing, times)))
        for id, times in by_memory.items()
    ]
    harness = next((str(each.details["harness"]) for each in own if each.details.get("harness")), None)
    others = [each for each in known if each != wanted][:NAMED]
    return SessionSeen(wanted, harness, tuple(memories), tuple(others))


def _wanted(known: Sequence[str], session: str | None) -> str:
    """Return the session that is meant, of those known, the latest first. Raises NotFound, Ambiguous."""
    if session is None and known:
        return known[0]
    if session is None:
        raise NotFound("Nothing was shown in any session yet; `hardwon status` says which harnesses are connected.")
    fitting = [session] if session in known else [each for each in known if each.startswith(session)]
    if len(fitting) > 1:
        raise Ambiguous(f"“{session}” fits {len(fitting)} sessions: {', '.join(fitting[:NAMED])}; give more of the id.")
    if not fitting:
        latest = f"; the latest are {', '.join(known[:NAMED])}" if known else ""
        raise NotFound(f"Nothing was shown in a session “{session}”{latest}; `hardwon why` looks at the last one.")
    return fitting[0]


def _shown(activity: Iterable[Activity]) -> list[Activity]:
    """Return what was shown in sessions, each once: two processes may have taken one record from the spool."""
    unique: dict[tuple[Any, ...], Activity] = {}
    for each in activity:
        if each.session and each.memory:
            unique.setdefault((each.session, each.details.get("record"), each.memory, each.at), each)
    return list(unique.values())


def _moment(shown: Activity) -> datetime:
    return shown.at


def _showing(shown: Activity) -> Showing:
    details = shown.details
    return Showing(
        at=shown.at,
        via=str(details.get("via", "direct")),
        score=float(details.get("score", 0.0)),
        parts=dict(details.get("parts") or {}),
        by_keywords_alone=bool(details.get("lexical")),
    )
