"""Codex's adapter keeps the promises of the port, whatever the user's settings look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.testing.conformance import HarnessAdapterConformance
from hardwon_codex.adapter import Codex

FIXTURES = Path(__file__).parent / "fixtures"
TRANSCRIPT = FIXTURES / "rollout-2026-11-30T00-10-29-01a229c9-edf7-73c2-963e-78b0ae322128.jsonl"
HOOKS = '{"hooks": {\n  "Stop": [ {"hooks": [{"type": "command", "command": "true", "timeout": 5}]} ]\n}}\n'
SETTINGS: dict[str, tuple[str | None, str | None]] = {
    "none": (None, None),
    "empty": ("", ""),
    "comments and another server": (
        HOOKS,
        "# What I like.\nmodel = 'gpt-5-codex'  # the best\n\n[mcp_servers.other]\ncommand = \"x\"\n\n# the end\n",
    ),
    "CRLF, no final newline": ('{\r\n\t"hooks": {}\r\n}', "model = 'x'\r\n[features]\r\napps = false"),
    "a table of servers that none is in": (HOOKS, "model = 'x'\n[mcp_servers]\n"),
    "hooks and servers of other forms": (
        '{"hooks": {"disabled": ["x"], "PreToolUse": null, "Stop": [null, 1, {"hooks": null}, {"hooks": [null]}]}}\n',
        "mcp_servers.other = 5\nhooks.state.x = 'y'\n",
    ),
    "servers as dotted keys": (HOOKS, "mcp_servers.other.command = 'x'\n"),
    "a text that looks like our table": (HOOKS, 'note = """\n[mcp_servers.hardwon]\ncommand = "x"\n"""\n'),
}


class TestCodex(HarnessAdapterConformance):
    @pytest.fixture(params=SETTINGS)
    def configuration(self, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        user = tmp_path / "user"
        sessions = user / ".codex" / "sessions" / "2026" / "11" / "30"
        sessions.mkdir(parents=True)
        monkeypatch.setenv("HOME", str(user))
        monkeypatch.delenv("CODEX_HOME", raising=False)
        for name, settings in zip(("hooks.json", "config.toml"), SETTINGS[request.param], strict=True):
            if settings is not None:
                (user / ".codex" / name).write_bytes(settings.encode("utf-8"))
        (sessions / TRANSCRIPT.name).write_bytes(TRANSCRIPT.read_bytes())
        return user

    @pytest.fixture
    def adapter(self, configuration: Path) -> Codex:
        return Codex()

    @pytest.fixture
    def payload(self) -> Mapping[str, Any]:
        payload: Mapping[str, Any] = json.loads((FIXTURES / "UserPromptSubmit.json").read_bytes())
        return payload

    @pytest.fixture
    def transcript(self) -> Path:
        return TRANSCRIPT
