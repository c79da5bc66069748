"""What this distribution offers to hardwon."""

from __future__ import annotations

from hardwon.kernel.hookspecs import Register, hookimpl
from hardwon_dsh.adapter import Dsh


@hookimpl
def register_harnesses(register: Register) -> None:
    """Offer DSH."""
    register("dsh", Dsh())
