"""Claude Code's adapter keeps the promises of the port, whatever the user's settings look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.testing.conformance import HarnessAdapterConformance
from hardwon_claude_code.adapter import ClaudeCode

FIXTURES = Path(__file__).parent / "fixtures"
SETTINGS = {
    "none": None,
    "empty": "",
    "an empty object": "{}",
    "an empty object over lines": "{\n}\n",
    "one line": '{"theme":"dark","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
    "four spaces": (
        '{\n    "permissions": {"allow": ["Bash(git *)"]},\n'
        '    "hooks": {\n        "Stop": [],\n        "Other": 1\n    }\n}'
    ),
    "tabs and CRLF": '{\r\n\t"theme": "dark",\r\n\t"hooks": {}\r\n}\r\n',
    "a BOM, Chinese, a key twice": '\ufeff{\n  "language": "中文",\n  "theme": "dark",\n  "theme": "light"\n}\n',
}


class TestClaudeCode(HarnessAdapterConformance):
    @pytest.fixture(params=SETTINGS)
    def configuration(self, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        user = tmp_path / "user"
        (user / ".claude" / "projects" / "-p").mkdir(parents=True)
        monkeypatch.setenv("HOME", str(user))
        monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
        settings = SETTINGS[request.param]
        if settings is not None:
            (user / ".claude" / "settings.json").write_bytes(settings.encode("utf-8"))
            (user / ".claude.json").write_bytes(b'{"numStartups": 3, "projects": {"/p": {"mcpServers": {}}}}')
        (user / ".claude" / "projects" / "-p" / "s.jsonl").write_bytes(
            (FIXTURES / "ecdf2848-0828-4be0-91ad-e635516d0fb8.jsonl").read_bytes()
        )
        return user

    @pytest.fixture
    def adapter(self, configuration: Path) -> ClaudeCode:
        return ClaudeCode()

    @pytest.fixture
    def payload(self) -> Mapping[str, Any]:
        payload: Mapping[str, Any] = json.loads((FIXTURES / "UserPromptSubmit.json").read_bytes())
        return payload

    @pytest.fixture
    def transcript(self) -> Path:
        return FIXTURES / "ecdf2848-0828-4be0-91ad-e635516d0fb8.jsonl"
