"""The command that says how a client is connected; `hardwon setup` does it for the harnesses that it knows."""

from __future__ import annotations

import json
import sys

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.home import Home

NAME = "hardwon"


def connect(home: Home) -> Report:
    """Say how any client that speaks MCP is connected with this memory."""
    # -P keeps a `json.py` of the folder that the client stands in from being imported.
    arguments = ["-P", "-m", "hardwon_mcp", "--home", str(home.path)]
    server = {"command": sys.executable, "args": arguments}
    settings = {"mcpServers": {NAME: server}}
    text = (
        "Most clients take this in their settings:\n\n"
        f"```json\n{json.dumps(settings, indent=2, ensure_ascii=False)}\n```\n\n"
        "The server is started in the folder of the project, or asks the client for it. "
        "`hardwon setup` connects the coding agents that hardwon knows, with their hooks."
    )
    return Report({**server, **settings}, text)


CONNECT = Action(connect, "mcp", reads_only=True)
