"""InProcessAdapter: a HarnessAdapter for a harness that runs plugins in its own process (OpenCode, DSH).

Our plugin there starts the hook program as command hooks do, with hardwon's own form of an event; its files are copied
into the harness's folder, and beside them `data.json` says which home they are for.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon_command_hooks.adapter import TOOLS

if TYPE_CHECKING:
    from hardwon.kernel.harness import FileChange, HarnessEvent, Job
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.plugin_data import PluginData
    from hardwon_command_hooks.wired_files import WiredFile
    from hardwon_command_hooks.wiring import Wiring

MOMENTS = ("session-start", "prompt", "turn-end", "session-end")
ANSWERED = ("session-start", "prompt")
FIELDS = ("event", "session", "folder", "prompt", "turn", "source", "messages", "subagent")
LIMIT = 9_000
"""Characters of context that reach the model whole."""


class InProcessAdapter(ABC):
    """Speaks with one harness through our plugin in its process."""

    name: str
    title: str
    program: str
    """The harness's own program, as it is found on PATH."""
    tool_prefix: str
    """What it puts before the name of a tool of our MCP server."""

    @abstractmethod
    def folder(self) -> Path:
        """Return the harness's folder for this user."""

    @abstractmethod
    def data(self) -> PluginData:
        """Return the file beside our plugin that says which home it is for."""

    @abstractmethod
    def further_files(self) -> Sequence[WiredFile]:
        """Return the other files that wire it, those of the plugin before those that name it."""

    @abstractmethod
    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts that the harness keeps, oldest first."""

    @abstractmethod
    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a transcript."""

    def to_do(self) -> list[str]:
        """Return what the user must still do once it is wired, a sentence each."""
        return []

    def hook_table(self) -> Mapping[str, Any]:
        """Return what the hook program needs to know: our own form, event by event and field by field."""
        return {
            "title": self.title,
            "events": {moment: moment for moment in MOMENTS},
            "fields": {field: field for field in FIELDS},
            "answers": {moment: {"text": "$text"} for moment in ANSWERED},
            "limit": LIMIT,
            "capture": True,
            "recall": True,
            "subagents": False,
        }

    def parse(self, payload: Mapping[str, Any]) -> HarnessEvent | None:
        """Return the event, or None when it is none of ours."""
        from hardwon.kernel.hook.tables import read_event

        return read_event(self.hook_table(), payload)

    def render(self, event: HarnessEvent, injection: str) -> bytes:
        """Return the answer to an event."""
        from hardwon.kernel.hook.tables import answer

        return answer(self.hook_table(), event.moment, injection)

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
        """Take the wiring to a home back, and the jobs with it."""
        return self._wiring().uninstall(home)

    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Let our plugin start these jobs and no others."""
        return self.data().schedule(jobs)

    def status(self) -> Mapping[str, Any]:
        """Return whether it is wired, to which home, and what is to do."""
        home = self._wiring().home()
        return {
            "installed": home is not None,
            "home": None if home is None else str(home),
            "files": [str(file.path) for file in self._files()],
            "to_do": [] if home is None else self.to_do(),
        }

    def _files(self) -> list[WiredFile]:
        return [self.data(), *self.further_files()]

    def _wiring(self) -> Wiring:
        from hardwon_command_hooks.wiring import Wiring

        return Wiring(self.name, self._files())
