"""What this distribution offers to hardwon."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_opencode.adapter import OpenCode


@hookimpl
def register_harnesses(register: Register) -> None:
    """Offer OpenCode."""
    register("opencode", OpenCode())
