"""Claude Code: asked by `claude -p`, with settings of the user's own beside which hardwon has to live."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.fake_models.anthropic_messages import AnthropicMessages
from support.programs import CLAUDE
from support.workplace import Finished, Workplace

SETTINGS = """{
    "includeCoAuthoredBy": false,
    "hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "true", "timeout": 5}]}]},
    "permissions": {
        "allow": ["Bash(ls:*)"],   "deny": []
    }
}
"""
"""The user's, in a form that no program would write."""
QUIET = {
    "ANTHROPIC_API_KEY": "dummy",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_BUG_COMMAND": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
}
MODEL = "claude-sonnet-4-6"


class ClaudeCode:
    """See Harness."""

    name = "claude-code"
    program = CLAUDE
    wire = AnthropicMessages()

    def settings(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {".claude/settings.json": SETTINGS, ".claude/CLAUDE.md": "Answer briefly.\n"}

    def environment(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {**QUIET, "ANTHROPIC_BASE_URL": model}

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness."""
        command = ["claude", "--print", prompt, "--model", MODEL, "--allowedTools", "mcp__hardwon"]
        return place.run([*command, *(["--continue"] if resume else [])], folder)

    def without_own_rows(self, name: str, text: str) -> str:
        """See Harness: it writes nothing into them."""
        return text
