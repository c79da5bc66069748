"""What SQL statements of the search tables share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def marks(values: Sequence[Any]) -> str:
    """Return as many placeholders as there are values, in brackets; SQLite takes at most 999 of them everywhere."""
    return f"({','.join('?' * len(values))})"
