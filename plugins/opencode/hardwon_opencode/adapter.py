"""OpenCode: what hardwon knows of OpenCode."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon_command_hooks.in_process import InProcessAdapter

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.plugin_data import PluginData
    from hardwon_command_hooks.skills import Skill
    from hardwon_command_hooks.wired_files import JsonSettings, WiredFile

SETTINGS = ("opencode.json", "opencode.jsonc")
"""OpenCode reads both; comments are allowed in either."""
JAVASCRIPT = Path(__file__).parent / "javascript"


class OpenCode(InProcessAdapter):
    """Speaks with OpenCode."""

    name = "opencode"
    title = "OpenCode"
    program = "opencode"
    tool_prefix = "hardwon_"

    def __init__(self) -> None:
        self._failed: dict[Path, str] = {}
        """Why a session could not be exported, by the file that it was to be in."""

    def folder(self) -> Path:
        """Return $OPENCODE_CONFIG_DIR, else $XDG_CONFIG_HOME/opencode, else ~/.config/opencode."""
        given = os.environ.get("OPENCODE_CONFIG_DIR")
        if given:
            return Path(given)
        return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "opencode"

    def data(self) -> PluginData:
        """Return the data beside the plugin's modules."""
        from hardwon_command_hooks.plugin_data import PluginData

        return PluginData(self._plugins() / "hardwon" / "data.json", self.name)

    def further_files(self) -> Sequence[WiredFile]:
        """Return the plugin's modules, the plugin, our commands for the user, and the settings with the MCP server."""
        from hardwon_command_hooks.javascript import FOLDER, modules
        from hardwon_command_hooks.skills import skills
        from hardwon_command_hooks.wired_files import OwnFile

        shared = [(f"hardwon/{name}", text) for name, text in modules(FOLDER)]
        own = sorted(modules(JAVASCRIPT), key=lambda module: module[0] == "hardwon.js")
        files = [OwnFile(self._plugins() / name, text) for name, text in (*shared, *own)]
        place = self.folder() / "command"
        commands = [OwnFile(place / f"hardwon-{each.name}.md", _as_command(each)) for each in skills()]
        return (*files, *commands, self.settings())

    def settings(self) -> JsonSettings:
        """Return the user's settings: the file that names our server already, else the first one that is there."""
        from hardwon_command_hooks.files import content_of
        from hardwon_opencode.settings import settings_file

        there = [file for name in SETTINGS if (file := settings_file(self.folder() / name)).path.is_file()]
        wired = [file for file in there if file.home(content_of(file.path))]
        return next(iter([*wired, *there]), settings_file(self.folder() / SETTINGS[0]))

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Export the sessions, oldest first, and walk the files. Raises Unavailable."""
        from hardwon_opencode.exports import exported_sessions

        return exported_sessions(since, self._failed)

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of an exported session."""
        from hardwon.kernel.records import Problem
        from hardwon_opencode.transcript import read_transcript

        if path in self._failed:
            return iter([Problem(where=path.stem, what=self._failed[path])])
        return read_transcript(path)

    def _plugins(self) -> Path:
        return self.folder() / "plugins"


def _as_command(skill: Skill) -> str:
    """Return a skill as a command that the user types; it puts the user's words in the same place."""
    return f"---\ndescription: {json.dumps(skill.fields['description'], ensure_ascii=False)}\n---\n\n{skill.body}"
