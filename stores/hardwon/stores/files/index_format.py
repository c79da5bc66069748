"""The name and the format of the index, which the hook program has to know too."""

from __future__ import annotations

FILE_NAME = "index.sqlite"
FORMAT_KEY = "format"
"""The key of `meta` under which the index says which format it has."""
FORMAT_VERSION = 6
