"""What stands in for an index that cannot be written to: in a read-only folder or on a full disk, reading goes on.

It is a copy in memory, so that what is on disk can be taken into it as into the index itself, and every answer is true.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path


def copy_in_memory(path: Path) -> sqlite3.Connection:
    """Return a copy of the index that no file holds, for a place that cannot be written to; empty where it is damaged.

    SQLite reads what is already in the index itself; what a crash left beside it, the look at the files finds.
    """
    for source in (f"{path.absolute().as_uri()}?mode=ro&immutable=1", ":memory:"):
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        copy.row_factory = sqlite3.Row
        try:
            with contextlib.closing(sqlite3.connect(source, uri=True)) as original:
                original.backup(copy)
                copy.execute("SELECT count(*) FROM sqlite_master").fetchone()
            break
        except sqlite3.Error:
            copy.close()
    return copy
