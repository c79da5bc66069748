"""The one dialect of `hardwon.stores.sql` as PostgreSQL takes it: its marks, and texts with characters it refuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_MARKS = re.compile(r"'(?:[^']|'')*'|\?(\d*)")
_UNFIT = re.compile("[\0\ud800-\udfff]")
_SUBSTITUTE = "\ufffd"


@lru_cache(maxsize=1024)
def numbered(sql: str) -> bytes:
    """Return a statement with `$1`, `$2`, … for its `?` or `?1`, `?2`, …; quoted texts stay as they are."""
    count = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal count
        if not found[0].startswith("?"):
            return found[0]
        count += 1
        return f"${found[1] or count}"

    return _MARKS.sub(mark, sql).encode()


def fit(values: Sequence[Any]) -> list[Any]:
    """Return values as they may travel.

    What is kept was cleaned before; only what is asked for can still hold what PostgreSQL refuses, and nothing is found
    by it.
    """
    return [_fit(value) for value in values]


def _fit(value: Any) -> Any:
    if isinstance(value, str):
        return _UNFIT.sub(_SUBSTITUTE, value) if _UNFIT.search(value) else value
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [_fit(each) for each in value]
    return value
