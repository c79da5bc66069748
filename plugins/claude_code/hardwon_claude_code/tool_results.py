"""Finds a person's words in the results of Claude Code's tools: reasons of a refusal, answers to questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hardwon_command_hooks.row_fields import word_of

_ASKING = "AskUserQuestion"
"""The tool by which the agent asks the person."""
_REFUSAL = re.compile(
    r"(?:The user doesn't want to|Permission for this tool use was denied|The tool use was rejected|"
    r"The agent proposed a plan that was rejected|User rejected)"
)
_REASON = re.compile(
    r"(?:the user said:|the user provided the following reason for the rejection:)[ \t]*\n?(.*)",
    re.DOTALL | re.IGNORECASE,
)
_NOTE_BEHIND = re.compile(r"\n\s*Note: The user's next message may contain a correction.*\Z", re.DOTALL)
_ANSWERED = re.compile(
    "(?:User has answered your questions?|Your questions? (?:has|have) been answered|The user answered): "
)
_RESPONDED = re.compile(r"The user responded: (.*)", re.DOTALL)
_ANSWER = re.compile(
    r'"[^"\n]*(?:"[^="\n]+)*"="(?P<answer>.*?)"(?=, "|\. You can|\. Read the answers|\.?\s*\Z| user notes:| selected)',
    re.DOTALL,
)
"""A question, which may hold quotation marks, and its answer."""


def is_refusal(result: str) -> bool:
    """Tell whether the person did not let the tool run."""
    return bool(_REFUSAL.match(result.lstrip()))


def words_of_person(tool: str, result: str, details: Any, *, failed: bool) -> list[str]:
    """Return what the person said through the result of a tool."""
    if failed and is_refusal(result):
        reason = _REASON.search(result)
        return [said] if reason and (said := _NOTE_BEHIND.sub("", reason[1]).strip()) else []
    if tool != _ASKING:
        return []
    if isinstance(details, Mapping) and isinstance(details.get("answers"), Mapping):
        return [answer for value in details["answers"].values() if (answer := word_of(value))]
    if responded := _RESPONDED.match(result):
        return [responded[1].strip()]
    if answered := _ANSWERED.match(result):
        return [
            found["answer"].strip() for found in _ANSWER.finditer(result, answered.end()) if found["answer"].strip()
        ]
    return []
