"""Tells the transcript of a coding agent from JSON Lines of lessons: its lines may have a text, and are no lessons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.cli.reading.files import shown
from hardwon.kernel.errors import InvalidInput

_NAMES = ("sessionId", "parentUuid")
"""Beside a `type`, these stand in lines of transcripts alone."""
_PARTS = ("payload", "message")
"""So do these, where they are objects and the line has no text of its own."""


def refuse_transcript(path: Path, content: bytes) -> None:
    """Raise InvalidInput for a file whose first record, or at least half of them, is a line of a transcript."""
    if not any(f'"{name}"'.encode() in content for name in (*_NAMES, *_PARTS)):
        return
    found = [_is_of_transcript(record) for record in _records(content)]
    if found and (found[0] or 2 * sum(found) >= len(found)):
        raise InvalidInput(
            f"{shown(path)} is a transcript of a coding agent; take it with `hardwon import --from HARNESS` and its "
            "name, as in --from claude-code."
        )


def _records(content: bytes) -> Iterator[dict[str, Any]]:
    """Walk the lines that are objects; the others are told by who reads the file."""
    for line in content.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _is_of_transcript(record: dict[str, Any]) -> bool:
    if not isinstance(record.get("type"), str):
        return "sessionId" in record and "content" not in record  # the line that opens a session
    if any(name in record for name in _NAMES):
        return True
    return "content" not in record and any(isinstance(record.get(name), dict) for name in _PARTS)
