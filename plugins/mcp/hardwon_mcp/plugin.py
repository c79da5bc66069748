"""What this distribution offers to hardwon: the command that says how a client is connected."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_mcp.actions import CONNECT


@hookimpl
def register_actions(register: Register) -> None:
    """Offer the command."""
    register("mcp", CONNECT)
