"""What travels between client and server: JSON-RPC 2.0 messages, and the errors that answer wrong ones."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022
"""Of the protocol's revision 2026-07-28."""
RESOURCE_NOT_FOUND = -32002


class Refusal(Exception):
    """A request that cannot be answered, as the error that its sender gets."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def result_message(id: str | int, result: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_message(id: str | int | None, refusal: Refusal) -> dict[str, Any]:
    """Return the error that answers a request; `id` is None where the request's own could not be read."""
    error: dict[str, Any] = {"code": refusal.code, "message": str(refusal)}
    if refusal.data is not None:
        error["data"] = refusal.data
    return {"jsonrpc": "2.0", "id": id, "error": error}


def decoded(line: bytes) -> Any:
    """Return the value of a line. Raises Refusal where it is no JSON in UTF-8."""
    try:
        return json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refusal(PARSE_ERROR, f"This line is no JSON in UTF-8 ({error}); send one message a line.") from None


def encoded(message: Any) -> bytes:
    """Return a message as a line; half a surrogate pair, which UTF-8 cannot hold, becomes a question mark."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


class Request:
    """One request of the client, and whether it still wants the answer."""

    __slots__ = ("cancelled", "id", "method", "params")

    def __init__(self, id: str | int, method: str, params: dict[str, Any]) -> None:
        self.id = id
        self.method = method
        self.params = params
        self.cancelled = False


def request_of(message: dict[str, Any]) -> Request:
    """Return a message with an id as a request. Raises Refusal for one that is none."""
    id, method, params = message.get("id"), message.get("method"), message.get("params")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or not _is_id(id):
        raise Refusal(INVALID_REQUEST, 'A request has "jsonrpc": "2.0", an id (a text or a number) and a method.')
    if params is not None and not isinstance(params, dict):
        raise Refusal(INVALID_PARAMS, "The params of a request are a JSON object; send one.")
    return Request(id, method, params or {})  # type: ignore[arg-type]


def _is_id(id: Any) -> bool:
    return isinstance(id, (str, int)) and not isinstance(id, bool)


def readable_id(message: Any) -> str | int | None:
    """Return the id of a message that is wrong in some other way; None where there is none to be read."""
    id = message.get("id") if isinstance(message, dict) else None
    return id if _is_id(id) else None
