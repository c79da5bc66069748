"""The format of the tables, which the hook program has to know too."""

from __future__ import annotations

FORMAT_KEY = "format"
"""The key of `meta` under which a database says which format it has."""
FORMAT_VERSION = 1
NUMBERED = ("memories", "versions", "relations", "journal", "operations")
"""The tables whose rows are numbered by `Database.reserve`."""
