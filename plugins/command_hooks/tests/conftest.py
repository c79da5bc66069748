"""What tests of wiring share: a settings file of a user, and a harness that is wired by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon_command_hooks.hook_command import guarded
from hardwon_command_hooks.settings_parts import CommandHooks, McpServer
from hardwon_command_hooks.wired_files import JsonSettings
from hardwon_command_hooks.wiring import Wiring

EVENTS = {"SessionStart": 5, "Stop": 5}
THEIRS = {"hooks": [{"type": "command", "command": "say done"}]}
USERS = {
    "permissions": {"allow": ["Bash(git *)"]},
    "mcpServers": {"other": {"command": "x"}},
    "hooks": {"Stop": [THEIRS]},
}


def command(home: Path) -> str:
    return guarded(f"'/usr/bin/python3' -I -S '{home}/hook/hook' some")


def settings(path: Path, server: bool = True) -> JsonSettings:
    hooks = CommandHooks("some", EVENTS, command)
    mcp = McpServer(lambda home: ["python", "-m", "hardwon_mcp", "--home", str(home)] if server else None)
    return JsonSettings(path, (hooks, mcp))


def wire(path: Path, *, server: bool = True) -> Wiring:
    return Wiring("some", [settings(path, server)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(USERS, indent=4), encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "my home").mkdir()
    return tmp_path / "my home"


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())
