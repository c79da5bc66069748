"""OpenCode: asked by `opencode run`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.fake_models.openai_chat import OpenAIChat
from support.programs import OPENCODE
from support.workplace import Finished, Workplace

SETTINGS = """{
    // Comments are allowed here.
    "$schema": "https://opencode.ai/config.json",
    "autoupdate": false, "share": "disabled",
    "model": "fake/fake-model", "small_model": "fake/fake-model", "enabled_providers": ["fake"],
    "provider": {"fake": {
        "npm": "@ai-sdk/openai-compatible", "name": "fake",
        "options": {"baseURL": "MODEL/v1", "apiKey": "dummy"},
        "models": {"fake-model": {"name": "fake", "tool_call": true, "limit": {"context": 100000, "output": 4096}}},
    }},
}
"""
"""The user's, in a form that no program would write."""
NPM = "registry=http://127.0.0.1:9/\nfetch-retries=0\nfetch-timeout=1000\naudit=false\n"
"""OpenCode has npm install a package for plugins before it loads one; where there is none, npm gives up at once."""
QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_SHARE": "1",
}


class OpenCode:
    """See Harness."""

    name = "opencode"
    program = OPENCODE
    wire = OpenAIChat()

    def settings(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        folder = ".config/opencode"
        return {
            f"{folder}/opencode.jsonc": SETTINGS.replace("MODEL", model),
            f"{folder}/.npmrc": NPM,
            ".npmrc": NPM,
        }

    def environment(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return QUIET

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness."""
        return place.run(["opencode", "run", *(["--continue"] if resume else []), prompt], folder)

    def without_own_rows(self, name: str, text: str) -> str:
        """See Harness: it writes nothing into them, as long as they name its schema."""
        return text
