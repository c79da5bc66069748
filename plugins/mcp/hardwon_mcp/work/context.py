"""What a call knows beside its arguments: the open home, who calls, and the project that the client works in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.hook.switches import Switches
from hardwon.kernel.identity import ProjectIdentity, identify
from hardwon.kernel.project_names import visible_names
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.home_switches import home_switches, repository_here
from hardwon.kernel.use_cases.hook_program import pauses
from hardwon.kernel.use_cases.projects import seen_from
from hardwon.kernel.visibility import reader
from hardwon_mcp.caller import Caller

NAMESPACE = "default"
"""What is kept apart under another name, no session sees."""


@dataclass(frozen=True)
class Told:
    """The answer of a tool: for programs, and for whoever reads."""

    data: dict[str, Any]
    text: str


@dataclass(frozen=True)
class Context:
    """One call's surroundings."""

    home: Home
    caller: Caller
    folder: Path
    session: str
    identity: ProjectIdentity | None
    project: str | None
    """The project's key; None outside of any."""
    names: tuple[str | None, ...]
    """The projects whose memories are seen from here, by every name, None among them for those that hold everywhere.

    Outside of any project only these: whoever does not say where they are does not see everything.
    """

    @property
    def visible(self) -> Filter:
        """Return which memories this session may see, whatever their status."""
        return Filter(projects=self.names, namespace=NAMESPACE, agent=reader(self.caller.harness), statuses=None)

    def require_recall(self) -> None:
        """Raise Conflict where recall is off."""
        if not self._switches().recall:
            raise Conflict(self._off("recall"))

    def require_capture(self) -> None:
        """Raise Conflict where nothing may be kept."""
        if not self._switches().capture:
            raise Conflict(self._off("capture"))

    def _switches(self) -> Switches:
        own = [name for name in self.names if name is not None]
        repository = repository_here(str(self.folder))
        return home_switches(self.home, self.caller.harness, repository, own, pauses(self.home))

    def _off(self, what: str) -> str:
        return f"The user turned {what} off here ({self.project or self.folder}); leave it so."


def context_of(home: Home, caller: Caller, folder: str, session: str) -> Context:
    """Return the surroundings of a call from a folder. Raises InvalidInput for a broken .hardwon.toml."""
    path = Path(folder)
    identity = identify(path)
    book = seen_from(home, identity)
    project = book.canonical(identity.key) if identity else None
    names = (visible_names(book, project) or (None,)) if project else (None,)
    return Context(home, caller, path, session, identity, project, names)
