"""What Gemini CLI sends is read as it was recorded, and its time-outs are in its own unit."""

from __future__ import annotations

from pathlib import Path

from hardwon_command_hooks.conformance import CommandHookConformance
from hardwon_gemini.adapter import Gemini


class TestGemini(CommandHookConformance):
    harness = Gemini
    fixtures = Path(__file__).parent / "fixtures"
    units_per_second = 1000
    folder_variable = "GEMINI_CLI_HOME"
    all_hooks_off = '{"hooksConfig": {"enabled": false}}'
