"""Codex: asked by `codex exec`; it runs hooks only after the user has trusted them."""

from __future__ import annotations

from pathlib import Path

from support.fake_models.openai_responses import OpenAIResponses
from support.harnesses.codex_trust import trust_hooks
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


class Codex:
    """See Harness."""

    name = "codex"
    program = CODEX
    wire = OpenAIResponses()

    def configure(self, place: Workplace, model: str) -> None:
        """See Harness."""
        folder = place.home / ".codex"
        folder.mkdir()
        (folder / "config.toml").write_text(CONFIG.replace("{model}", model), encoding="utf-8")
        (folder / "hooks.json").write_text(HOOKS, encoding="utf-8")
        place.environment.update(FAKE_KEY="dummy")

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness."""
        command = ["codex", "exec", *(["resume", "--last"] if resume else []), prompt]
        return place.run(command, folder)

    def settle(self, place: Workplace) -> None:
        """See Harness: trust the hooks, as the user does on the screen `/hooks`."""
        trust_hooks(place)
