"""Which file is the index, and which format it has; the hook program has to know both.

`index-9.current` names the index in use, as in `index-9-3.sqlite`: the third that was built in format 9. A new one is
built under a new name beside it, and the name in that file is replaced; so nobody's open index is ever written over,
and programs of two versions each have an index of their own.
"""

from __future__ import annotations

import re

FORMAT_KEY = "format"
"""The key of `meta` under which the index says which format it has."""
FORMAT_VERSION = 9
POINTER = f"index-{FORMAT_VERSION}.current"
NAME = re.compile(rf"index-{FORMAT_VERSION}-([1-9][0-9]{{0,8}})\.sqlite")


def name_of(generation: int) -> str:
    """Return the name of an index by its number."""
    return f"index-{FORMAT_VERSION}-{generation}.sqlite"


def current_name(home: str) -> str | None:
    """Return the name of the index in use; None where nothing names one."""
    try:
        with open(f"{home}/{POINTER}", encoding="ascii", errors="replace") as file:  # noqa: PTH123 - pathlib costs time
            name = file.read(100).strip()
    except OSError:
        return None
    return name if NAME.fullmatch(name) else None
