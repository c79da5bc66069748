"""The revisions of the protocol, and what the newest asks of a request and of its answer.

Up to 2025-11-25 a client introduces itself once (`initialize`). Since 2026-07-28 each request says who sends it, under
which revision and with what capabilities, and each result says that it is complete and for how long it holds.
"""

from __future__ import annotations

from hardwon_mcp.messages import INVALID_PARAMS, UNSUPPORTED_VERSION, Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INTRODUCED = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`, oldest first."""
STATELESS = ("2026-07-28",)
VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT = "io.modelcontextprotocol/clientInfo"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER = "io.modelcontextprotocol/serverInfo"
CACHED = frozenset(
    (
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    )
)
"""Methods whose results say how long they hold: here no time at all, since a setting or a memory may change them."""


def agreed(wanted: Any) -> str:
    """Return the revision to speak: the one that the client wants, or the newest that it may know instead."""
    return wanted if wanted in INTRODUCED else INTRODUCED[-1]


def envelope(params: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a request says of its sender; None for one of the older revisions.

    Raises Refusal for a revision that is not known, and for a request that leaves out its sender's capabilities.
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict) or VERSION not in meta:
        return None
    version = meta[VERSION]
    if version not in STATELESS:
        known = [*INTRODUCED, *STATELESS]
        raise Refusal(
            UNSUPPORTED_VERSION,
            f"The revision {version} of the protocol is not known here; use one of {', '.join(known)}.",
            {"supported": known, "requested": str(version)},
        )
    if not isinstance(meta.get(CAPABILITIES), dict):
        raise Refusal(INVALID_PARAMS, f"A request names its sender's capabilities in _meta under {CAPABILITIES}.")
    return meta


def completed(method: str, result: dict[str, Any], server: dict[str, Any]) -> dict[str, Any]:
    """Return a result with what the newest revision asks for."""
    cached = {"ttlMs": 0, "cacheScope": "private"} if method in CACHED else {}
    return {"resultType": "complete", **cached, **result, "_meta": {SERVER: server}}
