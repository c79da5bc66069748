"""OpenAI's Responses, as Codex speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from support.fake_models.wire import Body, Event, Json, Say, Tool, Use

USAGE = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 10,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 20,
}


class OpenAIResponses:
    """The wire format of `POST /v1/responses`."""

    def asks(self, path: str) -> bool:
        """See Wire."""
        return path.partition("?")[0].endswith("/responses")

    def tools(self, body: Body) -> Iterator[Tool]:
        """See Wire."""
        for tool in body.get("tools") or []:
            if tool.get("type") == "namespace":
                yield from (Tool(inner["name"], within=tool["name"]) for inner in tool["tools"])
            elif tool.get("name"):
                yield Tool(tool["name"])

    def streams(self, path: str, body: Body) -> bool:
        """See Wire."""
        return bool(body.get("stream"))

    def whole(self, body: Body, answer: Say | Use) -> Json:
        """See Wire."""
        if isinstance(answer, Say):
            words = {"type": "output_text", "text": answer.words, "annotations": []}
            item: dict[str, Any] = {"type": "message", "id": "msg_fake", "role": "assistant", "content": [words]}
        else:
            item = {
                "type": "function_call",
                "id": f"fc_{answer.number}",
                "call_id": f"call_{answer.number}",
                "name": answer.tool.name,
                "arguments": json.dumps(dict(answer.arguments)),
                **({"namespace": answer.tool.within} if answer.tool.within else {}),
            }
        return {
            "id": "resp_fake",
            "object": "response",
            "created_at": 0,
            "model": body.get("model"),
            "status": "completed",
            "output": [{**item, "status": "completed"}],
            "usage": USAGE,
        }

    def stream(self, whole: Json) -> Iterator[Event]:
        """See Wire."""
        (item,) = whole["output"]
        begun = {**whole, "status": "in_progress", "output": [], "usage": None}
        steps: tuple[tuple[str, dict[str, Any]], ...] = (
            ("response.created", {"response": begun}),
            ("response.output_item.added", {"output_index": 0, "item": {**item, "status": "in_progress"}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": whole}),
        )
        for number, (name, data) in enumerate(steps):
            yield Event({"type": name, "sequence_number": number, **data}, name)

    def other(self, path: str) -> Json:
        """See Wire."""
        return {"object": "list", "data": [], "models": []}
