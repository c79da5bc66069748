"""Gemini: what hardwon knows of Gemini CLI."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon_command_hooks.adapter import FIELDS, CommandHookAdapter, HarnessTable

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.wired_files import JsonSettings, WiredFile

MILLISECONDS = 5_000
"""How long it waits for our command."""


class Gemini(CommandHookAdapter):
    """Speaks with Gemini CLI."""

    table = HarnessTable(
        name="gemini",
        title="Gemini CLI",
        program="gemini",
        events={
            "SessionStart": "session-start",
            "BeforeAgent": "prompt",
            "AfterAgent": "turn-end",
            "SessionEnd": "session-end",
        },
        fields=FIELDS,
        timeouts=dict.fromkeys(("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"), MILLISECONDS),
        off_switch=(("hooksConfig", "enabled"), False),
        tool_prefix="mcp_hardwon_",
    )

    def folder(self) -> Path:
        """Return .gemini in $GEMINI_CLI_HOME, else in the home directory."""
        return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini"

    def settings(self) -> JsonSettings:
        """Return the user's settings: the hooks and the MCP servers stand in them."""
        from hardwon_command_hooks.json_text import COMMENTED
        from hardwon_command_hooks.wired_files import JsonSettings

        return JsonSettings(self.folder() / "settings.json", (self.hooks(), self.server({})), COMMENTED)

    def further_files(self) -> Sequence[WiredFile]:
        """Return our commands."""
        from hardwon_command_hooks.skills import skills
        from hardwon_command_hooks.wired_files import OwnFile

        folder = self.folder() / "commands" / "hardwon"
        return [OwnFile(folder / f"{each.name}.toml", each.as_toml_command()) for each in skills()]

    def sessions(self) -> Iterator[Path]:
        """Walk the chats of all projects."""
        for ending in ("json", "jsonl"):
            yield from (self.folder() / "tmp").glob(f"*/chats/session-*.{ending}")

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a chat."""
        from hardwon_gemini.transcript import read_transcript

        return read_transcript(path)
