"""Finds a person's words in the results of Claude Code's tools: reasons of a refusal, answers to questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hardwon_command_hooks.row_fields import word_of

_REFUSAL = re.compile(
    r"(?:The user doesn't want to|Permission for this tool use was denied|The tool use was rejected|"
    r"The agent proposed a plan that was rejected|User rejected)"
)
_REASON = re.compile(
    r"(?:To tell you how to proceed, the user said:|The user provided the following reason for the rejection:|"
    r"the user said:)[ \t]*\n?(.*)",
    re.DOTALL,
)
_NOTE_BEHIND = re.compile(r"\n\s*Note: The user's next message may contain a correction.*\Z", re.DOTALL)
_ANSWERED = re.compile("(?:User has answered your questions?|Your questions? (?:has|have) been answered): ")
_ANSWER = re.compile(
    r'"[^"\n]*(?:"[^="\n]+)*"="(?P<answer>.*?)"(?=, "|\. You can|\.?\s*\Z| user notes:| selected)', re.DOTALL
)
"""A question, which may hold quotation marks, and its answer."""


def is_refusal(result: str) -> bool:
    """Tell whether the person did not let the tool run."""
    return bool(_REFUSAL.match(result.lstrip()))


def words_of_person(result: str, details: Any, *, failed: bool) -> list[str]:
    """Return what the person said through a tool's result."""
    if failed and is_refusal(result):
        reason = _REASON.search(result)
        return [said] if reason and (said := _NOTE_BEHIND.sub("", reason[1]).strip()) else []
    if isinstance(details, Mapping) and isinstance(details.get("answers"), Mapping):
        return [answer for value in details["answers"].values() if (answer := word_of(value))]
    if answered := _ANSWERED.match(result):
        return [
            found["answer"].strip() for found in _ANSWER.finditer(result, answered.end()) if found["answer"].strip()
        ]
    return []
