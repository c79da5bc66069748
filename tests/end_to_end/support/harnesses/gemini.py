"""Gemini CLI: asked by `gemini --prompt`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.fake_models.gemini_generate import GeminiGenerate
from support.programs import GEMINI
from support.workplace import Finished, Workplace

SETTINGS = """{
    // Comments are allowed here.
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
    "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false},
    "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
    "hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "true", "timeout": 5000}]}]}
}
"""
"""The user's, in a form that no program would write."""
QUIET = {
    "GEMINI_API_KEY": "dummy",
    "GEMINI_CLI_NO_RELAUNCH": "true",
    "GEMINI_CLI_TRUST_WORKSPACE": "true",
    "GEMINI_TELEMETRY_ENABLED": "false",
    "NO_UPDATE_NOTIFIER": "1",
}


class Gemini:
    """See Harness."""

    name = "gemini"
    program = GEMINI
    wire = GeminiGenerate()

    def settings(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {".gemini/settings.json": SETTINGS}

    def environment(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {**QUIET, "GOOGLE_GEMINI_BASE_URL": model}

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness."""
        command = ["gemini", "--model", "gemini-2.5-flash", "--approval-mode", "yolo"]
        return place.run([*command, *(["--resume", "latest"] if resume else []), "--prompt", prompt], folder)

    def without_own_rows(self, name: str, text: str) -> str:
        """See Harness: it writes nothing into them."""
        return text
