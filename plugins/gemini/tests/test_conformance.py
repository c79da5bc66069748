"""Gemini CLI's adapter keeps the promises of the port, whatever the user's settings look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.testing.conformance import HarnessAdapterConformance
from hardwon_gemini.adapter import Gemini

FIXTURES = Path(__file__).parent / "fixtures"
TRANSCRIPT = FIXTURES / "session-2026-11-30T00-10-4521f80e.jsonl"
SETTINGS = {
    "none": None,
    "empty": "",
    "an empty object over lines": "{\n}\n",
    "one line": '{"theme":"dark","mcpServers":{"other":{"command":"x"}}}',
    "comments": ('{\n    // mine\n    "ui": {"theme": "dark"}, // and more\n    "mcpServers": {} // none yet\n}'),
    "tabs and CRLF": '{\r\n\t"language": "中文",\r\n\t"hooks": {}\r\n}\r\n',
}


class TestGemini(HarnessAdapterConformance):
    @pytest.fixture(params=SETTINGS)
    def configuration(self, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        user = tmp_path / "user"
        chats = user / ".gemini" / "tmp" / "project" / "chats"
        chats.mkdir(parents=True)
        monkeypatch.setenv("HOME", str(user))
        monkeypatch.delenv("GEMINI_CLI_HOME", raising=False)
        settings = SETTINGS[request.param]
        if settings is not None:
            (user / ".gemini" / "settings.json").write_bytes(settings.encode("utf-8"))
        (chats / TRANSCRIPT.name).write_bytes(TRANSCRIPT.read_bytes())
        return user

    @pytest.fixture
    def adapter(self, configuration: Path) -> Gemini:
        return Gemini()

    @pytest.fixture
    def payload(self) -> Mapping[str, Any]:
        payload: Mapping[str, Any] = json.loads((FIXTURES / "BeforeAgent.json").read_bytes())
        return payload

    @pytest.fixture
    def transcript(self) -> Path:
        return TRANSCRIPT
