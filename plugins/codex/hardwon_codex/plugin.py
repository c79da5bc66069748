"""What this distribution offers to hardwon."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_codex.adapter import Codex


@hookimpl
def register_harnesses(register: Register) -> None:
    """Offer Codex."""
    register(Codex.table.name, Codex())
