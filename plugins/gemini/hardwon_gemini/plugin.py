"""What this distribution offers to hardwon."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_gemini.adapter import Gemini


@hookimpl
def register_harnesses(register: Register) -> None:
    """Offer Gemini CLI."""
    register(Gemini.table.name, Gemini())
