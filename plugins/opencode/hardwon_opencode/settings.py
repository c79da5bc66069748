"""OpenCode's settings, and what of them is ours: an MCP server, `{"mcp": {"hardwon": {"type": "local", …}}}`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hardwon_command_hooks.json_edit import put
from hardwon_command_hooks.json_text import parse
from hardwon_command_hooks.mcp_server import server_command
from hardwon_command_hooks.settings_parts import McpServer
from hardwon_command_hooks.wired_files import JsonSettings

HARNESS = "opencode"
SCHEMA = "https://opencode.ai/config.json"


def settings_file(path: Path) -> JsonSettings:
    """Return a settings file with our parts; OpenCode starts the server as the user's own, without asking."""
    command = partial(server_command, HARNESS)
    server = McpServer(command, {"type": "local", "enabled": True}, key="mcp", is_one_list=True)
    return JsonSettings(path, (server, Schema(server)))


@dataclass(frozen=True)
class Schema:
    """The schema's name in a file that we make: OpenCode writes it into every one that is without."""

    server: McpServer
    places: tuple[tuple[str, ...], ...] = ()

    def put_in(self, text: str, home: Path) -> str:
        """Put it in where there is nothing but our server."""
        root = parse(text)
        servers = root.get(self.server.key)
        is_alone = servers is not None and len(root.members or []) == len(servers.members or []) == 1
        return put(text, root, SCHEMA, "$schema") if is_alone and self.server.home(text) else text

    def take_out(self, text: str) -> str:
        """Leave it: whose it is, nobody can tell."""
        return text

    def home(self, text: str) -> Path | None:
        """Return None: it is the same for every home."""
        return None
