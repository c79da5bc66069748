"""How each harness stands: connected with this memory or another, when it was heard of last, what is left to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from hardwon.kernel import spool
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.settings import HarnessSettings
from hardwon.kernel.use_cases.pausing import current_pauses
from hardwon.kernel.use_cases.setup import keeps_files

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import HarnessAdapter

PATIENCE = timedelta(minutes=10)
"""How long after a harness was connected a session may still be one that began before."""


@dataclass(frozen=True)
class HarnessStatus:
    """One look at a harness that is installed here or connected."""

    harness: str
    title: str
    connected: bool
    """With this memory."""
    home: str | None
    """The memory that it is connected with, be it another."""
    capture: bool
    recall: bool
    last_capture: datetime | None
    """When the last turn that was captured in it began."""
    to_do: list[str]
    """What is left to the user, a sentence each."""
    problem: str | None = None


def harness_statuses(home: Home) -> list[HarnessStatus]:
    """Return how the harnesses stand; those that are neither installed nor connected are left out."""
    captured = _last_captures(home)
    looks = (_status(home, name, adapter, captured) for name, adapter in home.registry.all("harnesses").items())
    return [look for look in looks if look is not None]


def _last_captures(home: Home) -> dict[str, datetime]:
    """Return when the last turn began that each harness told of."""
    last: dict[str, datetime] = {}
    for session in home.storage.journal.sessions() if home.exists else ():
        last[session.harness] = max(session.last, last.get(session.harness, session.last))
    return last


def _status(home: Home, name: str, adapter: HarnessAdapter, captured: dict[str, datetime]) -> HarnessStatus | None:
    settings = home.settings.harnesses.get(name) or HarnessSettings()
    title = str(adapter.hook_table()["title"])
    last = captured.get(name)
    try:
        found = adapter.status()
    except HardwonError as error:
        found = {"home": None, "to_do": [], "problem": str(error)}
    if found["home"] is None and not adapter.present():
        return None
    connected = found["home"] == str(home.path)
    to_do = list(found["to_do"]) if connected else []
    if connected and settings.capture and not to_do and _is_silent(home, adapter, found, last):
        to_do.append(
            f"No hook was called since it was connected, though there were sessions; run `hardwon setup {name}` again "
            "and see whether its own settings allow hooks."
        )
    return HarnessStatus(
        name, title, connected, found["home"], settings.capture, settings.recall, last, to_do, found.get("problem")
    )


def _is_silent(home: Home, adapter: HarnessAdapter, found: Any, last: datetime | None) -> bool:
    """Tell whether sessions went on since the harness was connected and none was ever heard of."""
    if not found.get("since") or not keeps_files(adapter) or spool.waiting(str(home.path)) or current_pauses(home):
        return False
    since = datetime.fromisoformat(found["since"])
    return (last is None or last < since) and any(True for _ in adapter.transcripts(since + PATIENCE))
