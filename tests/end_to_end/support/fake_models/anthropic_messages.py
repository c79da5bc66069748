"""Anthropic's Messages, as Claude Code speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from support.fake_models.wire import Body, Event, Json, Say, Tool, Use


class AnthropicMessages:
    """The wire format of `POST /v1/messages`."""

    def asks(self, path: str) -> bool:
        """See Wire."""
        return path.partition("?")[0].endswith("/v1/messages")

    def tools(self, body: Body) -> Iterator[Tool]:
        """See Wire."""
        for tool in body.get("tools") or []:
            yield Tool(tool["name"])

    def streams(self, path: str, body: Body) -> bool:
        """See Wire."""
        return bool(body.get("stream"))

    def whole(self, body: Body, answer: Say | Use) -> Json:
        """See Wire."""
        if isinstance(answer, Say):
            content: dict[str, Any] = {"type": "text", "text": answer.words}
        else:
            arguments = dict(answer.arguments)
            content = {"type": "tool_use", "id": f"toolu_{answer.number}", "name": answer.tool.name, "input": arguments}
        return {
            "id": "msg_fake",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": [content],
            "stop_reason": "end_turn" if isinstance(answer, Say) else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 10},
        }

    def stream(self, whole: Json) -> Iterator[Event]:
        """See Wire."""
        (content,) = whole["content"]
        if content["type"] == "text":
            empty, delta = {**content, "text": ""}, {"type": "text_delta", "text": content["text"]}
        else:
            empty = {**content, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(content["input"])}
        stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        for data in (
            {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}},
            {"type": "message_stop"},
        ):
            yield Event(data, str(data["type"]))

    def other(self, path: str) -> Json:
        """See Wire."""
        return {"input_tokens": 10} if "count_tokens" in path else {"data": []}
