"""Who calls: the client as it introduced itself, and what it offers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HARNESSES = {"claude": "claude-code", "codex": "codex", "gemini": "gemini", "qwen": "qwen", "opencode": "opencode",
             "dsh": "dsh"}  # fmt: skip
"""What the names of known clients contain, and what hardwon calls these harnesses."""
LONGEST_NAME = 60


class Caller:
    """One client, or, since the revision 2026-07-28, the sender of one request."""

    def __init__(self, info: Any, capabilities: Any, *, harness: str | None = None, stateless: bool = False) -> None:
        given = info.get("name") if isinstance(info, dict) else None
        self.name = given.strip()[:LONGEST_NAME] if isinstance(given, str) and given.strip() else "an MCP client"
        self.harness = harness or _harness(self.name)
        self.has_roots = isinstance(capabilities, dict) and isinstance(capabilities.get("roots"), dict)
        self.stateless = stateless
        """The server may not ask it anything; an answer says what it needs, and the client repeats the request."""


def _harness(name: str) -> str:
    lowered = name.lower()
    return next((harness for part, harness in HARNESSES.items() if part in lowered), name)
