"""WiredAdapter: what every HarnessAdapter does that is a table for the hook program, and some files that name us."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwon.kernel.harness import FileChange, HarnessEvent, Job
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.wired_files import WiredFile
    from hardwon_command_hooks.wiring import Wiring

LIMIT = 9_000
"""Characters of context that reach the model whole, unless a harness takes less."""
ANSWERED = ("session-start", "prompt")
"""The moments at which a harness takes context."""
TOOLS = {
    "recall": "memory_search",
    "remember": "memory_save",
    "feedback": "memory_feedback",
    "review list": "memory_review_list",
    "review show": "memory_review_show",
}
"""The tools of our MCP server by the action that each is."""


class WiredAdapter(ABC):
    """Speaks with one harness, as far as all of them are spoken with alike."""

    name: str
    program: str
    """The harness's own program, as it is found on PATH."""
    tool_prefix: str
    """What it puts before the name of a tool of our MCP server."""

    @abstractmethod
    def folder(self) -> Path:
        """Return the folder of the user's settings for this harness."""

    @abstractmethod
    def files(self) -> Sequence[WiredFile]:
        """Return the files that wire it; the first one says to which home."""

    @abstractmethod
    def hook_table(self) -> Mapping[str, Any]:
        """Return what the hook program needs to know."""

    @abstractmethod
    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Let the harness run these jobs and no others of ours."""

    @abstractmethod
    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts, oldest first."""

    @abstractmethod
    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a transcript."""

    def to_do(self) -> list[str]:
        """Return what the user must still do once it is wired, a sentence each."""
        return []

    def parse(self, payload: Mapping[str, Any]) -> HarnessEvent | None:
        """Return the event, or None when it is none of ours."""
        from hardwon.kernel.hook.tables import read_event

        return read_event(self.hook_table(), payload)

    def render(self, event: HarnessEvent, injection: str) -> bytes:
        """Return the answer to an event."""
        from hardwon.kernel.hook.tables import answer

        table = self.hook_table()
        name = next(name for name, moment in table["events"].items() if moment == event.moment)
        return answer(table, name, injection)

    def tools(self) -> Mapping[str, str]:
        """Return what our tools are called there; none where our MCP server is not installed."""
        from hardwon_command_hooks.mcp_server import server_is_installed

        return {action: self.tool_prefix + tool for action, tool in TOOLS.items()} if server_is_installed() else {}

    def present(self) -> bool:
        """Tell whether its program or its folder is there."""
        return shutil.which(self.program) is not None or self.folder().is_dir()

    def changes(self, home: Path) -> list[FileChange]:
        """Return what `install` would do."""
        return self._wiring().changes(home)

    def install(self, home: Path) -> list[str]:
        """Wire it to a home."""
        return self._wiring().install(home)

    def uninstall(self, home: Path) -> list[str]:
        """Take the wiring to a home back."""
        return self._wiring().uninstall(home)

    def status(self) -> Mapping[str, Any]:
        """Return whether it is wired, to which home, since when, and what is to do."""
        wiring = self._wiring()
        home, since = wiring.home(), wiring.since()
        return {
            "installed": home is not None,
            "home": None if home is None else str(home),
            "since": since and since.isoformat(),
            "files": [str(file.path) for file in self.files()],
            "to_do": [] if home is None else self.to_do(),
        }

    def _wiring(self) -> Wiring:
        from hardwon_command_hooks.wiring import Wiring

        return Wiring(self.name, self.files())
