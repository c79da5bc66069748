"""What goes over the wire: the part of a prompt that never changes first, marked for caching where that is needed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from hardwon.kernel.ports import Prompt

MARKED = (
    "anthropic/",
    "claude",
    "bedrock/anthropic",
    "bedrock/us.anthropic",
    "openrouter/anthropic/",
    "vertex_ai/claude",
)
"""How models are called whose provider caches only what is marked; the others cache by themselves."""
_FORM = "\n\nAnswer with one JSON object of this JSON schema, and with nothing else:\n"
_NOT_STRICT = ("default", "title", "maxLength", "minLength")
"""Keywords that providers refuse in strict schemas; pydantic sees to them when the answer is read."""


def messages_of(model: str, prompt: Prompt, schema: type[BaseModel]) -> list[dict[str, Any]]:
    """Return the messages of a prompt: its static part as the system's, with the schema in words, then its tail."""
    static = prompt.prefix + _FORM + json.dumps(strict_schema(schema), sort_keys=True, ensure_ascii=False)
    content: Any = static
    if model.startswith(MARKED):
        content = [{"type": "text", "text": static, "cache_control": {"type": "ephemeral"}}]
    return [{"role": "system", "content": content}, {"role": "user", "content": prompt.tail}]


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema in the form that providers hold models to: every name is required, no other allowed."""
    strict: dict[str, Any] = _strict(schema.model_json_schema())
    return strict


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {name: _strict(each) for name, each in node.items() if name not in _NOT_STRICT or not _is_keyword(node)}
    if kept.get("type") == "object":
        kept |= {"additionalProperties": False, "required": list(kept.get("properties", {}))}
    return kept


def _is_keyword(node: dict[str, Any]) -> bool:
    """Tell whether a mapping is a schema, and not one from the names of properties to theirs."""
    return any(name in node for name in ("type", "anyOf", "$ref", "enum", "const", "allOf"))
