"""What this distribution offers to hardwon."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_claude_code.adapter import ClaudeCode


@hookimpl
def register_harnesses(register: Register) -> None:
    """Offer Claude Code."""
    register(ClaudeCode.table.name, ClaudeCode())
