"""How a harness starts our MCP server, where that is installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from hardwon_command_hooks.settings_parts import MCP_MODULE


def server_is_installed() -> bool:
    """Tell whether the distribution with the server is there."""
    return importlib.util.find_spec(MCP_MODULE) is not None


def server_command(harness: str, home: Path) -> list[str] | None:
    """Return the program and its arguments, None where the server is not installed."""
    if not server_is_installed():
        return None
    return [sys.executable, "-P", "-m", MCP_MODULE, "--home", str(home), "--harness", harness]
