"""What came back of a tool that Codex called: words, and whether it failed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from hardwon_command_hooks.row_fields import request_of, text_of

_EXIT_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
_HEAD = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Process|Exit code|Original token count|Total output lines)\b.*\n)+Output:\n"
)
"""What the program writes before a command's own output."""
_SHELL = re.compile(r"(?:\S*/)?(?:ba|z|da|fi)?sh")


def outcome(output: Any) -> tuple[str, bool]:
    """Return the words that came back, and whether the tool reported a failure."""
    text, code = _unpacked(output)
    head = _HEAD.match(text)
    told = _EXIT_CODE.search(head[0] if head else text[:200])
    if code is None and told:
        code = int(told[1])
    return (text[head.end() :] if head else text), code not in (None, 0)


def _unpacked(output: Any) -> tuple[str, int | None]:
    """Return the text of an output and its exit code, which older versions pack into JSON."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = json.loads(output)
        except ValueError:
            return output, None
    if not isinstance(output, Mapping):
        return text_of(output), None
    metadata = output.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, Mapping) else None
    words = text_of(output.get("output", output.get("content")))
    if output.get("success") is False:
        code = 1
    return words, code if isinstance(code, int) else None


def asked(arguments: Any) -> str:
    """Return in one line what was asked of a tool; of a shell, the command that it was given."""
    if isinstance(arguments, str) and arguments.startswith("{"):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return request_of(arguments)
    command = arguments.get("command") if isinstance(arguments, Mapping) else None
    if isinstance(command, list) and len(command) == 3 and _SHELL.fullmatch(str(command[0])):
        return request_of(command[2])
    return request_of(arguments)
