"""What SQL statements of the search tables share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_HIGHEST = 2**63 - 1
"""SQLite's highest whole number."""


def marks(values: Sequence[Any]) -> str:
    """Return as many placeholders as there are values, in brackets; SQLite takes at most 999 of them everywhere."""
    return f"({','.join('?' * len(values))})"


def stat_values(size: int, mtime_ns: int, inode: int) -> tuple[int, int, int]:
    """Return what a stat says as SQLite keeps it: a time from 1677 to 2262, and an inode with a sign.

    A file may have any time, and on some network file systems inodes take all 64 bits.
    """
    return size, time_value(mtime_ns), inode if inode <= _HIGHEST else inode - 2**64


def time_value(nanoseconds: int) -> int:
    """Return a file's time as SQLite keeps it."""
    return min(max(nanoseconds, -_HIGHEST), _HIGHEST)
