"""Tells a person's words from all else that Codex writes into messages of the user.

The environment, AGENTS.md, notices and the output of the user's own shell commands stand there under `role: user` too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BEGINNINGS = ("# AGENTS.md instructions for ", "<user_instructions>", "<INSTRUCTIONS>", "<permissions instructions>")
_WRAPPED = re.compile(r"<([a-z]+(?:[_-][a-z]+)*)(?:\s[^>]*)?>.*</\1>\s*", re.DOTALL)
"""One element from end to end: whatever it is called, the program wrote it."""
_EDITOR_CONTEXT = re.compile(r"\A# Context from my IDE setup:.*?^## My request for Codex:\s*", re.DOTALL | re.MULTILINE)
_INTERRUPTED = "<turn_aborted>"


def typed_words(text: str, payload: Mapping[str, Any]) -> str:
    """Return what a person typed of a message of the user; empty when nothing of it."""
    kinds = _kinds(payload)
    if kinds and not any(kind.startswith("user.") for kind in kinds):
        return ""
    words = _EDITOR_CONTEXT.sub("", text.strip()).strip()
    if words.startswith((*_BEGINNINGS, _INTERRUPTED)):
        return ""
    # Newer versions say of each message where it comes from; in older ones the form has to tell.
    return words if kinds or not _WRAPPED.fullmatch(words) else ""


def _kinds(payload: Mapping[str, Any]) -> list[str]:
    """Return what the program says that the parts of a message are; older versions say nothing."""
    passed = payload.get("internal_chat_message_metadata_passthrough")
    kinds = passed.get("content_item_kinds") if isinstance(passed, Mapping) else None
    return [kind for kind in kinds if isinstance(kind, str)] if isinstance(kinds, list) else []
