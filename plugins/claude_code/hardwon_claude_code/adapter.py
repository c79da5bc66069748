"""ClaudeCode: what hardwon knows of Claude Code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon_command_hooks.adapter import EVENTS, FIELDS, CommandHookAdapter, HarnessTable

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.wired_files import JsonSettings, WiredFile

SECONDS = 5
"""How long it waits for our command."""


class ClaudeCode(CommandHookAdapter):
    """Speaks with Claude Code."""

    table = HarnessTable(
        name="claude-code",
        title="Claude Code",
        program="claude",
        events=EVENTS,
        fields=FIELDS | {"turn": "prompt_id", "subagent": "agent_id"},
        timeouts={"SessionStart": SECONDS, "UserPromptSubmit": SECONDS, "Stop": SECONDS, "SessionEnd": SECONDS},
        off_switch=(("disableAllHooks",), True),
        tool_prefix="mcp__hardwon__",
    )

    def folder(self) -> Path:
        """Return $CLAUDE_CONFIG_DIR, else ~/.claude."""
        given = os.environ.get("CLAUDE_CONFIG_DIR")
        return Path(given) if given else Path.home() / ".claude"

    def settings(self) -> JsonSettings:
        """Return the user's settings."""
        from hardwon_command_hooks.json_text import STRICT
        from hardwon_command_hooks.wired_files import JsonSettings

        return JsonSettings(self.folder() / "settings.json", (self.hooks(),), STRICT)

    def further_files(self) -> Sequence[WiredFile]:
        """Return the file with the user's MCP servers, and our skills."""
        from hardwon_command_hooks.json_text import STRICT
        from hardwon_command_hooks.skills import skills
        from hardwon_command_hooks.wired_files import JsonSettings, OwnFile

        # Loaded at once, its tools stand in the first request; else only their names do, behind a search.
        server = self.server({"type": "stdio", "alwaysLoad": True})
        folder = self.folder() / "skills"
        return (
            JsonSettings(self._user_file(), (server,), STRICT),
            *(OwnFile(folder / f"hardwon-{each.name}" / "SKILL.md", each.as_skill()) for each in skills()),
        )

    def _user_file(self) -> Path:
        """Return the file of the user's MCP servers: in $CLAUDE_CONFIG_DIR, else beside the folder."""
        given = os.environ.get("CLAUDE_CONFIG_DIR")
        return Path(given) / ".claude.json" if given else Path.home() / ".claude.json"

    def sessions(self) -> Iterator[Path]:
        """Walk the transcripts; those of sub-agents lie deeper, or are named so in older versions."""
        for path in (self.folder() / "projects").glob("*/*.jsonl"):
            if not path.name.startswith("agent-"):
                yield path

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a transcript."""
        from hardwon_claude_code.transcript import read_transcript

        return read_transcript(path)
