"""OpenCode's settings, and what of them is ours: an MCP server, `{"mcp": {"hardwon": {"type": "local", …}}}`."""

from __future__ import annotations

from pathlib import Path

from hardwon_command_hooks.hook_command import named_home, runs_module
from hardwon_command_hooks.json_edit import put, replace, take
from hardwon_command_hooks.json_text import Member, Node, NotJson, parse
from hardwon_command_hooks.mcp_server import server_command
from hardwon_command_hooks.settings_parts import MCP_MODULE, MCP_NAME
from hardwon_command_hooks.wired_files import JsonSettings

HARNESS = "opencode"
SCHEMA = "https://opencode.ai/config.json"


def settings_file(path: Path) -> JsonSettings:
    """Return a settings file with our parts."""
    return JsonSettings(path, (Server(), Schema()))


class Server:
    """Our MCP server; OpenCode starts it as the user's own, without asking."""

    places = (("mcp",),)

    def put_in(self, text: str, home: Path) -> str:
        """Put our server in, where it is installed and nobody else's has its name; else take ours out."""
        command = server_command(HARNESS, home)
        if command is None:
            return self.take_out(text)
        wanted = {"type": "local", "command": command, "enabled": True}
        root, servers, found = _found(text)
        if found is None:
            return put(text, servers, wanted, MCP_NAME) if servers else put(text, root, {MCP_NAME: wanted}, "mcp")
        if not _is_ours(found.node) or found.node.data() == wanted:
            return text
        return replace(text, found.node, wanted)

    def take_out(self, text: str) -> str:
        """Take our server out."""
        _, servers, found = _found(text)
        return take(text, servers, found) if servers and found and _is_ours(found.node) else text

    def home(self, text: str) -> Path | None:
        """Return the home that the server was started for."""
        _, _, found = _found(text)
        return named_home(found.node.data()["command"]) if found and _is_ours(found.node) else None


class Schema:
    """The schema's name in a file that we make: OpenCode writes it into every one that is without."""

    places: tuple[tuple[str, ...], ...] = ()

    def put_in(self, text: str, home: Path) -> str:
        """Put it in where there is nothing but our server."""
        root, servers, found = _found(text)
        is_ours = found is not None and servers is not None and servers.members == [found] and _is_ours(found.node)
        return put(text, root, SCHEMA, "$schema") if is_ours and len(root.members or []) == 1 else text

    def take_out(self, text: str) -> str:
        """Leave it: whose it is, nobody can tell."""
        return text

    def home(self, text: str) -> Path | None:
        """Return None: it is the same for every home."""
        return None


def _found(text: str) -> tuple[Node, Node | None, Member | None]:
    """Return the settings, the servers in them, and the one that has our name."""
    root = parse(text)
    servers = root.get("mcp")
    if not root.is_object or (servers and not servers.is_object):
        raise NotJson("its mcp is no JSON object")
    named = [each for each in (servers and servers.members) or [] if each.key == MCP_NAME]
    return root, servers, named[-1] if named else None


def _is_ours(server: Node) -> bool:
    return server.is_object and runs_module(server.data().get("command"), MCP_MODULE)
