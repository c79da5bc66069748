"""Gemini's generateContent, as Gemini CLI speaks it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from support.fake_models.wire import Body, Event, Json, Say, Tool, Use


class GeminiGenerate:
    """The wire format of `POST …:generateContent` and `…:streamGenerateContent`."""

    def asks(self, path: str) -> bool:
        """See Wire."""
        return "generatecontent" in path.lower()

    def tools(self, body: Body) -> Iterator[Tool]:
        """See Wire."""
        for group in body.get("tools") or []:
            yield from (Tool(function["name"]) for function in group.get("functionDeclarations", []))

    def streams(self, path: str, body: Body) -> bool:
        """See Wire."""
        return ":streamGenerateContent" in path

    def whole(self, body: Body, answer: Say | Use) -> Json:
        """See Wire."""
        part: dict[str, Any]
        if isinstance(answer, Say):
            part = {"text": answer.words}
        else:
            part = {"functionCall": {"name": answer.tool.name, "args": dict(answer.arguments)}}
        content = {"role": "model", "parts": [part]}
        return {
            "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
            "modelVersion": "fake",
            "responseId": "fake",
        }

    def stream(self, whole: Json) -> Iterator[Event]:
        """See Wire."""
        yield Event(whole)

    def other(self, path: str) -> Json:
        """See Wire."""
        return {"totalTokens": 10} if ":countTokens" in path else {"models": []}
