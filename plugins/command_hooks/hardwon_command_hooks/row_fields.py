"""Small readings that the rows of every harness's transcript need."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.session import LONGEST_REQUEST, LONGEST_RESULT
from hardwon.kernel.text import clean

TELLING = (
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "query",
    "pattern",
    "url",
    "question",
    "prompt",
    "description",
)
"""The parameters that say most of what was asked of a tool, the most telling first."""
_FIRST_WORD, _LAST_WORD = re.compile(r"\A[^ \t\r\n]{0,400}[ \t\r\n]"), re.compile(r"[ \t\r\n][^ \t\r\n]{0,400}\Z")
_SLASH_COMMAND = re.compile(r"/[A-Za-z][\w:.-]*(?:\s|\Z)")
_MILLISECONDS_FROM = 1e11
"""Seconds since 1970 stay below it until the year 5138."""


def text_of(value: Any) -> str:
    """Return the words of a field: a text, a block of text, or a list of them; anything else has none."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return text_of(value.get("text")) if value.get("type", "text") in ("text", "Text", "input_text") else ""
    if isinstance(value, list):
        return "\n".join(filter(None, map(text_of, value)))
    return ""


def word_of(value: Any) -> str | None:
    """Return a text that says something, else None."""
    return clean(value) if isinstance(value, str) and value.strip() else None


def moment_of(value: Any) -> datetime | None:
    """Return a point in time: ISO 8601, or seconds or milliseconds since 1970; None where it is neither."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def folder_of(value: Any) -> Path | None:
    """Return an absolute folder, else None."""
    folder = word_of(value)
    return Path(folder) if folder and "\0" not in folder and Path(folder).is_absolute() else None


def made_id(session: str, row: Mapping[str, Any]) -> str:
    """Return an id for a row that has none: made from when it was written and what it says, the same in every copy."""
    return f"{session}+{fingerprint(json.dumps(row, sort_keys=True))}"


def branch_of(value: Any) -> str | None:
    """Return the name of a branch; None where git has none checked out."""
    branch = word_of(value)
    return None if branch == "HEAD" else branch


def request_of(given: Any) -> str:
    """Return in one line what was asked of a tool."""
    if isinstance(given, str):
        return _one_line(given)
    if not isinstance(given, Mapping):
        return ""
    for name in TELLING:
        value = given.get(name)
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            value = " ".join(value)
        if isinstance(value, str) and value.strip():
            return _one_line(value)
    return _one_line(json.dumps(given, ensure_ascii=False, separators=(",", ":"))) if given else ""


def _one_line(text: str) -> str:
    line = " ".join(clean(text[: 4 * LONGEST_REQUEST]).split())
    return line if len(line) <= LONGEST_REQUEST else _LAST_WORD.sub("", line[:LONGEST_REQUEST])


def shortened(text: str) -> str:
    """Return what a tool gave, at most LONGEST_RESULT characters: its beginning and its end.

    The words next to the cut are left out: of half a key nobody can tell that it is one.
    """
    if len(text) <= LONGEST_RESULT:
        return text
    half = (LONGEST_RESULT - 3) // 2
    return f"{_LAST_WORD.sub('', text[:half])}\n…\n{_FIRST_WORD.sub('', text[-half:])}"


def without_elements(text: str, *names: str) -> str:
    """Return a text without passages in tags of these names, which the program put there; unclosed, all the rest."""
    for name in names:
        if f"<{name}" in text:
            text = re.sub(
                rf"<{re.escape(name)}(?:\s[^>]*)?>.*?(?:</(?:{re.escape(name)}|\.\.\.)>|\Z)", "", text, flags=re.DOTALL
            )
    return text.strip()


def is_slash_command(text: str) -> bool:
    """Tell whether a person called a command of the program; a path is none."""
    return _SLASH_COMMAND.match(text) is not None
