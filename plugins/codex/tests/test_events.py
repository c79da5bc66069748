"""What Codex sends is read as it was recorded, and its time-outs are in its own unit."""

from __future__ import annotations

from pathlib import Path

from hardwon_codex.adapter import Codex
from hardwon_command_hooks.conformance import CommandHookConformance


class TestCodex(CommandHookConformance):
    harness = Codex
    fixtures = Path(__file__).parent / "fixtures"
    units_per_second = 1
    folder_variable = "CODEX_HOME"
