"""What a key of front matter says and where it stands, and what plain text means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(frozen=True, slots=True)
class Field:
    """One top-level key of the front matter: what it says, and where (offsets into the front matter's text)."""

    value: Any
    line: int
    """Line in the file, from 1."""
    key_start: int
    value_start: int
    value_end: int


def plain_value(text: str) -> Any:
    """Return what plain text means; it stays text wherever another reading would lose something."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-0123456789":
        return text
    for read in (int, float):
        try:
            number = read(text)
        except ValueError:
            continue
        # What would not be written the same again (1.10, 012345, 1e5, 1_000, nan) is text.
        if str(number) == text and number == number and abs(number) != float("inf"):
            return number
    return text
