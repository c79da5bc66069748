"""MCP itself: which methods there are, and who answers them."""

from __future__ import annotations

import threading

from hardwon_mcp import prompts, resources, versions
from hardwon_mcp.caller import Caller
from hardwon_mcp.conversation import Peer
from hardwon_mcp.definitions import offered_tools
from hardwon_mcp.instructions import INSTRUCTIONS
from hardwon_mcp.messages import METHOD_NOT_FOUND, Refusal
from hardwon_mcp.place import NeedsRoots, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hardwon_mcp.conversation import Conversation
    from hardwon_mcp.messages import Request
    from hardwon_mcp.work.calls import Calls

    Method = Callable[["Caller", dict[str, Any]], dict[str, Any]]

SERVER = {"name": "hardwon", "title": "hardwon memory", "version": "0.1.0"}
CAN: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}}
SLOW = frozenset(("tools/call", "resources/read"))
"""What opens the home."""


class Session(Peer):
    """One client of one memory."""

    def __init__(self, conversation: Conversation, home: str, harness: str | None = None) -> None:
        self._conversation = conversation
        self._home = home
        self._harness = harness
        self._caller = Caller(None, None, harness=harness)
        self._place = Place(conversation.ask)
        self._calls: Calls | None = None
        self._lock = threading.Lock()
        self._methods: dict[str, Method] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": lambda _caller, _params: {},
            "tools/list": lambda _caller, _params: {"tools": offered_tools(self._home)},
            "tools/call": self._call,
            "prompts/list": lambda _caller, _params: {"prompts": prompts.LISTED},
            "prompts/get": lambda _caller, params: prompts.get(params),
            "resources/list": lambda _caller, _params: {"resources": resources.LISTED},
            "resources/templates/list": lambda _caller, _params: {"resourceTemplates": resources.TEMPLATES},
            "resources/read": self._read,
        }

    def is_quick(self, method: str) -> bool:
        """Tell whether the reading thread may answer this itself."""
        return method not in SLOW

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Hear that a request is not wanted any more, or that the client's folders changed."""
        if method == "notifications/cancelled":
            self._conversation.cancel(params.get("requestId"))
        elif method == "notifications/roots/list_changed":
            self._place.forget()

    def answered(self, request: Request) -> dict[str, Any]:
        """Return the result. Raises Refusal."""
        sender = versions.envelope(request.params)
        method = self._methods.get(request.method)
        if method is None:
            raise Refusal(METHOD_NOT_FOUND, f"There is no method {request.method} here.", request.method)
        if sender is None:
            return method(self._caller, request.params)
        caller = Caller(
            sender.get(versions.CLIENT), sender[versions.CAPABILITIES], harness=self._harness, stateless=True
        )
        try:
            return versions.completed(request.method, method(caller, request.params), SERVER)
        except NeedsRoots:
            return {"resultType": "input_required", "inputRequests": {"roots": {"method": "roots/list"}}}

    def close(self) -> None:
        """Close what was opened."""
        if self._calls is not None:
            self._calls.close()

    def _initialize(self, _caller: Caller, params: dict[str, Any]) -> dict[str, Any]:
        self._caller = Caller(params.get("clientInfo"), params.get("capabilities"), harness=self._harness)
        self._place.forget()
        version = versions.agreed(params.get("protocolVersion"))
        return {"protocolVersion": version, "capabilities": CAN, "serverInfo": SERVER, "instructions": INSTRUCTIONS}

    def _discover(self, _caller: Caller, _params: dict[str, Any]) -> dict[str, Any]:
        supported = [*versions.INTRODUCED, *versions.STATELESS]
        return {"supportedVersions": supported, "capabilities": CAN, "instructions": INSTRUCTIONS}

    def _call(self, caller: Caller, params: dict[str, Any]) -> dict[str, Any]:
        folder = self._place.folder(caller, params.get("inputResponses"))
        return self._opened().call(caller, folder, params)

    def _read(self, caller: Caller, params: dict[str, Any]) -> dict[str, Any]:
        folder = self._place.folder(caller, params.get("inputResponses"))
        return self._opened().read(caller, folder, params)

    def _opened(self) -> Calls:
        """Return who does the work, with all that it imports."""
        with self._lock:
            if self._calls is None:
                from hardwon_mcp.work.calls import Calls

                self._calls = Calls(self._home)
            return self._calls
