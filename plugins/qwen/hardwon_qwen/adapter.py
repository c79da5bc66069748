"""Qwen: what hardwon knows of Qwen Code."""

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

MILLISECONDS = 5_000
"""How long it waits for our command."""


class Qwen(CommandHookAdapter):
    """Speaks with Qwen Code."""

    table = HarnessTable(
        name="qwen",
        title="Qwen Code",
        program="qwen",
        events=EVENTS,
        # It asks again after each tool, then without a prompt: there is nothing to answer.
        fields=FIELDS | {"turn": "prompt_id", "subagent": "agent_id"},
        timeouts=dict.fromkeys(("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"), MILLISECONDS),
        off_switch=(("disableAllHooks",), True),
        tool_prefix="mcp__hardwon__",
    )

    def folder(self) -> Path:
        """Return $QWEN_HOME, else ~/.qwen."""
        given = os.environ.get("QWEN_HOME")
        return Path(given) if given else Path.home() / ".qwen"

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
        base = os.environ.get("QWEN_RUNTIME_DIR")
        yield from ((Path(base) if base else self.folder()) / "projects").glob("*/chats/*.jsonl")

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a chat."""
        from hardwon_qwen.transcript import read_transcript

        return read_transcript(path)
