"""The lines of an archive, and the seal at its end by which one that was cut short or changed is noticed.

The format is described in docs/reference/formats.md.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

FORMAT = "hardwon-archive"
VERSION = 2
HEAD = "archive"
END = "end"
SEALED_SINCE = 2
"""The first version whose archives end with a seal."""


def head() -> dict[str, Any]:
    """Return the record that an archive begins with."""
    return {"type": HEAD, "format": FORMAT, "version": VERSION}


def as_line(record: Mapping[str, Any]) -> str:
    """Return a record as its line, without the line's end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class Seal:
    """Counts the records of an archive and hashes its lines, on the way out and on the way in."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.counts: Counter[str] = Counter()

    def add(self, type: str, line: bytes) -> None:
        """Take in one line, given without its end: what a transport makes of line ends changes nothing."""
        self._hash.update(line + b"\n")
        self.counts[type] += 1

    def record(self) -> dict[str, Any]:
        """Return the record that ends the archive."""
        return {"type": END, "records": dict(sorted(self.counts.items())), "sha256": self._hash.hexdigest()}
