"""Codex: what hardwon knows of Codex CLI."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon_command_hooks.adapter import EVENTS, FIELDS, CommandHookAdapter, HarnessTable

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.wired_files import JsonSettings, WiredFile

SECONDS = 5
"""How long it waits for our command."""
THEIR_WORDS = "what the user wrote beside this skill's name"
"""It puts no words of the user into a skill."""
LONGEST_END = 3
"""Seconds that it allows at a session's end; asked for more, it warns the user."""


class Codex(CommandHookAdapter):
    """Speaks with Codex."""

    table = HarnessTable(
        name="codex",
        title="Codex",
        program="codex",
        events=EVENTS,
        fields=FIELDS | {"turn": "turn_id", "subagent": "agent_id"},
        timeouts={"SessionStart": SECONDS, "UserPromptSubmit": SECONDS, "Stop": SECONDS, "SessionEnd": LONGEST_END},
        tool_prefix="mcp__hardwon__",
    )

    def folder(self) -> Path:
        """Return $CODEX_HOME, else ~/.codex."""
        given = os.environ.get("CODEX_HOME")
        return Path(given) if given else Path.home() / ".codex"

    def settings(self) -> JsonSettings:
        """Return the hooks: a file of their own, in which Codex trusts the command alone."""
        from hardwon_command_hooks.json_text import STRICT
        from hardwon_command_hooks.wired_files import JsonSettings

        return JsonSettings(self.folder() / "hooks.json", (self.hooks(),), STRICT)

    def further_files(self) -> Sequence[WiredFile]:
        """Return the file with the MCP servers, and our skills."""
        from hardwon_codex.toml_server import TomlServer
        from hardwon_command_hooks.mcp_server import server_command
        from hardwon_command_hooks.skills import skills
        from hardwon_command_hooks.wired_files import OwnFile

        folder = self.folder() / "skills"
        return (
            TomlServer(self.folder() / "config.toml", partial(server_command, self.name)),
            *(OwnFile(folder / f"hardwon-{each.name}" / "SKILL.md", each.as_skill(THEIR_WORDS)) for each in skills()),
        )

    def to_do(self) -> list[str]:
        """Return that the hooks are to be trusted, until they are."""
        from hardwon_codex.trust import has_untrusted_hook

        if has_untrusted_hook(self.settings().path, self.folder() / "config.toml", self.name):
            return ["Codex runs no hook that you have not trusted: start `codex`, type `/hooks`, and trust hardwon's."]
        return []

    def sessions(self) -> Iterator[Path]:
        """Walk the transcripts, by day and, of sessions put away, beside them."""
        yield from (self.folder() / "sessions").glob("*/*/*/rollout-*.jsonl")
        yield from (self.folder() / "archived_sessions").glob("rollout-*.jsonl")

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a transcript."""
        from hardwon_codex.transcript import read_transcript

        return read_transcript(path)
