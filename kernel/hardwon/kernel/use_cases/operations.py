"""What was done to the memory: imports, captured sessions, decisions, consolidations, and what was taken back.

The ledger tells of it. It is this device's and may be pruned; that what it tells of still stands, the memory says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.use_cases import capture, filling, sessions
from hardwon.kernel.use_cases.rules import bearings
from hardwon.kernel.use_cases.rules.telling import told_bearing, told_decision
from hardwon.kernel.use_cases.usage import REVERT

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.records import Activity


@dataclass
class Operation:
    """One thing that was done."""

    kind: str
    """import, session, decision, consolidate, backfill or revert."""
    id: str
    """By what it is called: an import's id, a session's, a proposal's, a backfill's; empty where there is none."""
    at: datetime
    """When it ended."""
    about: str = ""
    """Of what: a harness, files, a decision's action."""
    counts: dict[str, int] = field(default_factory=dict)
    memories: list[str] = field(default_factory=list)
    """Ids of the memories that it kept or archived."""
    notes: list[str] = field(default_factory=list)
    """What went wrong."""
    said: str = ""
    """It in a sentence, of what happened to rules."""


def operations(home: Home, since: datetime | None = None) -> list[Operation]:
    """Return what was done, the newest first."""
    ledger = home.storage.ledger
    found = [
        *_imports(ledger.activity(sessions.KIND, since)),
        *_sessions(ledger.activity(capture.KIND, since)),
        *(_single(each, "consolidate") for each in ledger.activity("consolidate", since)),
        *(_filling(each) for each in ledger.activity(filling.KIND, since)),
        *(_single(each, REVERT) for each in ledger.activity(REVERT, since)),
        *(_bearing(each) for each in ledger.activity(bearings.KIND, since)),
        *(
            Operation("decision", each.proposal, each.at, f"{each.action} by {each.by}", said=told_decision(each))
            for each in ledger.decisions()
            if since is None or each.at >= since
        ),
    ]
    return sorted(found, key=lambda each: each.at, reverse=True)


def _imports(told: Iterable[Activity]) -> Iterator[Operation]:
    """Walk the imports; one that was made in parts is one."""
    by_id: dict[str, Operation] = {}
    for number, activity in enumerate(told):
        details = activity.details
        id = str(details.get("import") or "")
        about = str(details.get("harness") or details.get("file") or "")
        operation = by_id.setdefault(id or f"-{number}", Operation("import", id, activity.at))
        operation.about = ", ".join(dict.fromkeys(filter(None, (*operation.about.split(", "), about))))
        _add(operation, activity)
    yield from by_id.values()


def _sessions(told: Iterable[Activity]) -> Iterator[Operation]:
    """Walk the captured sessions, each once, however often something was taken of it."""
    by_session: dict[str, Operation] = {}
    for activity in told:
        session = activity.session or ""
        about = str(activity.details.get("harness") or "")
        operation = by_session.setdefault(session, Operation("session", session, activity.at, about))
        _add(operation, activity)
    yield from by_session.values()


def _filling(activity: Activity) -> Operation:
    operation = _single(activity, filling.KIND)
    operation.id = str(activity.details.get("backfill") or "")
    operation.memories = list(activity.details.get("fields") or {})
    return operation


def _single(activity: Activity, kind: str) -> Operation:
    operation = Operation(kind, "", activity.at, str(activity.details.get("of") or ""))
    _add(operation, activity)
    return operation


def _bearing(activity: Activity) -> Operation:
    operation = Operation("evidence", str(activity.memory or ""), activity.at, said=told_bearing(activity))
    _add(operation, activity)
    return operation


def _add(operation: Operation, activity: Activity) -> None:
    """Add what one activity tells to its operation."""
    details: dict[str, Any] = activity.details
    operation.at = max(operation.at, activity.at)
    for name, value in details.items():
        if isinstance(value, int) and not isinstance(value, bool):
            operation.counts[name] = operation.counts.get(name, 0) + value
    operation.memories += [str(each) for each in details.get("memories") or ()]
    operation.notes += [str(details[name]) for name in ("error", "lost") if details.get(name)]
