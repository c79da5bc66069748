"""What this distribution offers to hardwon."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_qwen.adapter import Qwen


@hookimpl
def register_harnesses(register: Register) -> None:
    """Offer Qwen Code."""
    register(Qwen.table.name, Qwen())
