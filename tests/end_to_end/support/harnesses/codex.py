"""Codex: asked by `codex exec`; it runs hooks only after the user has trusted them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from support.fake_models.openai_responses import OpenAIResponses
from support.programs import CODEX
from support.workplace import Finished, Workplace

CONFIG = """# What I like, and where my model is.
model = "gpt-5-codex"
model_provider = "fake"
approval_policy = "never"   # nobody is there to ask
sandbox_mode = "read-only"
check_for_update_on_startup = false

[analytics]
enabled = false
[feedback]
enabled = false
[features]
apps = false
remote_plugin = false

[model_providers.fake]
name = "fake"
base_url = "{model}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
"""
HOOKS = """{"hooks": {
  "Stop": [ {"hooks": [{"type": "command", "command": "true", "timeout": 5}]} ]
}}
"""
"""The user's, in a form that no program would write."""
TRUST = re.compile(r"\n?\[hooks\.state[^\n]*\n(?:[^\[\n][^\n]*\n|\n(?!\[))*")
"""The tables in which Codex keeps which hooks the user trusts."""


class Codex:
    """See Harness."""

    name = "codex"
    program = CODEX
    wire = OpenAIResponses()

    def settings(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {".codex/config.toml": CONFIG.replace("{model}", model), ".codex/hooks.json": HOOKS}

    def environment(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {"FAKE_KEY": "dummy"}

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness."""
        command = ["codex", "exec", *(["resume", "--last"] if resume else []), prompt]
        return place.run(command, folder)

    def without_own_rows(self, name: str, text: str) -> str:
        """See Harness: it keeps there which hooks the user trusts."""
        return TRUST.sub("", text)
