"""CommandHookAdapter: a HarnessAdapter made of a small table, the files that wire the harness, and its transcripts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon_command_hooks.wired_adapter import ANSWERED, LIMIT, WiredAdapter

if TYPE_CHECKING:
    from hardwon.kernel.harness import Job
    from hardwon_command_hooks.settings_parts import CommandHooks, McpServer
    from hardwon_command_hooks.wired_files import JsonSettings, WiredFile

EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "Stop": "turn-end",
    "SessionEnd": "session-end",
}
FIELDS = {
    "event": "hook_event_name",
    "session": "session_id",
    "folder": "cwd",
    "transcript": "transcript_path",
    "prompt": "prompt",
    "source": "source",
}
"""What Claude Code calls the moments and the fields; the others took this over, in whole or in part."""


@dataclass(frozen=True)
class HarnessTable:
    """What one harness calls things: all that differs between harnesses with command hooks."""

    name: str
    title: str
    program: str
    """The harness's own program, as it is found on PATH."""
    events: Mapping[str, str]
    """What it calls the moments: its name to our HarnessMoment."""
    fields: Mapping[str, str]
    """Where a payload has what: dotted paths by our names (docs/reference/hook-program.md)."""
    timeouts: Mapping[str, int]
    """How long it waits for us at each event, in its own unit; the hook program ends itself after a second."""
    tool_prefix: str
    """What it puts before the name of a tool of our MCP server."""
    off_switch: tuple[tuple[str, ...], bool] | None = None
    """The setting by which a user turns all hooks off: its place, and the value that does."""
    limit: int = LIMIT
    """Characters of context that reach the model whole."""


class CommandHookAdapter(WiredAdapter):
    """Speaks with one harness that runs a command at each event of a session."""

    table: HarnessTable

    def __init__(self) -> None:
        self.name = self.table.name
        self.program = self.table.program
        self.tool_prefix = self.table.tool_prefix

    @abstractmethod
    def settings(self) -> JsonSettings:
        """Return the settings with the hooks."""

    def further_files(self) -> Sequence[WiredFile]:
        """Return the other files that wire it."""
        return ()

    def files(self) -> list[WiredFile]:
        """Return the settings with the hooks, and the other files."""
        return [self.settings(), *self.further_files()]

    @abstractmethod
    def sessions(self) -> Iterator[Path]:
        """Walk the transcripts in any order."""

    def hooks(self) -> CommandHooks:
        """Return our command among its hooks."""
        from hardwon_command_hooks.settings_parts import CommandHooks

        return CommandHooks(self.name, self.table.timeouts, self._hook_command)

    def _hook_command(self, home: Path) -> str:
        from hardwon.kernel.use_cases.hook_program import hook_command
        from hardwon_command_hooks.hook_command import guarded

        return guarded(hook_command(home, self.name))

    def server(self, also: Mapping[str, Any]) -> McpServer:
        """Return our MCP server; `also` is what the harness should know of it besides its command."""
        from hardwon_command_hooks.mcp_server import server_command
        from hardwon_command_hooks.settings_parts import McpServer

        return McpServer(partial(server_command, self.name), also)

    def to_do(self) -> list[str]:
        """Return what the user must still do once it is wired, a sentence each."""
        if self.table.off_switch is None or not self.settings().says(*self.table.off_switch):
            return []
        setting = ".".join(self.table.off_switch[0])
        return [f"Its settings turn all hooks off: take {setting} out of {self.settings().path}."]

    def hook_table(self) -> Mapping[str, Any]:
        """Return what the hook program needs to know."""
        return {
            "title": self.table.title,
            "events": dict(self.table.events),
            "fields": dict(self.table.fields),
            "answers": {
                event: self._answer(event) for event, moment in self.table.events.items() if moment in ANSWERED
            },
            "limit": self.table.limit,
            "capture": True,
            "recall": True,
            "subagents": False,
        }

    @staticmethod
    def _answer(event: str) -> Mapping[str, Any]:
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": "$text"}}

    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Let the harness run these jobs and no others of ours."""
        from hardwon_command_hooks.jobs import schedule

        return schedule(self.table, self.settings(), jobs)

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts, oldest first; one that the harness removes meanwhile is passed over."""
        changed = []
        for path in self.sessions():
            with suppress(FileNotFoundError):
                changed.append((path.stat().st_mtime, path))
        for seconds, path in sorted(changed):
            if since is None or datetime.fromtimestamp(seconds, UTC) >= since:
                yield path
