"""What SQL statements of the search tables share."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

_HIGHEST = 2**63 - 1
"""SQLite's highest whole number."""


def marks(values: Sequence[Any]) -> str:
    """Return as many placeholders as there are values, in brackets; SQLite takes at most 999 of them everywhere."""
    return f"({','.join('?' * len(values))})"


def words(value: Any) -> list[str]:
    """Return the parts of a column of texts with blanks between. Raises sqlite3.DatabaseError where it is no text."""
    if not isinstance(value, str):
        raise sqlite3.DatabaseError("a row of the search tables is damaged: a text is missing")
    return value.split()


def begin_reading(connection: sqlite3.Connection) -> bool:
    """Let what is read until `COMMIT` be of one state, whoever writes meanwhile; False where it is so already."""
    if connection.in_transaction:
        return False
    connection.execute("BEGIN")
    return True


def stat_values(size: int, mtime_ns: int, inode: int) -> tuple[int, int, int]:
    """Return what a stat says as SQLite keeps it: a time from 1677 to 2262, and an inode with a sign.

    A file may have any time, and on some network file systems inodes take all 64 bits.
    """
    return size, time_value(mtime_ns), inode if inode <= _HIGHEST else inode - 2**64


def time_value(nanoseconds: int) -> int:
    """Return a file's time as SQLite keeps it."""
    return min(max(nanoseconds, -_HIGHEST), _HIGHEST)
