"""Our MCP server in Codex's `config.toml`, edited as text: a table of its own, so that no byte of anybody else's moves.

Every edit is read again by the standard library's parser: it must have changed our server and nothing else.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon_command_hooks.hook_command import named_home, runs_module
from hardwon_command_hooks.settings_parts import MCP_MODULE, MCP_NAME
from hardwon_command_hooks.wiring_record import Kept

SERVERS = "mcp_servers"
_OURS = re.compile(
    rf"(?:\A|(?<=\n))(?P<gap>(?:[ \t]*\r?\n)?)"
    rf"[ \t]*\[[ \t]*{SERVERS}[ \t]*\.[ \t]*\"?{MCP_NAME}\"?[ \t]*(?:\.[^\n]*)?\][^\n]*(?:\n|\Z)"
    r"(?:(?![ \t]*\[|[ \t]*#|[ \t]*\r?\n)[^\n]*(?:\n|\Z))*"
)
"""Our table, or one below it, up to the next empty line, comment or table; with one empty line before it."""


@dataclass(frozen=True)
class TomlServer:
    """See WiredFile."""

    path: Path
    arguments: Callable[[Path], list[str] | None]
    """Returns the program and its arguments for a home; None where the server is not installed."""

    def wired(self, content: bytes | None, home: Path, kept: Kept | None) -> bytes | None:
        """Put our table behind everything else, or where an older one stands."""
        text, settings = self._read(content)
        arguments, there = self.arguments(home), _server(settings)
        if arguments is None or (there is not None and not _is_ours(there)):
            return content
        wanted = {"command": arguments[0], "args": arguments[1:]}
        if there is not None and {**there, **wanted} == there:
            return content
        rest = self._without(text, settings)
        line_end = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not rest else line_end if rest.endswith("\n") else 2 * line_end
        return self._checked(rest + gap + _table(wanted, line_end), _without_server(settings), wanted)

    def unwired(self, content: bytes, kept: Kept | None) -> bytes | None:
        """Take our tables out; the bytes from before where nothing else was changed since."""
        text, settings = self._read(content)
        if not _is_ours(_server(settings)):
            return content
        rest = self._without(text, settings)
        if kept is not None and kept.before is not None and rest.strip() == kept.before.decode("utf-8").strip():
            return kept.before
        return None if kept is not None and kept.before is None and not rest.strip() else rest.encode("utf-8")

    def home(self, content: bytes | None) -> Path | None:
        """Return the home that the server is started for."""
        server = _server(self._read(content)[1])
        return named_home(server["args"]) if server and _is_ours(server) else None

    def _read(self, content: bytes | None) -> tuple[str, Mapping[str, Any]]:
        try:
            text = (content or b"").decode("utf-8")
            settings = tomllib.loads(text)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise InvalidInput(
                f"{self.path} is no valid settings file ({error}); mend it first, it was left as it is."
            ) from None
        if not isinstance(settings.get(SERVERS, {}), Mapping):
            raise self._unsafe()
        return text, settings

    def _without(self, text: str, settings: Mapping[str, Any]) -> str:
        """Return the text without our tables; what only looks like one, in a text of several lines, stays."""
        if _server(settings) is None:
            return text
        others = _without_server(settings)
        places = [found.span() for found in _OURS.finditer(text)]
        for first in range(len(places)):
            rest = text
            for start, end in reversed(places[first:]):
                rest = rest[:start] + rest[end:]
            if _says(rest, others):
                return rest
        raise self._unsafe()

    def _checked(self, text: str, others: Mapping[str, Any], server: Mapping[str, Any]) -> bytes:
        """Return the text as bytes; raise InvalidInput where it says anything but the others and our server."""
        if not _says(text, {**others, SERVERS: {**others.get(SERVERS, {}), MCP_NAME: server}}):
            raise self._unsafe()
        return text.encode("utf-8")

    def _unsafe(self) -> InvalidInput:
        return InvalidInput(
            f"{self.path} has {SERVERS} in a form that cannot be edited safely; "
            f"write each server as a table, as in [{SERVERS}.name], and run the command again."
        )


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    """Tell whether a text says that; a table of servers that none is in may stand there or not."""
    try:
        return {SERVERS: {}, **tomllib.loads(text)} == {SERVERS: {}, **wanted}
    except (tomllib.TOMLDecodeError, RecursionError):
        return False


def _server(settings: Mapping[str, Any]) -> Mapping[str, Any] | None:
    server = settings.get(SERVERS, {}).get(MCP_NAME)
    return server if isinstance(server, Mapping) else None


def _is_ours(server: Mapping[str, Any] | None) -> bool:
    return server is not None and runs_module(server.get("args"), MCP_MODULE)


def _without_server(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings without our server."""
    return {**settings, SERVERS: {name: each for name, each in settings.get(SERVERS, {}).items() if name != MCP_NAME}}


def _table(server: Mapping[str, Any], line_end: str) -> str:
    # JSON's texts and lists of them are TOML's.
    lines = [f"[{SERVERS}.{MCP_NAME}]", *(f"{key} = {json.dumps(value)}" for key, value in server.items())]
    return "".join(line + line_end for line in lines)
