"""What Claude Code sends is read as it was recorded, and its time-outs are in its own unit."""

from __future__ import annotations

from pathlib import Path

from hardwon_claude_code.adapter import ClaudeCode
from hardwon_command_hooks.conformance import CommandHookConformance


class TestClaudeCode(CommandHookConformance):
    harness = ClaudeCode
    fixtures = Path(__file__).parent / "fixtures"
    units_per_second = 1
    folder_variable = "CLAUDE_CONFIG_DIR"
    all_hooks_off = '{"disableAllHooks": true}'
