"""Dsh: what hardwon knows of DSH, the DeepSeek Harness."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon_command_hooks.in_process import InProcessAdapter

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn
    from hardwon_command_hooks.plugin_data import PluginData
    from hardwon_command_hooks.wired_files import WiredFile

JAVASCRIPT = Path(__file__).parent / "javascript"
ENTRY = "index.mjs"
MANIFEST = ("package.json", "cordis.patch.yml")
"""What makes the folder a bundle of DSH."""


class Dsh(InProcessAdapter):
    """Speaks with DSH."""

    name = "dsh"
    title = "DSH"
    program = "dsh"
    tool_prefix = ""

    def folder(self) -> Path:
        """Return $DSH_HOME, else ~/.dsh."""
        given = os.environ.get("DSH_HOME")
        return Path(given).expanduser() if given else Path.home() / ".dsh"

    def data(self) -> PluginData:
        """Return the data beside the plugin: the MCP server does its tools' work, and once a day it consolidates."""
        from hardwon_command_hooks.mcp_server import server_command
        from hardwon_command_hooks.plugin_data import PluginData

        return PluginData(
            self._bundle() / "data.json",
            self.name,
            {"server": partial(server_command, self.name), "daily": _consolidate},
        )

    def further_files(self) -> Sequence[WiredFile]:
        """Return the bundle, our skills, and the user's patch of DSH's composition, which names the bundle."""
        from hardwon_command_hooks.javascript import FOLDER, modules
        from hardwon_command_hooks.skills import skills
        from hardwon_command_hooks.wired_files import OwnFile
        from hardwon_dsh.patch_file import PatchFile

        texts = [*modules(FOLDER), *modules(JAVASCRIPT)]
        texts += [(name, (JAVASCRIPT / name).read_text(encoding="utf-8")) for name in MANIFEST]
        bundle = [OwnFile(self._bundle() / name, text) for name, text in texts]
        known = [
            OwnFile(self.folder() / "skills" / f"hardwon-{each.name}" / "SKILL.md", each.as_skill())
            for each in skills()
        ]
        return (*bundle, *known, PatchFile(self.folder() / "cordis.patch.yml", self._bundle() / ENTRY))

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk nothing: where DSH keeps its sessions is for its composition to say; they are captured live."""
        return iter(())

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk nothing, and say so."""
        from hardwon.kernel.records import Problem

        yield Problem(where=str(path), what="Past sessions of DSH cannot be imported; those from now on are captured.")

    def _bundle(self) -> Path:
        """Return the folder of our plugin: from below `profiles`, it finds DSH's own packages as every profile does."""
        return self.folder() / "profiles" / ".hardwon"


def _consolidate(home: Path) -> list[str]:
    return [sys.executable, "-P", "-m", "hardwon.cli", "consolidate", "--due", "--home", str(home)]
