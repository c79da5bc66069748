"""Regular expressions without `re`: what was compiled for the next start goes straight into the C half.

Compiling those of the hook program takes longer than all else that it does, and importing `re` 7 ms. In the assembled
program this stands in for the module `re`; whatever was not kept is compiled by `re` itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

IGNORECASE = 2
_made: dict[tuple[str, int], Any] | None = None
"""While the program is compiled for the next start: every expression that its modules have."""


def _kept() -> dict[Any, Any]:
    found = [finder.patterns() for finder in sys.meta_path if hasattr(finder, "patterns")]  # pyright: ignore
    return found[0] if found else {}


_KEPT = _kept()


def compile(pattern: str, flags: int = 0) -> Any:
    """Return the compiled pattern, as `re.compile` does."""
    kept = _KEPT.get((pattern, int(flags)))
    if kept is not None:
        import _sre  # type: ignore[import-not-found]  # a part of CPython that has no stubs
        import marshal

        return _sre.compile(pattern, *marshal.loads(kept))  # noqa: S302 - our own file, as its hash says
    import re

    compiled = re.compile(pattern, flags)
    if _made is not None:
        _made[pattern, int(flags)] = compiled
    return compiled


def table(modules: Iterable[str]) -> dict[tuple[str, int], bytes]:
    """Return the code of every expression at the top of these modules, by pattern and flags, as `_sre` takes it.

    Empty with an interpreter whose `re` is made otherwise.
    """
    global _made
    import marshal

    try:
        import re._compiler as compiler  # type: ignore[import-not-found]
        import re._parser as parser  # type: ignore[import-not-found]
    except ImportError:
        return {}

    _made = {}
    for name in modules:
        try:
            __import__(name)
        except ImportError:  # an interpreter without SQLite captures all the same
            continue
    codes = {}
    for (pattern, flags), compiled in _made.items():
        code = [int(each) for each in compiler._code(parser.parse(pattern, flags), flags)]
        groups: list[str | None] = [None] * (compiled.groups + 1)
        for group, place in compiled.groupindex.items():
            groups[place] = group
        parts = (compiled.flags, code, compiled.groups, dict(compiled.groupindex), tuple(groups))
        codes[pattern, flags] = marshal.dumps(parts)  # each apart: most events need few of them
    _made = None
    return codes
