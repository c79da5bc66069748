"""Qwen Code: asked by `qwen --prompt`, on the Node 22 that npm put beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.fake_models.openai_chat import OpenAIChat
from support.programs import QWEN
from support.workplace import Finished, Workplace

SETTINGS = """{
    // Comments are allowed here.
    "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
    "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false},
    "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true", "timeout": 5000}]}]},
    "$version": 4
}
"""
"""The user's, in a form that no program would write."""
QUIET = {"NO_UPDATE_NOTIFIER": "1", "OPENAI_API_KEY": "dummy", "QWEN_TELEMETRY_ENABLED": "false"}


class Qwen:
    """See Harness."""

    name = "qwen"
    program = QWEN
    wire = OpenAIChat()

    def settings(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {".qwen/settings.json": SETTINGS}

    def environment(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {**QUIET, "OPENAI_BASE_URL": f"{model}/v1"}

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness."""
        command = ["qwen", "--auth-type", "openai", "--model", "fake-model", "--approval-mode", "yolo"]
        return place.run([*command, *(["--continue"] if resume else []), "--prompt", prompt], folder)

    def without_own_rows(self, name: str, text: str) -> str:
        """See Harness: it writes nothing into them."""
        return text
