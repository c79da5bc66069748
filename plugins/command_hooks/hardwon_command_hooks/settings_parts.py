"""The parts of a harness's JSON settings that are ours: our command among its hooks, and one MCP server.

A part knows how to find itself in a text, put itself in, and take itself out; it touches nothing else. Every method
raises NotJson where the text is no valid settings file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from hardwon_command_hooks import hook_groups
from hardwon_command_hooks.hook_command import home_of, is_job, named_home, runs_module
from hardwon_command_hooks.json_edit import put, replace, take
from hardwon_command_hooks.json_text import Member, Node, NotJson, parse

MCP_NAME = "hardwon"
MCP_MODULE = "hardwon_mcp"


class Part(Protocol):
    """A part of a settings file that is ours."""

    @property
    def places(self) -> Sequence[tuple[str, ...]]:
        """Return the objects and lists, as keys from the root, that hold the part and may be there for it alone."""
        ...

    def put_in(self, text: str, home: Path) -> str:
        """Return the text with this part for this home; one for another home is brought up to date in its place."""
        ...

    def take_out(self, text: str) -> str:
        """Return the text without this part, whichever home it is for; what it leaves empty stays."""
        ...

    def home(self, text: str) -> Path | None:
        """Return the home that this part is there for; None where it is not, or not whole, or does not say."""
        ...


@dataclass(frozen=True)
class CommandHooks:
    """Our hook program among a harness's hooks."""

    harness: str
    timeouts: Mapping[str, int]
    """The events, and how long the harness waits for us, in the harness's unit."""
    command: Callable[[Path], str]
    """Returns the command line for a home."""

    @property
    def places(self) -> Sequence[tuple[str, ...]]:
        """Return the hooks and the list of each event."""
        return [("hooks",), *(("hooks", event) for event in self.timeouts)]

    def put_in(self, text: str, home: Path) -> str:
        """Put our command into each event once; where that cannot be done in its place, out and in again."""
        wanted: dict[str, hook_groups.Hook] = {
            event: {"type": "command", "command": self.command(home), "timeout": timeout}
            for event, timeout in self.timeouts.items()
        }
        ours = self._ours(text)
        if len(ours) != len(wanted) or dict(ours).keys() != wanted.keys():
            text = hook_groups.remove(text, lambda hook: self._home(hook) is not None)
            for event, hook in wanted.items():
                text = hook_groups.add(text, event, hook)
            return text
        for event, hook in ours:
            text = text if hook == wanted[event] else hook_groups.change(text, event, hook, wanted[event])
        return text

    def take_out(self, text: str) -> str:
        """Take all our commands out, and the jobs that were scheduled."""
        return hook_groups.remove(text, lambda hook: self._home(hook) is not None or is_job(hook.get("command")))

    def home(self, text: str) -> Path | None:
        """Return the home of our command, where every event has it."""
        ours = self._ours(text)
        return self._home(ours[0][1]) if ours and dict(ours).keys() >= self.timeouts.keys() else None

    def _ours(self, text: str) -> list[tuple[str, hook_groups.Hook]]:
        return [(event, hook) for event, hook in hook_groups.commands(text) if self._home(hook)]

    def _home(self, hook: hook_groups.Hook) -> Path | None:
        return home_of(hook.get("command"), self.harness)


@dataclass(frozen=True)
class McpServer:
    """Our MCP server among a harness's servers: `{"mcpServers": {"hardwon": …}}`."""

    arguments: Callable[[Path], list[str] | None]
    """Returns the program and its arguments for a home; None where the server is not installed."""
    also: Mapping[str, Any] = field(default_factory=dict)
    """What this harness should know of the server besides."""
    key: str = "mcpServers"
    is_one_list: bool = False
    """Whether the program stands in one list with its arguments, `{"command": […]}`, and not before `"args"`."""

    @property
    def places(self) -> Sequence[tuple[str, ...]]:
        """Return the servers."""
        return [(self.key,)]

    def put_in(self, text: str, home: Path) -> str:
        """Put our server in, where it is installed and nobody else's has its name; else take ours out."""
        arguments = self.arguments(home)
        if arguments is None:
            return self.take_out(text)
        command = {"command": arguments} if self.is_one_list else {"command": arguments[0], "args": arguments[1:]}
        wanted = {**command, **self.also}
        root, servers, found = self._found(text)
        if found is None:
            return put(text, servers, wanted, MCP_NAME) if servers else put(text, root, {MCP_NAME: wanted}, self.key)
        if not self._is_ours(found.node) or found.node.data() == wanted:
            return text
        return replace(text, found.node, wanted)

    def take_out(self, text: str) -> str:
        """Take our server out."""
        _, servers, found = self._found(text)
        return take(text, servers, found) if servers and found and self._is_ours(found.node) else text

    def home(self, text: str) -> Path | None:
        """Return the home that the server was started for."""
        _, _, found = self._found(text)
        return named_home(self._given(found.node)) if found and self._is_ours(found.node) else None

    def _found(self, text: str) -> tuple[Node, Node | None, Member | None]:
        """Return the settings, the servers in them, and the one that has our name."""
        root = parse(text)
        servers = root.get(self.key)
        if not root.is_object or (servers and not servers.is_object):
            raise NotJson(f"its {self.key} are no JSON object")
        named = [each for each in (servers and servers.members) or [] if each.key == MCP_NAME]
        return root, servers, named[-1] if named else None

    def _is_ours(self, server: Node) -> bool:
        return runs_module(self._given(server), MCP_MODULE)

    def _given(self, server: Node) -> object:
        """Return what a server's program is started with, whatever it is."""
        return server.data().get("command" if self.is_one_list else "args") if server.is_object else None
