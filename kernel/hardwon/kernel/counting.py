"""Numbers with their nouns, as every report says them. Standard library alone, since actions use it."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return `1 lesson`, `2 lessons`, `1,234 lessons`; `plural` where an s does not make it."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
