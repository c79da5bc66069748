"""OpenAI's chat completions, as OpenCode and Qwen Code speak it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from support.fake_models.wire import Body, Event, Json, Say, Tool, Use, strings_in

INDIRECT = "tool_call"
"""The tool of Qwen Code through which it lets those be called whose names alone stand in a reminder."""
HIDDEN_NAME = re.compile(r"\bmcp__\w+")


class OpenAIChat:
    """The wire format of `POST /v1/chat/completions`."""

    def asks(self, path: str) -> bool:
        """See Wire."""
        return path.partition("?")[0].endswith("/chat/completions")

    def tools(self, body: Body) -> Iterator[Tool]:
        """See Wire."""
        names = [tool["function"]["name"] for tool in body.get("tools") or []]
        yield from map(Tool, names)
        if INDIRECT in names:
            named = (match for text in strings_in(body["messages"]) for match in HIDDEN_NAME.findall(text))
            yield from (Tool(name, within=INDIRECT) for name in dict.fromkeys(named))

    def streams(self, path: str, body: Body) -> bool:
        """See Wire."""
        return bool(body.get("stream"))

    def whole(self, body: Body, answer: Say | Use) -> Json:
        """See Wire."""
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if isinstance(answer, Say):
            message["content"] = answer.words
        else:
            message["tool_calls"] = [
                {"id": f"call_{answer.number}", "type": "function", "index": 0, "function": _function(answer)}
            ]
        finish = "stop" if isinstance(answer, Say) else "tool_calls"
        return {
            "id": "chatcmpl-fake",
            "object": "chat.completion",
            "created": 0,
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
        }

    def stream(self, whole: Json) -> Iterator[Event]:
        """See Wire."""
        (choice,) = whole["choices"]
        head = {**{name: whole[name] for name in ("id", "created", "model")}, "object": "chat.completion.chunk"}
        yield Event({**head, "choices": [{"index": 0, "delta": choice["message"], "finish_reason": None}]})
        yield Event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
        yield Event({**head, "choices": [], "usage": whole["usage"]})
        yield Event("[DONE]")

    def other(self, path: str) -> Json:
        """See Wire."""
        return {"object": "list", "data": []}


def _function(answer: Use) -> dict[str, str]:
    """Return the function to call, through another one where it is offered so."""
    name, arguments = answer.tool.name, dict(answer.arguments)
    if answer.tool.within:
        name, arguments = answer.tool.within, {"name": name, "arguments": arguments}
    return {"name": name, "arguments": json.dumps(arguments)}
